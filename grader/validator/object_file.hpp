#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplab::validator {

/// A word or a displacement that the linker fills in.
struct Relocation {
  std::uint64_t offset;  ///< in its section
  std::uint32_t type;    ///< R_X86_64_...
  std::uint32_t symbol;
  std::int64_t addend;
};

/// A part of the file, with the places that the loader fills in.
struct Section {
  std::string name;
  std::uint32_t type = 0;   ///< SHT_...
  std::uint64_t flags = 0;  ///< SHF_...
  std::uint64_t size = 0;
  std::string_view bytes = {};               ///< empty for SHT_NOBITS
  std::vector<Relocation> relocations = {};  ///< by offset, no two at one
  bool is_code() const;
  bool is_loaded() const;
  /// The relocation at this offset, or null.
  const Relocation* relocation_at(std::uint64_t offset) const;
};

/// A name: a function, a variable, or what another module must have.
struct Symbol {
  std::string name;
  unsigned type = 0, binding = 0;  ///< STT_..., STB_...
  std::uint32_t section = 0;       ///< 0: another module has it
  std::uint64_t value = 0, size = 0;
};

/// A place in a section.
struct Place {
  std::uint32_t section;
  std::uint64_t offset;
  auto operator<=>(const Place&) const = default;
};

/// A relocatable x86-64 ELF file, read with all bounds checked.
class ObjectFile {
 public:
  /// @throws Violation of Rule::object_file
  explicit ObjectFile(std::string bytes);
  ObjectFile(const ObjectFile&) = delete;

  const std::vector<Section>& sections() const { return sections_; }
  const std::vector<Symbol>& symbols() const { return symbols_; }
  const Symbol& symbol_of(const Relocation& relocation) const { return symbols_[relocation.symbol]; }
  /// Where a relocation's symbol and addend point to; nothing if another module has the symbol.
  std::optional<Place> place_of(const Relocation& relocation) const;

 private:
  const std::string bytes_;
  std::vector<Section> sections_;
  std::vector<Symbol> symbols_;
};

}  // namespace warplab::validator
