#pragma once

#include <cuda_runtime_api.h>

#include "emulator/src/device_functions/textures.hpp"

/// An array of one dimension (a height of 0) or two. Its rows follow each other without gaps.
struct cudaArray {
  warplab::emulator::Elements elements;
  unsigned flags = 0;
};

namespace warplab::emulator {

/// Whether a format is one that textures and surfaces have: 1, 2 or 4 channels alike, of 8, 16 or 32 bits.
bool is_valid(const cudaChannelFormatDesc& format);

/// The array of a handle, if it is one that is not freed; explains why not.
const cudaArray* find_array(const char* function, cudaArray_const_t array);

}  // namespace warplab::emulator
