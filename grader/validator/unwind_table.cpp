#include "grader/validator/unwind_table.hpp"

#include <elf.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "grader/validator/byte_reader.hpp"
#include "grader/validator/frame_program.hpp"
#include "grader/validator/violation.hpp"

namespace warplab::validator {
namespace {

// How pointers are written (DWARF, "pointer encodings"): 4 bytes from their own place, or where such a
// pointer leads.
constexpr std::uint8_t relative = 0x1b, relative_of_pointer = 0x9b, omitted = 0xff, as_uleb = 0x01;

[[noreturn]] void refuse(const char* what) { throw Violation{Rule::unwind_table, {}, 0, what}; }
[[noreturn]] void refuse_exceptions(const char* what) { throw Violation{Rule::exception_table, {}, 0, what}; }

/// What the functions of a compilation have in common: .eh_frame's first kind of entry.
struct Common {
  bool has_exceptions = false;  ///< functions name their table of call sites
};

/// Goes through one section .eh_frame.
class FrameSection {
 public:
  FrameSection(const ObjectFile& object, const Section& section, std::map<Place, UnwindTable>& tables)
      : object_(object), section_(section), tables_(tables) {}

  void read() {
    for (std::uint64_t at = 0; at < section_.bytes.size();) {
      ByteReader reader(section_.bytes, at);
      const auto length = reader.fixed<std::uint32_t>();
      if (length == 0 && reader.at() == section_.bytes.size()) break;  // the end's mark
      const std::uint64_t body = reader.at(), end = body + length;
      const auto back = reader.fixed<std::uint32_t>();
      if (!reader.ok() || length < 4 || end > section_.bytes.size())
        refuse("the table of frames is truncated");
      ByteReader entry(section_.bytes.substr(0, end), reader.at());
      if (back == 0)
        commons_[at] = common(entry, end);
      else
        function(entry, body - back, end);
      at = end;
    }
    if (relocations_ != section_.relocations.size()) refuse("the table of frames has relocations elsewhere");
  }

 private:
  /// Where a pointer that the linker fills in leads to.
  std::optional<Place> pointer(ByteReader& reader) {
    const Relocation* const relocation = section_.relocation_at(reader.at());
    if (reader.fixed<std::uint32_t>() != 0) refuse("the table of frames has a pointer of its own");
    if (relocation == nullptr) return std::nullopt;
    ++relocations_;
    if (relocation->type != R_X86_64_PC32) refuse("the table of frames has an unknown pointer");
    return object_.place_of(*relocation);
  }

  /// A word that leads to the C++ library's function that goes through call sites.
  void require_personality(const std::optional<Place>& place) const {
    const Relocation* const word =
        place ? object_.sections()[place->section].relocation_at(place->offset) : nullptr;
    if (word == nullptr || word->type != R_X86_64_64 || word->addend != 0 ||
        object_.symbol_of(*word).section != SHN_UNDEF || object_.symbol_of(*word).name != personality_name)
      refuse_exceptions("exceptions are handled by an unknown function");
  }

  Common common(ByteReader& reader, std::uint64_t end) {
    const auto version = reader.fixed<std::uint8_t>();
    std::string augmentation;
    for (char c; (c = reader.fixed<char>()) != '\0';) augmentation += c;
    const bool usual = reader.uleb() == 1 && reader.sleb() == -8 && reader.fixed<std::uint8_t>() == 16;
    if (!usual || version != 1 || (augmentation != "zR" && augmentation != "zPLR"))
      refuse("the table of frames is not as g++ writes it");
    const std::uint64_t extra = reader.uleb(), program = reader.at() + extra;
    const bool has_exceptions = augmentation == "zPLR";
    if (has_exceptions) {
      if (reader.fixed<std::uint8_t>() != relative_of_pointer)
        refuse_exceptions("exceptions are handled by an unknown function");
      require_personality(pointer(reader));
      if (reader.fixed<std::uint8_t>() != relative) refuse("the table of frames is not as g++ writes it");
    }
    if (reader.fixed<std::uint8_t>() != relative) refuse("the table of frames is not as g++ writes it");
    if (reader.at() != program || !begins_as_usual(reader, end))
      refuse("the table of frames begins a function otherwise than a call does");
    return {has_exceptions};
  }

