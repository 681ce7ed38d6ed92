#include "grader/validator/module_tables.hpp"

#include <elf.h>

#include <algorithm>
#include <iterator>

#include "grader/validator/sequence.hpp"
#include "grader/validator/violation.hpp"

namespace warplab::validator {
namespace {

struct SectionKind {
  std::string_view name;
  bool parts;  ///< may be followed by a dot and a part's name
  std::uint32_t type;
  std::uint64_t flags;    ///< that it has
  std::uint64_t may = 0;  ///< that it may have
};

constexpr SectionKind loaded[] = {
    {".text", true, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
    {".rodata", true, SHT_PROGBITS, SHF_ALLOC, SHF_MERGE | SHF_STRINGS},
    {".data", true, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE},
    {".bss", true, SHT_NOBITS, SHF_ALLOC | SHF_WRITE},
    {".init_array", false, SHT_INIT_ARRAY, SHF_ALLOC | SHF_WRITE},
    {".init_array.00099", false, SHT_INIT_ARRAY, SHF_ALLOC | SHF_WRITE},
    {first_initialiser, false, SHT_INIT_ARRAY, SHF_ALLOC | SHF_WRITE},  // nothing may run before it
    {".gcc_except_table", true, SHT_PROGBITS, SHF_ALLOC},
    {".eh_frame", false, SHT_PROGBITS, SHF_ALLOC},
    {".eh_frame", false, SHT_X86_64_UNWIND, SHF_ALLOC},
};
constexpr std::string_view not_loaded[] = {".debug_", ".comment", ".note.GNU-stack", ".rela.",
                                           ".symtab", ".strtab",  ".shstrtab"};

bool is_part_of(std::string_view name, std::string_view stem) {
  return name.starts_with(stem) && (name.size() == stem.size() || name[stem.size()] == '.');
}

bool is_known(const Section& section) {
  if (section.type == SHT_NULL) return section.name.empty();
  if (!section.is_loaded()) {
    constexpr std::uint32_t types[] = {SHT_PROGBITS, SHT_RELA, SHT_SYMTAB, SHT_STRTAB};
    return std::find(std::begin(types), std::end(types), section.type) != std::end(types) &&
           (section.flags & ~std::uint64_t{SHF_MERGE | SHF_STRINGS | SHF_INFO_LINK | SHF_COMPRESSED}) == 0 &&
           std::any_of(std::begin(not_loaded), std::end(not_loaded),
                       [&](std::string_view stem) { return section.name.starts_with(stem); });
  }
  return std::any_of(std::begin(loaded), std::end(loaded), [&](const SectionKind& kind) {
    return (section.name == kind.name || (kind.parts && is_part_of(section.name, kind.name))) &&
           section.type == kind.type && (section.flags & ~kind.may) == kind.flags;
  });
}

void require_known_sections(const ObjectFile& object) {
  bool keeps_stack_closed = false;
  for (const Section& section : object.sections()) {
    if (!is_known(section))
      throw Violation{
          Rule::section, {}, 0, "the section '" + section.name + "' is not one that a module has"};
    keeps_stack_closed |= section.name == ".note.GNU-stack";
  }
  // Without the note the linker asks for a stack that can be executed.
  if (!keeps_stack_closed) throw Violation{Rule::section, {}, 0, "the section '.note.GNU-stack' is missing"};
}

bool is_visible(const std::string& name, const std::string& launcher) {
  return name == "warplab_is_instrumented" ||
         (!launcher.empty() &&
          (name == launcher || name.starts_with("_Z" + std::to_string(launcher.size()) + launcher)));
}

void require_known_symbols(const ObjectFile& object, const ModuleRules& rules) {
  for (const Symbol& symbol : object.symbols()) {
    const auto refuse = [&](const char* what) {
      throw Violation{Rule::symbol, {}, 0, "the symbol '" + symbol.name + "' " + what};
    };
    const bool local = symbol.binding == STB_LOCAL;
    if (!local && symbol.binding != STB_GLOBAL) refuse("is weak or unique");
    if (symbol.section == SHN_UNDEF) {
      if (symbol.name.empty() && local) continue;  // the first of each table
      if (local || symbol.type == STT_GNU_IFUNC) refuse("is not an import");
      const bool is_check_or_module = is_check(symbol.name) || symbol.name == "_GLOBAL_OFFSET_TABLE_";
      if (!is_check_or_module && !rules.may_import(symbol.name))
        refuse("is not one that a module may import");
      continue;
    }
    constexpr unsigned types[] = {STT_NOTYPE, STT_OBJECT, STT_FUNC, STT_SECTION};
    const bool known = std::find(std::begin(types), std::end(types), symbol.type) != std::end(types) &&
                       symbol.section < object.sections().size();
    if (!known && !(symbol.type == STT_FILE && local)) refuse("has an unknown type or place");
    if (!local && !is_visible(symbol.name, rules.launcher)) refuse("can be seen from outside");
  }
}

void require_known_addresses(const ObjectFile& object, const FunctionTable& functions,
                             const Section& section) {
  for (const Relocation& relocation : section.relocations) {
    const auto refuse = [&](const char* what) {
      throw Violation{Rule::data_relocation, {}, 0, "the section '" + section.name + "' " + what};
    };
    if (relocation.type != R_X86_64_64) refuse("is filled in by something else than an address");
    if (relocation.offset > section.size || section.size - relocation.offset < 8)
      refuse("is filled in beyond its end");
    const std::optional<Place> place = object.place_of(relocation);
    if (place && object.sections()[place->section].is_code() && !functions.contains(*place))
      refuse("has an address within a function");
  }
}

/// Whether a section is a list of functions' addresses and nothing else.
bool lists_functions(const ObjectFile& object, const FunctionTable& functions, const Section& section) {
  if (section.size % 8 != 0 || section.relocations.size() != section.size / 8) return false;
  return std::all_of(section.relocations.begin(), section.relocations.end(), [&](const Relocation& r) {
    const std::optional<Place> place = object.place_of(r);
    return r.offset % 8 == 0 && place && functions.contains(*place);
  });
}

}  // namespace

void require_known_tables(const ObjectFile& object, const FunctionTable& functions,
                          const ModuleRules& rules) {
  require_known_sections(object);
  require_known_symbols(object, rules);
  std::size_t entry_tables = 0;
  for (const Section& section : object.sections()) {
    // Code and tables of frames are looked at with their functions; what is not loaded does nothing.
    if (!section.is_loaded() || section.is_code() || section.name == ".eh_frame") continue;
    require_known_addresses(object, functions, section);
    if (section.type == SHT_INIT_ARRAY && !lists_functions(object, functions, section))
      throw Violation{
          Rule::initialiser, {}, 0, "what runs when the module is loaded is not a function of it"};
    if (section.name != entry_section) continue;
    if (++entry_tables > 1 || !lists_functions(object, functions, section))
      throw Violation{Rule::entry_table, {}, 0, "the table of functions has something else in it"};
  }
}

const Function& first_function(const ObjectFile& object, const FunctionTable& functions) {
  const Section* first = nullptr;
  for (const Section& section : object.sections()) {
    if (section.name != first_initialiser) continue;
    if (first != nullptr || section.relocations.size() != 1)
      throw Violation{
          Rule::initialiser, {}, 0, "more than one function runs first when the module is loaded"};
    first = &section;
  }
  const std::optional<Place> place =
      first != nullptr ? object.place_of(first->relocations.front()) : std::nullopt;
  if (!place || !functions.contains(*place))
    throw Violation{Rule::initialiser, {}, 0, "no function makes the module known when it is loaded"};
  return functions.at(*place);
}

}  // namespace warplab::validator
