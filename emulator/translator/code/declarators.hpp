#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "emulator/translator/code/token.hpp"

namespace warplab::translator {

/// A variable as a declaration of several gives it.
struct Declarator {
  std::string type;  ///< a type-id without storage words: "volatile float*[4]"
  std::string name;
  bool is_initialised = false;  ///< by `= ...` or `{...}`
};

/// The variables of `specifiers a, *b, c[2];`, whose text is the tokens `first` to `end`, the semicolon. Sets
/// `*alignment` if the declaration asks for one.
/// @throws std::runtime_error if no name can be found.
std::vector<Declarator> read_declarators(const Source& source, int first, int end, std::size_t* alignment);

}  // namespace warplab::translator
