#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace warplab::driver {

/// The names of CUDA's libraries that a program uses, and which of them the emulator's headers do not have.
class CudaNames {
 public:
  /// Looks at a line of the program.
  /// @param code without comments and literals
  /// @param place "k.cu:12"
  void read(std::string_view code, const std::string& place);

  /// The names that the program does not declare either, with the place where each is used first.
  std::map<std::string, std::string> missing() const;

 private:
  std::set<std::string> own_;                ///< declared by the program
  std::map<std::string, std::string> used_;  ///< with places
};

}  // namespace warplab::driver
