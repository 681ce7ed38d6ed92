#include "harness/rung/rung_module.hpp"

#include <dlfcn.h>

namespace warplab {

std::string did_not_build(const std::filesystem::path& path) {
  return "did not build: " + path.parent_path().filename().string() + "/" + path.filename().string() +
         " is missing; see the compiler's errors";
}

RungModule::RungModule(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) throw ModuleError(RungStatus::not_built, did_not_build(path));
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw ModuleError(RungStatus::failed, std::string("cannot be loaded: ") + dlerror());
  entry_ = reinterpret_cast<Entry*>(dlsym(handle, "warplab_call"));
  if (!entry_)
    throw ModuleError(RungStatus::failed,
                      "has no entry point warplab_call: the lab's adapter was not compiled into it");
}

}  // namespace warplab
