#pragma once

#include <stdexcept>

namespace warplab {

/// What a stub throws: the exercise has not been written yet. Programs show the hint without failing; tests
/// fail.
struct ToDo : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reports "to do" with a hint. Students delete this call when they have written the part it stands for.
[[noreturn]] inline void todo(const char* hint) { throw ToDo(hint); }

}  // namespace warplab
