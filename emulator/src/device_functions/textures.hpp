#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace warplab::emulator {

/// What a texture or a surface reads: rows of elements, in layers.
struct Elements {
  char* data = nullptr;
  std::size_t width = 0, height = 0;  ///< in elements; a height of 0: it has one dimension
  std::size_t pitch = 0;              ///< bytes from row to row
  cudaChannelFormatDesc format = {};
  std::size_t depth = 0;    ///< of three dimensions, or the number of layers; otherwise 0
  bool is_layered = false;  ///< its layers have an index each, and nothing between them

  std::size_t rows() const { return height > 0 ? height : 1; }
  std::size_t layers() const { return depth > 0 ? depth : 1; }
  /// Bytes from layer to layer, between which there is no gap.
  std::size_t layer_bytes() const { return pitch * rows(); }
};

/// A texture of global memory, an array, or rows in global memory.
struct Texture {
  Elements elements;
  bool is_linear = false;  ///< tex1Dfetch reads it, and nothing else
  cudaTextureDesc description = {};
  cudaResourceDesc resource = {};  ///< what it was made of
};

/// The elements of an array.
struct Surface {
  Elements elements;
  cudaResourceDesc resource = {};
};

int channels_of(const cudaChannelFormatDesc& format);
std::size_t bytes_of(const cudaChannelFormatDesc& format);

// Kernels that run find these objects. They are made and destroyed while no kernel runs. Handles are from 1
// and never given out twice.
cudaTextureObject_t add_texture(const Texture& texture);
cudaSurfaceObject_t add_surface(const Surface& surface);
/// Null if there is none, or no more.
const Texture* find_texture(cudaTextureObject_t texture);
const Surface* find_surface(cudaSurfaceObject_t surface);
void remove_texture(cudaTextureObject_t texture);
void remove_surface(cudaSurfaceObject_t surface);

}  // namespace warplab::emulator
