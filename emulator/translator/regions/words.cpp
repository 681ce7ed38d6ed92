#include "emulator/translator/regions/words.hpp"

#include <algorithm>
#include <array>

namespace warplab::translator {

bool is_operand_end(const Token& token) {
  return token.is_name() || token.kind == Token::Kind::number || token.is(")") || token.is("]");
}

bool is_prefix(const Source& source, int i) {
  const int left = source.previous(i - 1);
  if (left < 0 || !is_operand_end(source.at(left))) return true;
  if (starts_expression(source.at(left).text)) return true;
  if (!source.at(left).is(")")) return false;
  const Token& last = source.at(source.previous(left - 1));  // `(float*)&x`, `(T)*p`; perhaps `(a) * b`
  const bool is_short = source.previous(source.previous(left - 1) - 1) == source.at(left).partner;
  return last.is("*") || is_plain_type(last.text) || (is_short && last.is_name());
}

bool starts_expression(std::string_view word) {
  static constexpr std::array words{"return", "else", "do",     "case", "throw",
                                    "sizeof", "new",  "delete", "goto"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_qualifier(std::string_view word) {
  static constexpr std::array words{"const",        "volatile",   "constexpr", "extern",
                                    "__restrict__", "__restrict", "typename",  "__grid_constant__"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_plain_type(std::string_view word) {
  static constexpr std::array words{
      "auto",          "void",         "bool",          "char",     "short",     "int",       "long",
      "signed",        "unsigned",     "float",         "double",   "size_t",    "int8_t",    "uint8_t",
      "int16_t",       "uint16_t",     "int32_t",       "uint32_t", "int64_t",   "uint64_t",  "uchar",
      "ushort",        "uint",         "ulong",         "half",     "__half",    "half2",     "__half2",
      "longlong",      "ulonglong",    "dim3",          "intptr_t", "uintptr_t", "ptrdiff_t", "nv_bfloat16",
      "__nv_bfloat16", "nv_bfloat162", "__nv_bfloat162"};
  if (std::find(words.begin(), words.end(), word) != words.end()) return true;
  return word.size() > 1 && word.back() >= '1' && word.back() <= '4' &&
         is_plain_type(word.substr(0, word.size() - 1));
}

bool has_word(const Source& source, int first, int last, std::string_view word) {
  for (int i = first; i <= last; ++i)
    if (source.at(i).is(word)) return true;
  return false;
}

bool is_block_index(std::string_view word) {
  return word == "blockIdx" || word == "blockDim" || word == "gridDim";
}

}  // namespace warplab::translator