  void function(ByteReader& reader, std::uint64_t common_at, std::uint64_t end) {
    const auto known = commons_.find(common_at);
    if (known == commons_.end()) refuse("the table of frames has a function without its common part");
    const std::optional<Place> begin = pointer(reader);
    const auto size = reader.fixed<std::uint32_t>();
    const std::uint64_t extra = reader.uleb(), program = reader.at() + extra;
    if (!begin || !reader.ok() || program > end || extra != (known->second.has_exceptions ? 4 : 0))
      refuse("the table of frames has an unknown function");
    UnwindTable table{.size = size};
    if (known->second.has_exceptions)
      if (const std::optional<Place> place = pointer(reader)) read_call_sites(*place, table);
    if (!run_frame_program(reader, end, size, table.rows))
      refuse("the table of frames describes a function in an unknown way");
    if (!tables_.emplace(*begin, std::move(table)).second)
      refuse("the table of frames describes a function twice");
  }

  void read_call_sites(const Place& place, UnwindTable& table) const {
    const Section& section = object_.sections()[place.section];
    ByteReader reader(section.bytes, place.offset);
    const bool usual = reader.fixed<std::uint8_t>() == omitted && reader.fixed<std::uint8_t>() == omitted &&
                       reader.fixed<std::uint8_t>() == as_uleb;
    const std::uint64_t bytes = reader.uleb(), end = reader.at() + bytes;
    if (!usual || (section.flags & (SHF_WRITE | SHF_MERGE | SHF_ALLOC)) != SHF_ALLOC)
      refuse_exceptions("a function handles exceptions by their type");
    while (reader.ok() && reader.at() < end) {
      const std::uint64_t begin = reader.uleb(), size = reader.uleb(), pad = reader.uleb();
      if (reader.uleb() != 0) refuse_exceptions("a function handles exceptions by their type");
      table.call_sites.push_back({begin, begin + size, pad});
    }
    const bool filled_in =
        std::any_of(section.relocations.begin(), section.relocations.end(),
                    [&](const Relocation& r) { return r.offset + 8 > place.offset && r.offset < end; });
    if (!reader.ok() || reader.at() != end || filled_in)
      refuse_exceptions("a function's table of call sites is not as g++ writes it");
  }

  const ObjectFile& object_;
  const Section& section_;
  std::map<Place, UnwindTable>& tables_;
  std::map<std::uint64_t, Common> commons_;
  std::size_t relocations_ = 0;  ///< that pointers had
};

}  // namespace

const UnwindRow* UnwindTable::row_at(std::uint64_t offset) const {
  const auto after = std::upper_bound(rows.begin(), rows.end(), offset,
                                      [](std::uint64_t at, const UnwindRow& row) { return at < row.begin; });
  return after == rows.begin() ? nullptr : &*std::prev(after);
}

std::map<Place, UnwindTable> unwind_tables_of(const ObjectFile& object) {
  std::map<Place, UnwindTable> tables;
  for (const Section& section : object.sections())
    if (section.name == ".eh_frame") FrameSection(object, section, tables).read();
  return tables;
}

bool is_true_of(const UnwindRow& row, const MachineState& state) {
  const Value caller{Value::Kind::entry, 8};
  const Value place = state[row.cfa_register].plus(row.cfa_offset);
  if ((row.cfa_in_memory ? state.word_at(place) : place) != caller) return false;
  for (const RegisterNumber r : kept_registers) {
    const auto rule = std::find_if(row.saved.begin(), row.saved.end(),
                                   [&](const UnwindRow::Saved& saved) { return saved.of == r; });
    const Value kept = rule == row.saved.end()
                           ? state[r]
                           : state.word_at((rule->by_rbp ? state[rbp] : caller).plus(rule->offset));
    if (kept != Value{Value::Kind::saved, r}) return false;
  }
  return true;
}

}  // namespace warplab::validator
