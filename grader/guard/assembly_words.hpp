#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What is in a line of x86-64 assembly, as g++ writes it.
namespace warplab::assembly {

/// Thrown for what the guard does not let through. Its text is for the student.
struct Refused {
  std::string text;
};

/// An operand in memory.
struct Memory {
  std::string_view text, displacement, base;  ///< the operand; base: "%rsp"
  bool indexed = false, segment = false;
};

/// Without blanks around it.
std::string_view trimmed(std::string_view text);
/// A line's first word, and the rest.
std::pair<std::string_view, std::string_view> first_word(std::string_view text);
bool is_name_char(char c);
bool is_number(std::string_view text);
/// @throws Refused if it is none
long number(std::string_view text);
/// An operand of a directive, or of an instruction with a `$` before it, that says where something is in a
/// frame. @throws Refused if there is none
long frame_number(const std::vector<std::string_view>& operands, std::size_t i);
std::vector<std::string_view> operands_of(std::string_view text);
std::optional<Memory> memory_of(std::string_view operand);
/// Whether a mnemonic is one of these, with or without a letter for its size.
bool has_suffixed(std::string_view mnemonic, std::initializer_list<std::string_view> stems);
bool is_integer(std::string_view mnemonic);
/// Whether an instruction is about vector registers, or floating-point numbers in them.
bool is_vector(std::string_view mnemonic, const std::vector<std::string_view>& operands);
bool is_control(std::string_view mnemonic);
/// Bytes that an instruction touches in memory; rather too many than too few.
unsigned bytes_of(std::string_view mnemonic, const std::vector<std::string_view>& operands);
/// Whether the last operand, if it is memory, is only read.
bool only_reads_last(std::string_view mnemonic, std::size_t operands);

}  // namespace warplab::assembly
