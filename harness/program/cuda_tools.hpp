#pragma once

#include <string>

namespace warplab {

/// A program of the CUDA Toolkit, such as "ncu", in PATH or where the toolkit is installed (CUDA_HOME,
/// CUDA_PATH, /usr/local/cuda); "" if it is nowhere there.
std::string find_cuda_tool(const std::string& name);

}  // namespace warplab
