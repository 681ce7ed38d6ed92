// Adds up the mixed words of an array, in any order: each word is mixed with its index, one to one.
#include <algorithm>

#include "common/checksum_kernel.hpp"
#include "common/cuda_check.hpp"
#include "common/device_attribute.hpp"
#include "common/device_buffer.hpp"

namespace warplab {
namespace {

constexpr int threads = 256;
constexpr int blocks_per_processor = 8;

/// A bijection of 64-bit words that changes about half of the bits for each bit changed.
/// Source: the finalizer of SplitMix64 (Steele, Lea, Flood, 2014).
__device__ std::uint64_t mixed(std::uint64_t word) {
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9ull;
  word = (word ^ word >> 27) * 0x94D049BB133111EBull;
  return word ^ word >> 31;
}

__device__ std::uint64_t term(std::uint64_t word, std::size_t index) {
  return mixed(word + (index + 1) * 0x9E3779B97F4A7C15ull);
}

/// @param bytes starts at a multiple of 8; what fills no word at its end is padded with zeros
__global__ void checksum_kernel(const unsigned char* bytes, std::size_t count, unsigned long long* sum) {
  const auto* const words = reinterpret_cast<const unsigned long long*>(bytes);
  const std::size_t whole = count / sizeof(std::uint64_t);
  const std::size_t stride = std::size_t(gridDim.x) * threads;
  const std::size_t first = std::size_t(blockIdx.x) * threads + threadIdx.x;
  std::uint64_t total = 0;
  for (std::size_t i = first; i < whole; i += stride) total += term(words[i], i);
  if (first == 0 && count > whole * sizeof(std::uint64_t)) {
    std::uint64_t last = 0;
    for (std::size_t i = whole * sizeof(std::uint64_t); i < count; ++i) last = last << 8 | bytes[i];
    total += term(last, whole);
  }
  for (int distance = 16; distance > 0; distance /= 2)
    total += __shfl_down_sync(0xffffffffu, total, unsigned(distance));
  if (threadIdx.x % 32 == 0) atomicAdd(sum, static_cast<unsigned long long>(total));
}

}  // namespace

std::uint64_t checksum_of(const void* memory, std::size_t bytes, cudaStream_t stream) {
  // Up to seven bytes before the first whole word are added on the host.
  const auto* begin = static_cast<const unsigned char*>(memory);
  const std::size_t before = std::min((8 - reinterpret_cast<std::uintptr_t>(begin) % 8) % 8, bytes);
  std::uint64_t head = 0;
  if (before) CUDA_CHECK(cudaMemcpyAsync(&head, begin, before, cudaMemcpyDeviceToHost, stream));
  const DeviceBuffer sum(sizeof(unsigned long long), DeviceBuffer::Guards::none);
  CUDA_CHECK(cudaMemsetAsync(sum.data(), 0, sum.size_bytes(), stream));
  checksum_kernel<<<unsigned(multiprocessors() * blocks_per_processor), threads, 0, stream>>>(
      begin + before, bytes - before, static_cast<unsigned long long*>(sum.data()));
  CUDA_CHECK_LAUNCH();
  unsigned long long total = 0;
  CUDA_CHECK(cudaMemcpyAsync(&total, sum.data(), sizeof total, cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return total + head * 0xD6E8FEB86659FD93ull;  // odd: one to one
}

}  // namespace warplab
