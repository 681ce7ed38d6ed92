#pragma once

#include <filesystem>
#include <string>

namespace warplab {

/// Where this build's worker and modules are: the nearest folder above the running executable that holds
/// libexec/warplab-worker. @throws std::runtime_error if there is none (the worker was not built).
std::filesystem::path build_root();

/// libexec/warplab-worker.
std::filesystem::path worker_path();

/// lib/warplab/matrix_product.so; absent where this was built without cuBLAS.
std::filesystem::path matrix_product_path();

/// `lib/warplab/<lab>/<rung>.so`; it need not exist.
std::filesystem::path module_path(const std::string& lab, const std::string& rung);

/// Whether a rung is built with what the lens watches. run_all.sh leaves the instrumented builds out where
/// nobody asks for counts.
bool is_built_for_lens(const std::string& lab, const std::string& rung);

}  // namespace warplab
