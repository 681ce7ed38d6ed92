#include "harness/rung/build_tree.hpp"

#include <stdexcept>

#include "harness/rung/backend.hpp"
#include "harness/rung/rung.hpp"

namespace warplab {

std::filesystem::path build_root() {
  const std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe");
  for (std::filesystem::path folder = executable.parent_path();; folder = folder.parent_path()) {
    if (std::filesystem::exists(folder / "libexec" / "warplab-worker")) return folder;
    if (folder == folder.parent_path()) break;
  }
  throw std::runtime_error("libexec/warplab-worker is missing beside " + executable.string() +
                           ": build the target warplab_worker");
}

std::filesystem::path worker_path() { return build_root() / "libexec" / "warplab-worker"; }

std::filesystem::path matrix_product_path() { return build_root() / "lib" / "warplab" / "matrix_product.so"; }

std::filesystem::path module_path(const std::string& lab, const std::string& rung) {
  return build_root() / "lib" / "warplab" / lab / (rung + ".so");
}

bool is_built_for_lens(const std::string& lab, const std::string& rung) {
  std::filesystem::path module = module_path(lab, rung);
  if (!std::filesystem::exists(module)) return false;
#ifdef __SANITIZE_ADDRESS__  // a build with sanitizers has no instrumented builds
  return true;
#else
  return backend == Backend::cuda || std::filesystem::exists(module.replace_extension(".lens.so"));
#endif
}

}  // namespace warplab
