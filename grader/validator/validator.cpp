#include "grader/validator/validator.hpp"

#include <elf.h>

#include "grader/validator/function_proof.hpp"
#include "grader/validator/module_tables.hpp"
#include "grader/validator/sequence.hpp"

namespace warplab::validator {
namespace {

/// Its code makes known the whole table of functions, and nothing else.
void require_registration(const ObjectFile& object, const Function& function) {
  const Section& section = object.sections()[function.begin.section];
  const std::uint64_t begin = function.begin.offset;
  const std::vector<Instruction> code = decode(section, begin, begin + function.size, function.name);
  const auto refuse = [&] {
    throw Violation{Rule::initialiser, function.name, 0, "it does not make the module known as it must"};
  };
  if (!is_registration(code, object)) refuse();
  const auto points_at = [&](const Instruction& lea, bool end) {
    const auto place = lea.relocation != nullptr ? object.place_of(*lea.relocation) : std::nullopt;
    if (!place || lea.relocation->type != R_X86_64_PC32 ||
        object.sections()[place->section].name != entry_section)
      return false;
    return place->offset + (lea.end() - lea.relocation->offset) ==
           (end ? object.sections()[place->section].size : 0);
  };
  if (!points_at(code[1], false) || !points_at(code[2], true)) refuse();
}

void require_all(const ObjectFile& object, const ModuleRules& rules) {
  const FunctionTable functions = functions_of(object);
  require_known_tables(object, functions, rules);
  const Function& first = first_function(object, functions);
  require_registration(object, first);
  const std::map<Place, UnwindTable> tables = unwind_tables_of(object);
  for (const auto& [place, table] : tables) {
    const auto function = functions.find(place);
    if (function == functions.end() || function->second.size != table.size || place == first.begin)
      throw Violation{Rule::unwind_table, {}, 0, "the table of frames has a part of a function"};
  }
  for (const auto& [place, function] : functions) {
    if (place == first.begin) continue;
    const auto table = tables.find(place);
    prove({object, functions, rules, function}, table != tables.end() ? &table->second : nullptr);
  }
}

}  // namespace

std::optional<Violation> violation_of(std::string bytes, const ModuleRules& rules) {
  try {
    require_all(ObjectFile(std::move(bytes)), rules);
  } catch (const Violation& violation) {
    return violation;
  }
  return std::nullopt;
}

}  // namespace warplab::validator
