#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplab {

/// A text with one part less.
struct WhatIf {
  enum class Part { barrier, guard };
  Part part = Part::barrier;
  int line = 0;           ///< of the part, from 1
  std::string condition;  ///< of a guard: "i < n"
  std::string text;       ///< the whole file, with as many lines as before
};

/// What can be taken out of a source file: each `__syncthreads();`, and each condition of an `if`. What is
/// guarded then runs always; where the `if` leaves early, by return, break or continue, it never does.
/// Comments and strings hold no parts.
std::vector<WhatIf> what_ifs(std::string_view source);

}  // namespace warplab
