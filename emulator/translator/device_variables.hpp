#pragma once

#include <set>
#include <string>
#include <vector>

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
  struct Declaration {
    int first, end;          ///< its first token and its semicolon
    std::vector<int> names;  ///< tokens
    std::string storage;     ///< "static ", "inline " or ""
    bool constant;           ///< `__constant__`
  };

  void make_known(const Declaration& declaration);
  std::string known_as(const Declaration& declaration, const std::string& name) const;
  /// Instrumented kernels use the variable of the module beside which theirs is loaded.
  void share(const Declaration& declaration);
  void refer_to_other_file(const Declaration& declaration);
  void declare_template(const Declaration& declaration);
  /// Gives the variable at that token another name: the old one becomes a reference.
  std::string rename(int token);
  bool is_const(int first, int name) const;

  Edits& edits_;
  Mode mode_;
  std::set<std::string> declared_;  ///< by `extern __device__`
  std::set<std::string> templates_;
};

}  // namespace warplab::translator
