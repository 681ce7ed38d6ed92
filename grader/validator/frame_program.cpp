#include "grader/validator/frame_program.hpp"

#include <algorithm>
#include <optional>

namespace warplab::validator {
namespace {

// DWARF's call frame operations. The first three have an operand in their lower six bits.
enum Operation : std::uint8_t {
  advance = 0x40,
  offset = 0x80,
  restore = 0xc0,
  nop = 0x00,
  advance1 = 0x02,
  advance2 = 0x03,
  advance4 = 0x04,
  remember_state = 0x0a,
  restore_state = 0x0b,
  define_cfa = 0x0c,
  define_cfa_register = 0x0d,
  define_cfa_offset = 0x0e,
  define_cfa_expression = 0x0f,
  expression = 0x10,
};
constexpr std::uint8_t of_rbp = 0x76, dereference = 0x06;  // DW_OP_breg6, DW_OP_deref
constexpr std::uint64_t return_address = 16;

/// DWARF's number of a register, as instructions encode it.
std::optional<RegisterNumber> register_of(std::uint64_t dwarf) {
  constexpr RegisterNumber lower[] = {0, 2, 1, 3, 6, 7, 5, 4};
  if (dwarf >= return_address) return std::nullopt;
  return dwarf < 8 ? lower[dwarf] : static_cast<RegisterNumber>(dwarf);
}

class Program {
 public:
  Program(ByteReader& reader, std::uint64_t size, std::vector<UnwindRow>& rows)
      : reader_(reader), size_(size), rows_(rows) {}

  bool run(std::uint64_t end) {
    bool known = true;
    while (known && reader_.ok() && reader_.at() < end) known = operation(reader_.fixed<std::uint8_t>());
    rows_.push_back(row_);
    return known && reader_.ok() && reader_.at() == end && row_.begin <= size_;
  }

 private:
  bool operation(std::uint8_t code) {
    const std::uint8_t low = code & 0x3f;
    switch (code & 0xc0) {
      case advance:
        return go(low);
      case offset:
        return save(low, false, -8 * static_cast<std::int64_t>(reader_.uleb()));
      case restore:
        return forget(low);
      default:
        break;
    }
    switch (code) {
      case nop:
        return true;
      case advance1:
        return go(reader_.fixed<std::uint8_t>());
      case advance2:
        return go(reader_.fixed<std::uint16_t>());
      case advance4:
        return go(reader_.fixed<std::uint32_t>());
      case remember_state:
        remembered_.push_back(row_);
        return true;
      case restore_state:
        return bring_back();
      case define_cfa:
        return set_register(reader_.uleb()) && set_offset(reader_.uleb());
      case define_cfa_register:
        return set_register(reader_.uleb());
      case define_cfa_offset:
        return set_offset(reader_.uleb());
      case define_cfa_expression:
        return set_expression();
      case expression:
        return save_by_expression();
      default:
        return false;
    }
  }

  bool go(std::uint64_t bytes) {
    rows_.push_back(row_);
    row_.begin += bytes;
    return true;
  }
  bool bring_back() {
    if (remembered_.empty()) return false;
    const std::uint64_t here = row_.begin;
    row_ = remembered_.back();
    row_.begin = here;
    remembered_.pop_back();
    return true;
  }
  bool set_register(std::uint64_t dwarf) {
    const auto r = register_of(dwarf);
    row_.cfa_in_memory = false;
    row_.cfa_register = r.value_or(rsp);
    return r.has_value();
  }
  bool set_offset(std::uint64_t bytes) {
    row_.cfa_offset = static_cast<std::int64_t>(bytes);
    return !row_.cfa_in_memory;
  }
  /// The word at rbp and a few bytes.
  bool set_expression() {
    const std::uint64_t length = reader_.uleb(), begin = reader_.at();
    if (reader_.fixed<std::uint8_t>() != of_rbp) return false;
    row_.cfa_register = rbp;
    row_.cfa_offset = reader_.sleb();
    row_.cfa_in_memory = true;
    return reader_.fixed<std::uint8_t>() == dereference && reader_.at() == begin + length;
  }
  bool save_by_expression() {
    const std::uint64_t of = reader_.uleb(), length = reader_.uleb(), begin = reader_.at();
    if (reader_.fixed<std::uint8_t>() != of_rbp) return false;
    const std::int64_t bytes = reader_.sleb();
    return reader_.at() == begin + length && save(of, true, bytes);
  }
  bool save(std::uint64_t dwarf, bool by_rbp, std::int64_t bytes) {
    const auto r = register_of(dwarf);
    if (!r || std::find(std::begin(kept_registers), std::end(kept_registers), *r) == std::end(kept_registers))
      return false;
    forget(dwarf);
    row_.saved.push_back({*r, by_rbp, bytes});
    return true;
  }
  bool forget(std::uint64_t dwarf) {
    const auto r = register_of(dwarf);
    std::erase_if(row_.saved, [&](const UnwindRow::Saved& saved) { return saved.of == r; });
    return r.has_value();
  }

  ByteReader& reader_;
  const std::uint64_t size_;
  std::vector<UnwindRow>& rows_;
  UnwindRow row_;
  std::vector<UnwindRow> remembered_;
};

}  // namespace

bool begins_as_usual(ByteReader& reader, std::uint64_t end) {
  // The caller's frame is at rsp (7) + 8; the return address is 8 bytes below it.
  constexpr std::uint8_t usual[] = {define_cfa, 7, 8, offset | return_address, 1};
  for (const std::uint8_t byte : usual)
    if (reader.fixed<std::uint8_t>() != byte) return false;
  while (reader.ok() && reader.at() < end)
    if (reader.fixed<std::uint8_t>() != nop) return false;
  return reader.ok() && reader.at() == end;
}

bool run_frame_program(ByteReader& reader, std::uint64_t end, std::uint64_t size,
                       std::vector<UnwindRow>& rows) {
  return Program(reader, size, rows).run(end);
}

}  // namespace warplab::validator
