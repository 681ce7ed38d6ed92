#include "grader/validator/object_file.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "grader/validator/violation.hpp"

namespace warplab::validator {
namespace {

[[noreturn]] void malformed(const char* what) {
  throw Violation{Rule::object_file, {}, 0, std::string("the object file ") + what};
}

template <class T>
T read_at(std::string_view bytes, std::uint64_t at) {
  if (at > bytes.size() || sizeof(T) > bytes.size() - at) malformed("is truncated");
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string_view part_of(std::string_view bytes, std::uint64_t begin, std::uint64_t size) {
  if (begin > bytes.size() || size > bytes.size() - begin) malformed("is truncated");
  return bytes.substr(begin, size);
}

std::string text_in(std::string_view table, std::uint64_t offset) {
  const std::size_t end = offset < table.size() ? table.find('\0', offset) : std::string_view::npos;
  if (end == std::string_view::npos) malformed("has a name outside of its table of names");
  return std::string(table.substr(offset, end - offset));
}

template <class T>
std::vector<T> table_in(std::string_view bytes, const Elf64_Shdr& header) {
  if (header.sh_entsize != sizeof(T) || header.sh_size % sizeof(T) != 0)
    malformed("has a table with entries of another size");
  const std::string_view part = part_of(bytes, header.sh_offset, header.sh_size);
  std::vector<T> entries(part.size() / sizeof(T));
  if (!entries.empty()) std::memcpy(entries.data(), part.data(), part.size());
  return entries;
}

Elf64_Ehdr header_of(std::string_view bytes) {
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != EM_X86_64 || header.e_type != ET_REL)
    malformed("is not one for x86-64");
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shnum == 0 || header.e_phnum != 0 ||
      header.e_shstrndx >= header.e_shnum)
    malformed("has no table of sections as an assembler writes it");
  return header;
}

std::vector<Symbol> symbols_in(std::string_view bytes, const std::vector<Elf64_Shdr>& headers) {
  std::vector<Symbol> symbols;
  for (const Elf64_Shdr& header : headers) {
    if (header.sh_type != SHT_SYMTAB) continue;
    if (!symbols.empty()) malformed("has two tables of symbols");
    if (header.sh_link >= headers.size()) malformed("has symbols without names");
    const Elf64_Shdr& names = headers[header.sh_link];
    const std::string_view table = part_of(bytes, names.sh_offset, names.sh_size);
    for (const Elf64_Sym& raw : table_in<Elf64_Sym>(bytes, header))
      symbols.push_back({text_in(table, raw.st_name), static_cast<unsigned>(ELF64_ST_TYPE(raw.st_info)),
                         static_cast<unsigned>(ELF64_ST_BIND(raw.st_info)), raw.st_shndx, raw.st_value,
                         raw.st_size});
  }
  return symbols;
}

}  // namespace

bool Section::is_code() const { return (flags & SHF_EXECINSTR) != 0; }
bool Section::is_loaded() const { return (flags & SHF_ALLOC) != 0; }

const Relocation* Section::relocation_at(std::uint64_t offset) const {
  const auto found = std::lower_bound(relocations.begin(), relocations.end(), offset,
                                      [](const Relocation& r, std::uint64_t at) { return r.offset < at; });
  return found != relocations.end() && found->offset == offset ? &*found : nullptr;
}

ObjectFile::ObjectFile(std::string bytes) : bytes_(std::move(bytes)) {
  const Elf64_Ehdr header = header_of(bytes_);
  std::vector<Elf64_Shdr> headers;
  for (unsigned i = 0; i < header.e_shnum; ++i)
    headers.push_back(read_at<Elf64_Shdr>(bytes_, header.e_shoff + i * sizeof(Elf64_Shdr)));
  const Elf64_Shdr& names = headers[header.e_shstrndx];
  const std::string_view table = part_of(bytes_, names.sh_offset, names.sh_size);
  for (const Elf64_Shdr& raw : headers)
    sections_.push_back({text_in(table, raw.sh_name), raw.sh_type, raw.sh_flags, raw.sh_size,
                         raw.sh_type == SHT_NOBITS || raw.sh_type == SHT_NULL
                             ? std::string_view()
                             : part_of(bytes_, raw.sh_offset, raw.sh_size)});
  symbols_ = symbols_in(bytes_, headers);
  for (const Elf64_Shdr& raw : headers) {
    if (raw.sh_type != SHT_RELA) continue;
    if (raw.sh_info >= sections_.size()) malformed("has relocations without a section");
    std::vector<Relocation>& all = sections_[raw.sh_info].relocations;
    if (!all.empty()) malformed("has two tables of relocations for one section");
    for (const Elf64_Rela& r : table_in<Elf64_Rela>(bytes_, raw)) {
      if (ELF64_R_SYM(r.r_info) >= symbols_.size()) malformed("has a relocation without a symbol");
      all.push_back({r.r_offset, static_cast<std::uint32_t>(ELF64_R_TYPE(r.r_info)),
                     static_cast<std::uint32_t>(ELF64_R_SYM(r.r_info)), r.r_addend});
    }
    std::sort(all.begin(), all.end(),
              [](const Relocation& a, const Relocation& b) { return a.offset < b.offset; });
    if (std::adjacent_find(all.begin(), all.end(), [](const Relocation& a, const Relocation& b) {
          return a.offset == b.offset;
        }) != all.end())
      malformed("has two relocations at one place");
  }
}

std::optional<Place> ObjectFile::place_of(const Relocation& relocation) const {
  const Symbol& symbol = symbol_of(relocation);
  if (symbol.section == SHN_UNDEF || symbol.section >= sections_.size()) return std::nullopt;
  return Place{symbol.section, symbol.value + static_cast<std::uint64_t>(relocation.addend)};
}

}  // namespace warplab::validator
