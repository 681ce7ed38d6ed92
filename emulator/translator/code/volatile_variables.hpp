#pragma once

#include <set>
#include <string_view>

#include "emulator/translator/code/token.hpp"

namespace warplab::translator {

/// The variables of a file that other threads may write while a loop reads them: those that are declared
/// `volatile` or as atomic objects, by name or by an alias, wherever they are declared.
class VolatileVariables : private TokenReader {
 public:
  explicit VolatileVariables(const Source& source);

  /// Whether token i names such a variable. Where its declaration is not found, one of that name will do.
  bool names(int i) const;

 private:
  bool is_marker(int i) const;
  void take_declaration(int marker);

  std::set<std::string_view> aliases_;  ///< of types
  std::set<std::string_view> names_;
  std::set<int> declarations_;  ///< tokens: where the variables are declared
};

}  // namespace warplab::translator
