#include "emulator/src/base/function_symbols.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "emulator/src/base/elf_symbols.hpp"

namespace warplab::emulator {
namespace {

/// The name of the function there, of those that are not exported too; or "".
std::string name_in(const Dl_info& module, const void* function) {
  const auto address = reinterpret_cast<std::uint64_t>(function);
  const auto begin = reinterpret_cast<std::uint64_t>(module.dli_fbase);
  for (const ElfFunction& known : functions_of(path_of_module(module.dli_fname)))
    if (known.address == address || known.address == address - begin) return known.name;
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
  if (is_new) found->second = name_in(module, function);
  return found->second.empty() ? otherwise : found->second.c_str();
}

}  // namespace warplab::emulator
