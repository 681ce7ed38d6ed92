#pragma once

#include <set>
#include <string>
#include <vector>

#include "emulator/translator/code/declarators.hpp"
#include "emulator/translator/code/edits.hpp"
#include "emulator/translator/code/token.hpp"
#include "emulator/translator/translate.hpp"

namespace warplab::translator {

/// The variables of a file that `__device__`, `__constant__` and `__managed__` declare: what the runtime has
/// to know of them.
class DeviceVariables : private TokenReader {
 public:
  DeviceVariables(const Source& source, Edits& edits, Mode mode)
      : TokenReader(source), edits_(edits), mode_(mode) {}

  /// Looks at the declaration around the word at token i, which may also be of a function.
  void declare(int i);

 private:
  /// Instrumented kernels use the variable of the module beside which theirs is loaded.
  void share(int first, int end, const std::vector<Declarator>& variables, bool constant);
  bool is_const(int first, int name) const;

  Edits& edits_;
  Mode mode_;
  std::set<std::string> declared_;  ///< by `extern __device__`
};

}  // namespace warplab::translator
