#include "grader/validator/function_table.hpp"

#include <elf.h>

#include "grader/validator/violation.hpp"

namespace warplab::validator {

FunctionTable functions_of(const ObjectFile& object) {
  FunctionTable table;
  for (const Symbol& symbol : object.symbols()) {
    if (symbol.type != STT_FUNC || symbol.section == SHN_UNDEF) continue;
    const auto refuse = [&](const char* what) {
      throw Violation{Rule::function_bounds, symbol.name, 0, what};
    };
    if (symbol.section >= object.sections().size() || !object.sections()[symbol.section].is_code())
      refuse("the function is not in a code section");
    const Section& section = object.sections()[symbol.section];
    if (symbol.size == 0 || symbol.value > section.bytes.size() ||
        symbol.size > section.bytes.size() - symbol.value)
      refuse("the function does not lie within its section");
    const auto [known, added] = table.try_emplace(
        {symbol.section, symbol.value}, Function{symbol.name, {symbol.section, symbol.value}, symbol.size});
    if (!added && known->second.size != symbol.size) refuse("two functions begin at its first byte");
  }
  const Function* before = nullptr;
  for (const auto& [place, function] : table) {
    if (before != nullptr && before->begin.section == place.section &&
        before->begin.offset + before->size > place.offset)
      throw Violation{Rule::function_bounds, function.name, 0, "two functions overlap"};
    before = &function;
  }
  return table;
}

}  // namespace warplab::validator
