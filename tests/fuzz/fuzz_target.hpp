#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warplab::fuzz {

/// What a target does with an input: it hands it to a reader of what strangers send. Each file of targets/
/// defines one. A std::runtime_error is an answer, as it becomes a sentence for whoever sent the input;
/// anything else that is thrown is a bug, as a crash is.
void take(std::string_view input);

/// A file in memory, for readers that take a path. @throws std::system_error
class InputFile {
 public:
  explicit InputFile(std::string_view content);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace warplab::fuzz
