#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace warplab {

/// What a batch's inputs are drawn from: 32 hexadecimal digits that only the judge reads.
class Secret {
 public:
  /// A new one, from the system's source of randomness. @throws std::runtime_error if there is none
  static Secret fresh();
  /// The one in a file, such as a batch's judge/seed. Command lines take a file, since everybody on a machine
  /// can read the arguments of its programs.
  /// @throws BadInput if it cannot be read, or holds something else
  static Secret in_file(const std::filesystem::path& file);
  /// @throws BadInput unless it is 32 hexadecimal digits
  explicit Secret(std::string digits);

  const std::string& digits() const { return digits_; }
  /// A number for a purpose ("transpose tiled case 3"): the same for the same secret, without a relation to
  /// those of other purposes.
  std::uint64_t number(std::string_view purpose) const;

 private:
  std::string digits_;
};

}  // namespace warplab
