#include "emulator/src/base/function_symbols.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace warplab::emulator {
namespace {

/// All of a module; a main program's path may be one that was relative to where it began.
std::string read_module(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) file = std::ifstream("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Copies of `count` records at a place of a file; none where the file ends before.
template <class T>
std::vector<T> records(const std::string& file, std::size_t begin, std::size_t count) {
  if (begin > file.size() || count > (file.size() - begin) / sizeof(T)) return {};
  std::vector<T> found(count);
  std::memcpy(found.data(), file.data() + begin, count * sizeof(T));
  return found;
}

/// The name of the function at that place of the module, of those that are not exported too; or "".
std::string name_in(const std::string& file, std::size_t address, std::size_t base) {
  const auto header = records<ElfW(Ehdr)>(file, 0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0) return "";
  const auto sections = records<ElfW(Shdr)>(file, header[0].e_shoff, header[0].e_shnum);
  for (const auto& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const std::size_t names = sections[section.sh_link].sh_offset;
    for (const auto& symbol :
         records<ElfW(Sym)>(file, section.sh_offset, section.sh_size / sizeof(ElfW(Sym))))
      if ((symbol.st_info & 0xf) == STT_FUNC &&
          (symbol.st_value == address || symbol.st_value == address - base) &&
          names + symbol.st_name < file.size())
        return file.c_str() + names + symbol.st_name;
  }
  return "";
}

}  // namespace

const char* symbol_of(const void* function, const char* otherwise) {
  static std::mutex mutex;
  static auto& known = *new std::map<const void*, std::string>;
  Dl_info module{};
  if (dladdr(function, &module) == 0 || module.dli_fname == nullptr) return otherwise;
  if (module.dli_saddr == function && module.dli_sname != nullptr) return module.dli_sname;
  const std::lock_guard lock(mutex);
  const auto [found, is_new] = known.try_emplace(function);
  if (is_new)
    found->second = name_in(read_module(module.dli_fname), reinterpret_cast<std::size_t>(function),
                            reinterpret_cast<std::size_t>(module.dli_fbase));
  return found->second.empty() ? otherwise : found->second.c_str();
}

}  // namespace warplab::emulator
