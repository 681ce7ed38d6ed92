#pragma once

#include <string_view>

#include "emulator/translator/code/token.hpp"

namespace warplab::translator {

/// Whether an expression may end in the token: a name, a number, `)` or `]`.
bool is_operand_end(const Token& token);

/// Whether the `*` or `&` at token i is before its only operand. In doubt, yes.
bool is_prefix(const Source& source, int i);

/// Words after which a name is part of an expression, so that `return x[i]` is not taken for a declaration.
bool starts_expression(std::string_view word);

/// Words that are before a type, or instead of a part of it.
bool is_qualifier(std::string_view word);

/// Types whose objects hold no address of themselves and turn into no pointer:
/// "unsigned", "int64_t", "float4".
bool is_plain_type(std::string_view word);

/// Whether tokens first to last hold the word.
bool has_word(const Source& source, int first, int last, std::string_view word);

/// blockIdx, blockDim and gridDim: the same for all threads of a block.
bool is_block_index(std::string_view word);

}  // namespace warplab::translator
