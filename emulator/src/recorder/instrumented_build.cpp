#include "emulator/src/recorder/instrumented_build.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

#include "emulator/src/base/elf_symbols.hpp"

namespace warplab::emulator::lens {
namespace {

struct Module {
  std::string instrumented_path;
  const std::byte* base = nullptr;
  const std::byte* instrumented_base = nullptr;  ///< null: there is no instrumented build
  std::vector<ElfFunction> functions, instrumented_functions;
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
    module.functions = module.instrumented_functions = functions_of(path);
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
  module.functions = functions_of(path);
  module.instrumented_functions = functions_of(module.instrumented_path);
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
const ElfFunction* nth(const std::vector<ElfFunction>& functions, const std::string& name, int n) {
  for (const ElfFunction& symbol : functions)
    if (symbol.name == name && n-- == 0) return &symbol;
  return nullptr;
}

// The function of the same name and turn in the other module.
const ElfFunction* counterpart(const std::vector<ElfFunction>& functions, std::uint64_t offset,
                               const std::vector<ElfFunction>& others) {
  std::map<std::string, int> seen;
  for (const ElfFunction& symbol : functions) {
    const int n = seen[symbol.name]++;
    if (symbol.address != offset) continue;
    if (const ElfFunction* other = nth(others, symbol.name, n)) return other;
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
    if (const ElfFunction* original = counterpart(m.instrumented_functions, offset, m.functions))
      return m.base + original->address;
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
  const std::string path = path_of_module(info.dli_fname);
  auto module = modules().find(path);
  if (module == modules().end()) {
    module = modules().emplace(path, load(path, info.dli_fbase)).first;
    for (const ElfFunction& function : module->second.instrumented_functions)
      module->second.code.emplace(module->second.instrumented_base + function.address, function.bytes);
  }
  module->second.base = static_cast<const std::byte*>(info.dli_fbase);
  const Module& m = module->second;
  *reason = m.reason;
  if (m.instrumented_base == nullptr) return std::nullopt;
  const auto offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(code) -
                                                 static_cast<const std::byte*>(info.dli_fbase));
  if (const ElfFunction* found = counterpart(m.functions, offset, m.instrumented_functions))
    return known[code] = InstrumentedKernel{m.instrumented_base + found->address, m.instrumented_base,
                                            &m.code, kernel_name(found->name)};
  *reason = m.functions.empty()
                ? path + " has no symbol table (was it stripped?)"
                : m.instrumented_path + " has no code for it (is it older than " + path + "?)";
  return std::nullopt;
}

}  // namespace warplab::emulator::lens
