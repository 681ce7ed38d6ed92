#pragma once

#include "harness/rung/rung.hpp"

namespace warplab {

/// Which backend this build tree was configured for. Apart from rung.hpp: what does not ask compiles to the
/// same on both.
#ifdef WARPLAB_BACKEND_CUDA
inline constexpr Backend backend = Backend::cuda;
#else
inline constexpr Backend backend = Backend::emulator;
#endif

}  // namespace warplab
