#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "grader/guard/guard.hpp"
#include "grader/guard/guard_symbols.hpp"

namespace warplab {
namespace {

template <class T>
T read(const std::string& bytes, std::size_t at) {
  if (at > bytes.size() || sizeof(T) > bytes.size() - at)
    throw std::runtime_error("the object file is truncated");
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string text_at(const std::string& bytes, const Elf64_Shdr& table, std::size_t offset) {
  const std::size_t begin = table.sh_offset + offset;
  const std::size_t end = begin < bytes.size() ? bytes.find('\0', begin) : std::string::npos;
  if (end == std::string::npos) throw std::runtime_error("the object file is truncated");
  return bytes.substr(begin, end - begin);
}

bool is_stub(const std::string& symbol, GuardAllowance allowance) {
  for (const char* name : {"access", "target", "enter", "leave", "register"})
    if (symbol == std::string("warplab_strict_") + name) return true;
  constexpr std::string_view prefix = "warplab_strict_";
  if (!symbol.starts_with(prefix)) return false;
  const std::string inner = symbol.substr(prefix.size());
  return guarded_symbol(inner, allowance) == symbol;
}

}  // namespace

std::optional<Refusal> refusal_of_object(const std::filesystem::path& object, GuardAllowance allowance) {
  std::ifstream file(object, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const auto header = read<Elf64_Ehdr>(bytes, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_type != ET_REL || header.e_shentsize != sizeof(Elf64_Shdr))
    throw std::runtime_error(object.filename().string() + " is not an object file");
  std::vector<Elf64_Shdr> sections;
  for (unsigned i = 0; i < header.e_shnum; ++i)
    sections.push_back(read<Elf64_Shdr>(bytes, header.e_shoff + i * sizeof(Elf64_Shdr)));
  for (const Elf64_Shdr& section : sections) {
    const std::string name = text_at(bytes, sections.at(header.e_shstrndx), section.sh_name);
    if (section.sh_type == SHT_FINI_ARRAY || section.sh_type == SHT_PREINIT_ARRAY ||
        name.starts_with(".ctors") || name.starts_with(".dtors") || name == ".init" || name == ".fini")
      return Refusal{0,
                     "it has a function that runs by itself (section " + name + "), which no solution needs"};
    if ((section.sh_flags & SHF_TLS) != 0)
      return Refusal{0, "it has a thread_local variable, which device code cannot have"};
    if ((section.sh_flags & SHF_EXECINSTR) != 0 && (section.sh_flags & SHF_WRITE) != 0)
      return Refusal{0, "it has code that can be written to, which no solution needs"};
    if (section.sh_type != SHT_SYMTAB) continue;
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = read<Elf64_Sym>(bytes, section.sh_offset + at);
      if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC)
        return Refusal{0, "it chooses a function when it is loaded (ifunc), which no solution needs"};
      if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) continue;
      const std::string own = text_at(bytes, sections.at(section.sh_link), symbol.st_name);
      if (symbol.st_shndx == SHN_UNDEF) {
        const std::optional<std::string> needed = guarded_symbol(own, allowance);
        if (!is_stub(own, allowance) && (!needed || *needed != own)) return Refusal{0, unneeded_symbol(own)};
      } else if (guarded_symbol(own, {true, true}) || own.starts_with("warplab_strict_") ||
                 own.starts_with("__") || own.starts_with("cuda") || own.starts_with("_ZN7warplab") ||
                 own.starts_with("_ZNSt") || own.starts_with("_ZSt") || own == "warplab_call" ||
                 own.find("cuda") == 4) {
        return Refusal{0, "it defines " + readable_symbol(own) + ", which is a part of what runs it"};
      }
    }
  }
  return std::nullopt;
}

}  // namespace warplab
