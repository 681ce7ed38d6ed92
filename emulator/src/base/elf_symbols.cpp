#include "emulator/src/base/elf_symbols.hpp"

#include <link.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

namespace warplab::emulator {
namespace {

/// Records at places that the file itself names. Nothing is read, or made room for, beyond its end.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path) : file_(path, std::ios::binary | std::ios::ate) {
    if (file_) bytes_ = static_cast<std::uint64_t>(file_.tellg());
  }

  /// So many records from a place on; none where the file ends before.
  template <class T>
  std::vector<T> records(std::uint64_t begin, std::uint64_t count) {
    if (begin > bytes_ || count > (bytes_ - begin) / sizeof(T)) return {};
    std::vector<T> found(count);
    file_.seekg(static_cast<std::streamoff>(begin));
    file_.read(reinterpret_cast<char*>(found.data()), static_cast<std::streamsize>(count * sizeof(T)));
    return file_ ? found : std::vector<T>();
  }

 private:
  std::ifstream file_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

std::vector<ElfFunction> functions_of(const std::string& path) {
  ElfFile file(path);
  const auto header = file.records<ElfW(Ehdr)>(0, 1);
  constexpr unsigned char bits = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
      header[0].e_ident[EI_CLASS] != bits)
    return {};
  std::vector<ElfFunction> functions;
  const auto sections = file.records<ElfW(Shdr)>(header[0].e_shoff, header[0].e_shnum);
  for (const auto& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    auto names = file.records<char>(sections[section.sh_link].sh_offset, sections[section.sh_link].sh_size);
    names.push_back('\0');
    for (const auto& symbol : file.records<ElfW(Sym)>(section.sh_offset, section.sh_size / sizeof(ElfW(Sym))))
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
          symbol.st_name < names.size())
        functions.push_back({symbol.st_value, symbol.st_size, names.data() + symbol.st_name});
  }
  return functions;
}

std::string path_of_module(const char* name) {
  if (std::strchr(name, '/') != nullptr && access(name, R_OK) == 0) return name;
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self);
  return length > 0 ? std::string(self, static_cast<std::size_t>(length)) : name;
}

}  // namespace warplab::emulator
