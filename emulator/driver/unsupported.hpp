#pragma once

#include <string>
#include <string_view>

namespace warplab::driver {

/// What of CUDA a compiler's errors are about that the emulator lacks, as a sentence; "" if none is known.
std::string unsupported(std::string_view errors);

}  // namespace warplab::driver
