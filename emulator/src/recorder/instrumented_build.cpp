#include "emulator/src/recorder/instrumented_build.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <vector>

namespace warplab::emulator::lens {
namespace {

struct Symbol {
  std::uint64_t offset = 0;
  std::size_t bytes = 0;
  std::string name;
};

// The functions of a module, by the symbol table that linkers leave for debuggers: it has static ones too.
std::vector<Symbol> read_functions(const std::string& path) {
  std::vector<Symbol> functions;
  std::ifstream file(path, std::ios::binary);
  const auto read = [&](std::uint64_t at, void* to, std::size_t bytes) {
    return static_cast<bool>(file.seekg(static_cast<std::streamoff>(at))
                                 .read(static_cast<char*>(to), static_cast<std::streamsize>(bytes)));
  };
  Elf64_Ehdr header;
  if (!read(0, &header, sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64)
    return functions;
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  if (!read(header.e_shoff, sections.data(), sections.size() * sizeof(Elf64_Shdr))) return functions;
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    std::vector<Elf64_Sym> symbols(section.sh_size / sizeof(Elf64_Sym));
    std::string names(sections[section.sh_link].sh_size, '\0');
    if (!read(section.sh_offset, symbols.data(), symbols.size() * sizeof(Elf64_Sym)) ||
        !read(sections[section.sh_link].sh_offset, names.data(), names.size()))
      return functions;
    for (const Elf64_Sym& symbol : symbols)
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
          symbol.st_name < names.size())
        functions.push_back({symbol.st_value, symbol.st_size, names.c_str() + symbol.st_name});
  }
  return functions;
}

struct Module {
  std::string instrumented_path;
  const std::byte* base = nullptr;
  const std::byte* instrumented_base = nullptr;  ///< null: there is no instrumented build
  std::vector<Symbol> functions, instrumented_functions;
  ModuleFunctions code;  ///< of the instrumented build
  std::string reason;
};

// Whether a loaded module is an instrumented build itself.
bool is_instrumented(const std::string& path, const void* base) {
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (handle == nullptr) return false;
  Dl_info info{};
  void* const mark = dlsym(handle, "warplab_is_instrumented");
  dlclose(handle);
  return mark != nullptr && dladdr(mark, &info) != 0 && info.dli_fbase == base;
}

Module load(const std::string& path, const void* base) {
  Module module;
  if (is_instrumented(path, base)) {  // a guarded module: its launchers are watched as well
    module.instrumented_path = path;
    module.instrumented_base = static_cast<const std::byte*>(base);
    module.functions = module.instrumented_functions = read_functions(path);
    return module;
  }
  const std::string stem = path.ends_with(".so") ? path.substr(0, path.size() - 3) : path;
  module.instrumented_path = stem + ".lens.so";
  if (access(module.instrumented_path.c_str(), R_OK) != 0) {
    module.reason = "there is no instrumented build " + module.instrumented_path + " beside it";
    return module;
  }
  void* handle = dlopen(module.instrumented_path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    module.reason = std::string("its instrumented build can't be loaded: ") + dlerror();
    return module;
  }
  Dl_info info{};
  void* any = dlsym(handle, "warplab_is_instrumented");
  if (any == nullptr || dladdr(any, &info) == 0) {
    module.reason = module.instrumented_path + " is not an instrumented build";
    return module;
  }
  module.instrumented_base = static_cast<const std::byte*>(info.dli_fbase);
  module.functions = read_functions(path);
  module.instrumented_functions = read_functions(module.instrumented_path);
  return module;
}

// "void lab::sum<float>(float const*, int)" is lab::sum<float>.
std::string kernel_name(const std::string& symbol) {
  if (symbol.find("9call_withI") != std::string::npos)
    return "";  // an overload or a template: see launch/kernel.hpp
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, nullptr);
  if (text == nullptr) return "";
  std::string name = text;
  std::free(text);
  static const std::string hidden = "(anonymous namespace)::";
  for (std::size_t at; (at = name.find(hidden)) != std::string::npos;) name.erase(at, hidden.size());
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (depth > 0) continue;
    if (name[i] == ' ') begin = i + 1;
    if (name[i] == '(') return name.substr(begin, i - begin);
  }
  return name.substr(begin);
}

// Static functions of two files may have the same name; the linker keeps them in
// the same order in both modules.
const Symbol* nth(const std::vector<Symbol>& functions, const std::string& name, int n) {
  for (const Symbol& symbol : functions)
    if (symbol.name == name && n-- == 0) return &symbol;
  return nullptr;
}

// The function of the same name and turn in the other module.
const Symbol* counterpart(const std::vector<Symbol>& functions, std::uint64_t offset,
                          const std::vector<Symbol>& others) {
  std::map<std::string, int> seen;
  for (const Symbol& symbol : functions) {
    const int n = seen[symbol.name]++;
    if (symbol.offset != offset) continue;
    if (const Symbol* other = nth(others, symbol.name, n)) return other;
  }
  return nullptr;
}

std::mutex mutex;
std::map<std::string, Module>& modules() {
  static auto& all = *new std::map<std::string, Module>;
  return all;
}

}  // namespace

const void* original_of(const void* code) {
  const std::lock_guard lock(mutex);
  Dl_info info{};
  if (dladdr(code, &info) == 0) return code;
  for (const auto& [path, m] : modules()) {
    if (m.instrumented_base == nullptr || m.instrumented_base != info.dli_fbase) continue;
    const auto offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(code) - m.instrumented_base);
    if (const Symbol* original = counterpart(m.instrumented_functions, offset, m.functions))
      return m.base + original->offset;
  }
  return code;
}

std::optional<InstrumentedKernel> find_instrumented(const void* code, std::string* reason) {
  static auto& known = *new std::map<const void*, InstrumentedKernel>;
  const std::lock_guard lock(mutex);
  if (const auto before = known.find(code); before != known.end()) return before->second;
  Dl_info info{};
  if (dladdr(code, &info) == 0 || info.dli_fname == nullptr) {
    *reason = "its code belongs to no module";
    return std::nullopt;
  }
  std::string path = info.dli_fname;
  if (path.find('/') == std::string::npos ||
      access(path.c_str(), R_OK) != 0) {  // the program, as it was called
    char self[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self);
    if (length > 0) path.assign(self, static_cast<std::size_t>(length));
  }
  auto module = modules().find(path);
  if (module == modules().end()) {
    module = modules().emplace(path, load(path, info.dli_fbase)).first;
    for (const Symbol& function : module->second.instrumented_functions)
      module->second.code.emplace(module->second.instrumented_base + function.offset, function.bytes);
  }
  module->second.base = static_cast<const std::byte*>(info.dli_fbase);
  const Module& m = module->second;
  *reason = m.reason;
  if (m.instrumented_base == nullptr) return std::nullopt;
  const auto offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(code) -
                                                 static_cast<const std::byte*>(info.dli_fbase));
  if (const Symbol* found = counterpart(m.functions, offset, m.instrumented_functions))
    return known[code] = InstrumentedKernel{m.instrumented_base + found->offset, m.instrumented_base, &m.code,
                                            kernel_name(found->name)};
  *reason = m.functions.empty()
                ? path + " has no symbol table (was it stripped?)"
                : m.instrumented_path + " has no code for it (is it older than " + path + "?)";
  return std::nullopt;
}

}  // namespace warplab::emulator::lens
