#include "grader/validator/violation.hpp"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>

namespace warplab::validator {
namespace {

constexpr std::size_t max_name = 160;

std::string readable(const std::string& symbol) {
  // Without its prefix a name could be that of a type: "f" is float.
  char* const text =
      symbol.starts_with("_Z") ? abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, nullptr) : nullptr;
  std::string name = text != nullptr ? text : symbol;
  std::free(text);
  if (name.size() > max_name) name = name.substr(0, max_name) + "...";
  return name;
}

}  // namespace

std::string_view name_of(Rule rule) {
  constexpr std::string_view names[] = {
      "object_file",    "section",         "symbol",          "data_relocation", "initialiser",
      "entry_table",    "function_bounds", "undecodable",     "instruction",     "code_relocation",
      "function_entry", "frame_shape",     "stack_pointer",   "joined_paths",    "branch_target",
      "call_target",    "call_depth",      "indirect_branch", "misplaced_check", "unchecked_access",
      "narrow_check",   "other_address",   "segment",         "fall_through",    "unchecked_return",
      "saved_register", "unwind_table",    "exception_table"};
  static_assert(std::size(names) == static_cast<std::size_t>(Rule::exception_table) + 1);
  return names[static_cast<std::size_t>(rule)];
}

std::string to_text(const Violation& violation) {
  std::string text;
  if (!violation.function.empty()) {
    char offset[32];
    std::snprintf(offset, sizeof offset, "+%#llx: ", static_cast<unsigned long long>(violation.offset));
    text = readable(violation.function) + offset;
  }
  return text + violation.what + " (" + std::string(name_of(violation.rule)) + ")";
}

}  // namespace warplab::validator
