// The copy that other kernels are compared with: every thread moves four 16-byte vectors, which are
// a whole block apart so that each warp's access is contiguous. Four loads are in flight before the
// first store, enough to cover the memory's latency on current GPUs. The bytes that do not fill a
// vector are left to the last block.
#include <cstdint>
#include <stdexcept>

#include "common/copy_kernel.hpp"
#include "common/cuda_check.hpp"

namespace warplab {
namespace {

constexpr int threads = 256;
constexpr int vectors_per_thread = 4;

__global__ void copy_vectors(const uint4* in, uint4* out, std::size_t vectors, const unsigned char* in_tail,
                             unsigned char* out_tail, int tail_bytes) {
  const std::size_t first = std::size_t(blockIdx.x) * threads * vectors_per_thread + threadIdx.x;
  if (first + (vectors_per_thread - 1) * threads < vectors) {
    uint4 moved[vectors_per_thread];
#pragma unroll
    for (int i = 0; i < vectors_per_thread; ++i) moved[i] = in[first + i * threads];
#pragma unroll
    for (int i = 0; i < vectors_per_thread; ++i) out[first + i * threads] = moved[i];
  } else {
    for (int i = 0; i < vectors_per_thread; ++i)
      if (first + i * threads < vectors) out[first + i * threads] = in[first + i * threads];
  }
  if (blockIdx.x == gridDim.x - 1 && int(threadIdx.x) < tail_bytes)
    out_tail[threadIdx.x] = in_tail[threadIdx.x];
}

}  // namespace

void copy_vectorised(const void* in, void* out, std::size_t bytes, cudaStream_t stream) {
  if (reinterpret_cast<std::uintptr_t>(in) % 16 || reinterpret_cast<std::uintptr_t>(out) % 16)
    throw std::invalid_argument("copy_vectorised needs addresses that are multiples of 16");
  if (bytes == 0) return;
  const std::size_t vectors = bytes / 16;
  const std::size_t per_block = std::size_t(threads) * vectors_per_thread;
  const std::size_t blocks = vectors == 0 ? 1 : (vectors + per_block - 1) / per_block;
  const auto* source = static_cast<const unsigned char*>(in);
  auto* target = static_cast<unsigned char*>(out);
  copy_vectors<<<unsigned(blocks), threads, 0, stream>>>(
      static_cast<const uint4*>(in), static_cast<uint4*>(out), vectors, source + vectors * 16,
      target + vectors * 16, int(bytes % 16));
  CUDA_CHECK_LAUNCH();
}

}  // namespace warplab
