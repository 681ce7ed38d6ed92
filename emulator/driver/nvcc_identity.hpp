#pragma once

#include <string>

namespace warplab::driver {

/// What --version says: CMake knows a compiler of CUDA by nvcc's line.
std::string version_text();

/// What nvcc -v says of itself, for tools that ask nvcc for its folders and its linker.
std::string identity_text();

}  // namespace warplab::driver
