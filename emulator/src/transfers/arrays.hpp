#pragma once

#include <cuda_runtime_api.h>

#include "emulator/src/device_functions/textures.hpp"

/// An array of one to three dimensions, or of layers. Its rows follow each other without gaps.
struct cudaArray {
  warplab::emulator::Elements elements;
  unsigned flags = 0;
};

namespace warplab::emulator {

/// Whether a format is one that textures and surfaces have: 1, 2 or 4 channels alike, of 8, 16 or 32 bits.
bool is_valid(const cudaChannelFormatDesc& format);

/// The array of a handle, if it is one that is not freed; explains why not.
const cudaArray* find_array(const char* function, cudaArray_const_t array);

/// How large CUDA's arrays are at most: of layers, or of as many dimensions as the extent has.
cudaExtent largest_array(const cudaExtent& extent, bool is_layered);

/// The array in whose elements an address is, or null.
cudaArray* array_around(const void* address);

/// A part of an array: `x` and `width` in bytes.
struct ArrayBox {
  std::size_t x, y, z, width, height, depth;
};
/// Its first byte, or null where it leaves the array, which is explained.
char* begin_of(const char* function, const cudaArray& array, const ArrayBox& box);

}  // namespace warplab::emulator
