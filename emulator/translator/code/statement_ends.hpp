#pragma once

#include "emulator/translator/code/token.hpp"

namespace warplab::translator {

/// Whether a statement that a word begins has a head in parentheses: `if`, `for`, `while`, `switch`.
bool has_head(const Token& token);

/// The parenthesis of the head that follows a keyword: `if constexpr (`; -1 if none does.
int head_of(const Source& source, int keyword);

/// Whether token i closes `if (...)` and the like, after which a statement begins.
bool ends_head(const Source& source, int i);

/// Whether a statement that begins at token i begins with a label, `case` or `default`.
bool is_label(const Source& source, int i);

/// The last token of the statement that token `first` begins, or -1 if that can't be told.
int last_of_statement(const Source& source, int first);

}  // namespace warplab::translator
