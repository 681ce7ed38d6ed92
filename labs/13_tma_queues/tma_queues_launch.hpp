#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/device_attribute.hpp"
#include "common/launch_shape.hpp"
#include "common/vector16.hpp"
#include "tma_queues.hpp"
#include "tma_queues_shape.hpp"

// What the launchers of lab 13 check, and the grids that they choose. Host code.

/// Refuses a device without bulk copies. @throws std::invalid_argument
inline void tma_queues_check_device() {
  const int major = warplab::device_attribute(cudaDevAttrComputeCapabilityMajor);
  if (major < 9)
    warplab::refuse("this device has compute capability ", major, ".",
                    warplab::device_attribute(cudaDevAttrComputeCapabilityMinor),
                    " and no tensor memory accelerator, which came with 9.0; use ring_cp_async");
}

/// Refuses a size that no queue has. @throws std::invalid_argument
inline void tma_queues_check_shape(QueueShape shape, std::int64_t length) {
  const auto [tile, slots, blocks] = shape;
  if (blocks < 0)
    warplab::refuse(blocks, " blocks per multiprocessor; there must be 1 or more, or 0 for all");
  if (slots < 1 || slots > tma_queues_max_slots)
    warplab::refuse("a queue of ", slots, " slots: it must have 1 to ", tma_queues_max_slots);
  if (tile < 1 || tile > tma_queues_max_tile)
    warplab::refuse("a tile of ", tile, " elements: it must have 4 to ", tma_queues_max_tile);
  if (tile % 4 != 0)
    warplab::refuse("a tile of ", tile, " elements is ", 4 * tile,
                    " bytes, and copies take multiples of 16: use a multiple of 4");
  if (slots > 1 && std::int64_t{slots - 1} * tile >= length)
    warplab::refuse("a queue of ", slots, " slots of ", tile,
                    " elements is longer than its vector, which has ", length,
                    ": use fewer or smaller slots");
}

/// Refuses addresses and rows that copies of 16 bytes cannot take. @throws std::invalid_argument
template <class Work>
void tma_queues_check_addresses(const Work& work) {
  const void* const arrays[] = {work.a, work.b, work.z};
  for (const void* array : arrays)
    if (!warplab::starts_at_16_bytes(array))
      warplab::refuse("an array does not start at a multiple of 16 bytes, which copies of 16 bytes need");
  if constexpr (Work::is_matrix)
    if (work.leading % 4 != 0)
      warplab::refuse("rows ", work.leading, " elements apart do not all start at multiples of 16 bytes");
}

/// Refuses what the rung stencil does not take. @throws std::invalid_argument
inline void tma_queues_check_stencil(const StencilWork& work, QueueShape shape) {
  constexpr std::int64_t most = 2147483647 - 256;  // a box's coordinates are 32-bit numbers
  warplab::check_size("rows", work.rows);
  warplab::check_size("cols", work.cols);
  if (work.rows > most || work.cols > most)
    warplab::refuse("a matrix of ", work.rows, "x", work.cols, " has more than ", most, " rows or columns");
  if (shape.slots < 1 || shape.slots > tma_queues_max_slots)
    warplab::refuse("a queue of ", shape.slots, " slots: it must have 1 to ", tma_queues_max_slots);
  if (!warplab::starts_at_16_bytes(work.a) || work.leading % 4 != 0)
    warplab::refuse("rows ", work.leading, " elements apart do not all start at multiples of 16 bytes");
}

/// Allows a kernel this much dynamic shared memory. @throws std::invalid_argument where no block has as much
template <class Kernel>
void tma_queues_allow_shared(Kernel kernel, QueueShape shape, std::size_t bytes) {
  cudaFuncAttributes own{};  // a kernel's barriers, where it declares them, are static
  CUDA_CHECK(cudaFuncGetAttributes(&own, kernel));
  const std::size_t all =
      static_cast<std::size_t>(warplab::device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  const std::size_t most = all - own.sharedSizeBytes;
  if (bytes > most)
    warplab::refuse("queues of ", shape.slots, " slots of ", shape.tile, " elements take ", bytes,
                    " bytes of shared memory, and a block of this device has ", most, " for them");
  CUDA_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
}

/// How many blocks of a kernel the device runs at a time. @param most per multiprocessor; 0: as many as fit
template <class Kernel>
std::int64_t tma_queues_resident_blocks(Kernel kernel, int threads, std::size_t shared_bytes, int most) {
  int per_processor = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel, threads, shared_bytes));
  if (most > 0) per_processor = std::min(per_processor, most);
  return std::int64_t{per_processor} * warplab::multiprocessors();
}

/// Queues a kernel whose blocks go on from run to run: as many as the device runs at a time.
/// @param plan what the kernel takes beside the work @param shared_bytes of dynamic shared memory
template <class Work, class Plan>
void tma_queues_launch(void (*kernel)(Work, Plan), const Work& work, const Plan& plan, QueueShape shape,
                       int threads, std::size_t shared_bytes, cudaStream_t stream) {
  tma_queues_check_addresses(work);
  tma_queues_allow_shared(kernel, shape, shared_bytes);
  if (!work.prepare(stream)) return;
  const std::int64_t room = tma_queues_resident_blocks(kernel, threads, shared_bytes, shape.blocks);
  const std::int64_t blocks = std::clamp<std::int64_t>(room / work.groups(), 1, work.runs(shape.tile));
  kernel<<<warplab::grid_of(blocks, work.groups()), static_cast<unsigned>(threads), shared_bytes, stream>>>(
      work, plan);
  CUDA_CHECK_LAUNCH();
}
