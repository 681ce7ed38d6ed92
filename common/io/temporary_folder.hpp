#pragma once

#include <filesystem>
#include <string>

namespace warplab {

/// A new folder, removed with all that is in it: at the end of its scope, or where end_tidily() was called
/// when the program is interrupted.
class TemporaryFolder {
 public:
  /// @param beginning the beginning of its path, to which six characters are added
  /// @throws std::filesystem::filesystem_error if it cannot be made
  explicit TemporaryFolder(const std::filesystem::path& beginning);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// From now on an interrupt leaves it: to be called before what is in it takes another's place.
  void leave_when_interrupted();

 private:
  std::filesystem::path path_;
};

/// From now on SIGINT and SIGTERM remove all temporary folders that this process made, print that the program
/// was interrupted, and end it with exit code 130. Programs that it starts are not affected.
/// @param program its name, for the message
void end_tidily(const std::string& program);

}  // namespace warplab
