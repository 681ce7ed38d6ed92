#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/translator/code/token.hpp"

namespace warplab::translator {

/// Where the translated code finds the runtime.
inline constexpr const char* runtime = "::warplab::emulator::";

/// A text as a C++ literal.
std::string quote(std::string_view text);

/// A marker after which the text of token `i` is on its own line again.
std::string line_marker(const Source& source, int i);

/// The file and line of a token as two arguments: `"k.cu", 12`.
std::string place_of(const Source& source, int i);

/// What is inserted around the tokens of a source, and which of them are left out. Lines keep their numbers.
class Edits {
 public:
  explicit Edits(const Source& source)
      : source_(source),
        before_(source.tokens.size()),
        after_(source.tokens.size()),
        erased_(source.tokens.size()) {}

  std::string& before(int i) { return before_[static_cast<std::size_t>(i)]; }
  const std::string& after(int i) const { return after_[static_cast<std::size_t>(i)]; }
  std::string& after(int i) { return after_[static_cast<std::size_t>(i)]; }
  bool is_erased(int i) const { return erased_[static_cast<std::size_t>(i)]; }
  void erase(int first, int last) {
    for (int i = first; i <= last; ++i) erased_[static_cast<std::size_t>(i)] = true;
  }

  /// Appends tokens first to last as they are edited. Statements after an edit on their line keep their
  /// columns, so that a compiler's caret points at what was written.
  void render(int first, int last, std::string& out) const;

 private:
  bool begins_statement(int i) const;
  void keep_column(int i, std::string& out) const;

  const Source& source_;
  std::vector<std::string> before_, after_;
  std::vector<bool> erased_;
};

}  // namespace warplab::translator
