#pragma once

#include <bit>
#include <cstdint>

namespace warplab::emulator::lens {

inline constexpr unsigned warp_size = 32;

/// The first lane of a mask that is not 0.
inline unsigned lowest(std::uint32_t mask) { return static_cast<unsigned>(std::countr_zero(mask)); }

}  // namespace warplab::emulator::lens
