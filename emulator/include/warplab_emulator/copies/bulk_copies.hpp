#pragma once

#include <cstddef>

#include "warplab_emulator/block/thread.hpp"
#include "warplab_emulator/copies/async_copies.hpp"

// Bulk copies, as the instruction cp.async.bulk makes them: one thread moves any number of bytes between
// shared memory and other memory. Those into shared memory are waited for at a barrier that counts bytes
// (phase_barrier.hpp), those out of it in groups of the thread that issued them.

namespace warplab::emulator {

/// What a bulk copy does with each number at its destination.
enum class BulkOperation { store, add, min, max, bit_and, bit_or, bit_xor, increment, decrement };
enum class BulkType { b32, u32, s32, b64, u64, s64, f16, bf16, f32, f64 };
struct BulkReduction {
  BulkOperation operation = BulkOperation::store;
  BulkType type = BulkType::b32;
};

// --- Into shared memory. `to` and the barrier are in one block of the cluster, not always the caller's. ---

/// Takes `bytes` bytes that have been read already. `to` holds poison until the barrier's phase ends.
void issue_bulk_load(std::byte* to, const std::byte* data, std::size_t bytes, unsigned long long* barrier,
                     const Site& site);
/// From shared memory, which is read when the phase ends. A reduction combines the numbers with those there.
void issue_bulk_transfer(std::byte* to, const std::byte* from_shared, std::size_t bytes,
                         unsigned long long* barrier, BulkReduction reduction, const Site& site);

/// Reads bytes of global memory, which the lens counts in sectors; the next bulk load takes them.
void stage_global(const void* from, std::size_t bytes, const Site& site);
/// issue_bulk_load of what has been staged. With `keep` the next one takes the same bytes: a multicast.
void issue_staged_load(std::byte* to, std::size_t bytes, unsigned long long* barrier, bool keep,
                       const Site& site);

// --- Out of shared memory ---

/// A part of a store: `bytes` bytes, at `offset` from where the source begins.
struct BulkPiece {
  std::byte* to;
  std::size_t offset, bytes;
};
/// Takes note of a store of the pieces. Shared memory is read, and global memory written, when the thread
/// waits for the group, and not before.
/// @param bytes that the source takes in all
void issue_bulk_store(const BulkPiece* pieces, std::size_t count, const std::byte* from_shared,
                      std::size_t bytes, BulkReduction reduction, const Site& site);
/// Closes the group of the stores issued since the last one.
void commit_bulk_stores();
/// Waits for all groups but the last `but`: until their sources are read, or until all is written.
void await_bulk_stores(std::size_t but, bool only_reads);

// --- What the caller of these checks first ---

/// Ends the kernel with the line unless the bytes are in one allocation of the device,
/// which may be written if `writes`.
void require_global(const void* address, std::size_t bytes, bool writes, const Site& site);
/// The same for the shared memory of a block of the cluster.
void require_shared(const void* address, std::size_t bytes, const Site& site);
/// Ends the kernel unless the size and both addresses are multiples of 16.
void require_bulk_alignment(const void* to, const void* from, std::size_t bytes, const Site& site);

// --- Proxies: bulk copies and tensor cores reach shared memory by another way than loads and stores ---

/// fence.proxy.async: what the thread has stored may be read by the asynchronous proxy.
void fence_async_proxy() noexcept;
/// Reports, where the lens watches, bytes of shared memory that ordinary stores have written and no such
/// fence has followed; and a race with them.
void check_async_proxy_read(const void* address, std::size_t bytes, const Site& site);

}  // namespace warplab::emulator
