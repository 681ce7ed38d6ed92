#pragma once

#include <cstdint>

#include "common/host/host_array.hpp"

namespace warplab {

/// A landscape like a photograph: a lake below mountains, a house and a fence, in evening light with film
/// grain. It has what a filter shows itself on: smooth gradients, fine texture, soft shadows and hard edges.
/// The same seed gives the same view at every size, and the same bytes on any number of cores.
/// @param width, height in pixels, 0 to 2^20  @param channels 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA; alpha
/// falls smoothly from the middle to the corners
/// @return uint8 of shape (height, width, channels)
/// @throws std::invalid_argument for another size or number of channels
HostArray photograph_like_scene(std::int64_t width, std::int64_t height, int channels, std::uint64_t seed);

}  // namespace warplab
