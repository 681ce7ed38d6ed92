#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>

#include "common/cuda_check.hpp"

/// Device memory that a peer keeps from call to call, as large as was ever asked for.
class PeerMemory {
 public:
  PeerMemory() = default;
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;
  ~PeerMemory() { CUDA_WARN(cudaFree(data_)); }

  /// At least `bytes`; what was in it is lost if it grows.
  template <class T = void>
  T* get(std::size_t bytes) {
    if (bytes > bytes_) {
      CUDA_CHECK(cudaFree(data_));
      data_ = nullptr, bytes_ = 0;
      CUDA_CHECK(cudaMalloc(&data_, bytes));
      bytes_ = bytes;
    }
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// A grid of blocks of 256 threads over `n` elements that stride over what is left.
inline unsigned peer_blocks(long long n) {
  const long long blocks = (n + 255) / 256;
  return static_cast<unsigned>(blocks < 132 * 64 ? blocks : 132 * 64);
}

__device__ inline int peer_clamp(int i, int size) { return i < 0 ? 0 : i < size ? i : size - 1; }
