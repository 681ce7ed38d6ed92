#pragma once

#include <string>
#include <vector>

#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/token.hpp"
#include "emulator/translator/known_names.hpp"

namespace warplab::translator {

/// An array that every thread has for itself. A GPU keeps it in registers if every index is known when the
/// kernel is compiled, else in local memory.
struct LocalArray {
  std::string name;
  int end = -1;         ///< the semicolon of its declaration
  bool surely = false;  ///< indexed by something that is known only when the kernel runs
};

/// A declaration of nothing but arrays that every thread has for itself, without values or with numbers:
/// `float a[4], b[n][4] = {0};`
struct ArrayDeclaration {
  int begin = -1, end = -1;  ///< its first token, and its semicolon
  std::vector<std::string> names;
};
std::vector<ArrayDeclaration> array_declarations(const Source& source, const Function& function);

/// The arrays of a device function that may lie in local memory.
std::vector<LocalArray> find_local_arrays(const Source& source, const Function& function,
                                          const KnownNames& known);

}  // namespace warplab::translator
