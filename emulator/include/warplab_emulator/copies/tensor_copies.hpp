#pragma once

#include "warplab_emulator/block/cluster.hpp"
#include "warplab_emulator/copies/bulk_copies.hpp"
#include "warplab_emulator/ptx/ptx_async.hpp"

// Bulk copies of tensors, as cp.async.bulk.tensor makes them: a box of a tensor that a tensor map describes
// (cuda.h), as one run of shared memory.

namespace warplab::emulator {

/// The box that begins at these coordinates, the one along which elements lie together first.
struct TensorBox {
  const void* map;
  unsigned rank;  ///< that the instruction says
  int begin[5];
};

/// Checks the box, and stages its image for the next bulk load to `to`: swizzled as for that place, with
/// zeros or NaNs for what is outside the tensor. @return its bytes
std::size_t stage_tensor(const TensorBox& box, const void* to, const Site& site);
/// Takes note of a store of the box, as issue_bulk_store() does. What is outside the tensor is not written.
/// @param operation how it is combined with the tensor's elements, whose type the map knows
void issue_tensor_store(const TensorBox& box, const void* from_shared, BulkOperation operation,
                        const Site& site);
/// Checks the box, and has no other effect.
void prefetch_tensor(const TensorBox& box, const Site& site);

}  // namespace warplab::emulator

namespace warplab::emulator::ptx {

WARPLAB_PTX void cp_async_bulk_tensor_load(char* to, const TensorBox& box, char* barrier, const Site& site) {
  const std::size_t bytes = stage_tensor(box, to, site);
  issue_staged_load(reinterpret_cast<std::byte*>(to), bytes, barrier_at(barrier, site), false, site);
}
/// The same into the blocks of the cluster whose bits are set in `ranks`, each at the place that `to` and
/// `barrier` have in the caller's.
WARPLAB_PTX void cp_async_bulk_tensor_multicast(char* to, const TensorBox& box, char* barrier,
                                                unsigned short ranks, const Site& site) {
  const std::size_t bytes = stage_tensor(box, to, site);
  for (unsigned rank = 0; rank < 16; ++rank)
    if (ranks >> rank & 1u)
      issue_staged_load(
          static_cast<std::byte*>(shared_of_rank(to, rank, site)), bytes,
          static_cast<unsigned long long*>(shared_of_rank(barrier_at(barrier, site), rank, site)),
          ranks >> rank != 1, site);
}
WARPLAB_PTX void cp_async_bulk_tensor_store(const TensorBox& box, const char* from, BulkOperation operation,
                                            const Site& site) {
  issue_tensor_store(box, from, operation, site);
}

}  // namespace warplab::emulator::ptx
