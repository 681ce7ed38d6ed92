#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/token.hpp"

namespace warplab::translator {

/// An array that every thread has for itself. A GPU keeps it in registers if every index is known when the
/// kernel is compiled, else in local memory.
struct LocalArray {
  std::string name;
  int end = -1;         ///< the semicolon of its declaration
  bool surely = false;  ///< indexed by something that is known only when the kernel runs
};

/// Names of compile-time constants anywhere in a file; empty until they are asked for.
using ConstantNames = std::set<std::string_view>;

/// The arrays of a device function that may lie in local memory. @param constants of the file: found once
std::vector<LocalArray> find_local_arrays(const Source& source, const Function& function,
                                          ConstantNames& constants);

}  // namespace warplab::translator
