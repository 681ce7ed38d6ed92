#include "emulator/src/copies/bulk_copies.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "emulator/src/base/isolation.hpp"
#include "emulator/src/block/worker.hpp"
#include "emulator/src/copies/bulk_reduction.hpp"
#include "emulator/src/memory/memory.hpp"
#include "warplab_emulator/copies/bulk_copies.hpp"
#include "warplab_emulator/copies/phase_barrier.hpp"

namespace warplab::emulator {
namespace {

// The bytes land when the phase ends. Who waits for that looks again.
void complete_later(Worker& home, unsigned long long* barrier, AsynchronousWork::BulkLoad load) {
  const Site site = load.site;
  complete_bytes(barrier, 0, site);  // it must be a barrier
  find_asynchronous_work(home)->of_barrier(barrier).bulk.push_back(std::move(load));
  wake_waiters(home, barrier);
}

void issue_load(AsynchronousWork::BulkLoad load, unsigned long long* barrier, const void* code) {
  const Site& site = load.site;
  require_shared(load.to, load.bytes, site);
  Worker& home = *owner_of_shared(load.to);
  if (owner_of_shared(barrier) != &home)
    device_fault_at(site, cudaErrorIllegalAddress,
                    "%s at %s:%d: the barrier is not in the shared memory of the block that the bytes go to",
                    site.what, site.file, site.line);
  isolation::permit(load.to, load.bytes, true);
  AsynchronousWork& work = asynchronous_work_of(home);
  const bool combines = load.reduction.operation != BulkOperation::store;
  const AsynchronousWork::BulkLoad* const other = work.load_into(load.to, load.bytes);
  if (other != nullptr && !(combines && other->reduction.operation == load.reduction.operation))
    device_fault_at(site, cudaErrorLaunchFailure,
                    "%s at %s:%d: the %zu bytes go where the copy at %s:%d, which nobody has waited for, "
                    "still writes; wait for its barrier first",
                    site.what, site.file, site.line, load.bytes, other->site.file, other->site.line);
  if (BlockObserver* const observer = running_worker()->observer.get()) {
    observer->bulk_access(load.to, load.bytes, true, code);
    observer->release(barrier);
  }
  if (!combines) poison(load.to, load.bytes);
  complete_later(home, barrier, std::move(load));
}

// What the store reads: of a tensor's box no more than lies inside the tensor.
void observe_source(BlockObserver& observer, const AsynchronousWork::BulkStore& store) {
  for (const BulkPiece& piece : store.pieces)
    observer.bulk_access(store.from + piece.offset, piece.bytes, false, store.code);
}

// What it writes: pieces that follow one another in global memory are one line.
void observe_destination(BlockObserver& observer, const AsynchronousWork::BulkStore& store) {
  const bool combines = store.reduction.operation != BulkOperation::store;
  for (auto first = store.pieces.begin(); first != store.pieces.end();) {
    std::size_t bytes = first->bytes;
    auto next = std::next(first);
    for (; next != store.pieces.end() && next->to == first->to + bytes; ++next) bytes += next->bytes;
    observer.bulk_store(first->to, bytes, combines, store.code);
    first = next;
  }
}

AsynchronousWork::Thread& stores_of_this_thread() {
  return asynchronous_work_of(*running_worker()).of_this_thread();
}

}  // namespace

// --- Into shared memory ---

void issue_bulk_load(std::byte* to, const std::byte* data, std::size_t bytes, unsigned long long* barrier,
                     const Site& site) {
  require_shared(to, bytes, site);
  isolation::permit(data, bytes, false);
  if (BlockObserver* const observer = running_worker()->observer.get())
    observer->copy_write(to, bytes, nullptr, caller_code(__builtin_return_address(0)));
  issue_load({to, bytes, {data, data + bytes}, nullptr, site}, barrier,
             caller_code(__builtin_return_address(0)));
}

void issue_bulk_transfer(std::byte* to, const std::byte* from_shared, std::size_t bytes,
                         unsigned long long* barrier, BulkReduction reduction, const Site& site) {
  require_shared(from_shared, bytes, site);
  isolation::permit(from_shared, bytes, false);
  if (BlockObserver* const observer = running_worker()->observer.get())
    observer->bulk_access(from_shared, bytes, false, caller_code(__builtin_return_address(0)));
  issue_load({to, bytes, {}, from_shared, site, reduction}, barrier,
             caller_code(__builtin_return_address(0)));
}

void stage_global(const void* from, std::size_t bytes, const Site& site) {
  require_global(from, bytes, false, site);
  isolation::permit(from, bytes, false);
  if (BlockObserver* const observer = running_worker()->observer.get())
    observer->tensor_load(from, bytes, 0, caller_code(__builtin_return_address(0)));
  std::vector<std::byte>& staged = asynchronous_work_of(*running_worker()).staged;
  const auto* const begin = static_cast<const std::byte*>(from);
  staged.insert(staged.end(), begin, begin + bytes);
}

void issue_staged_load(std::byte* to, std::size_t bytes, unsigned long long* barrier, bool keep,
                       const Site& site) {
  std::vector<std::byte>& staged = asynchronous_work_of(*running_worker()).staged;
  AsynchronousWork::BulkLoad load{to, std::min(bytes, staged.size()), {}, nullptr, site};
  if (keep)
    load.data = staged;
  else
    load.data = std::exchange(staged, {});
  issue_load(std::move(load), barrier, caller_code(__builtin_return_address(0)));
}

// --- Out of shared memory ---

void issue_bulk_store(const BulkPiece* pieces, std::size_t count, const std::byte* from_shared,
                      std::size_t bytes, BulkReduction reduction, const Site& site) {
  isolation::permit(pieces, count * sizeof *pieces, false);
  add_bulk_store({{pieces, pieces + count},
                  from_shared,
                  bytes,
                  reduction,
                  site,
                  caller_code(__builtin_return_address(0)),
                  {}});
}

void add_bulk_store(AsynchronousWork::BulkStore store) {
  const Site& site = store.site;
  require_shared(store.from, store.bytes, site);
  isolation::permit(store.from, store.bytes, false);
  for (const BulkPiece& piece : store.pieces) {
    if (piece.offset > store.bytes || piece.bytes > store.bytes - piece.offset)
      device_fault_at(site, cudaErrorIllegalAddress, "%s at %s:%d: a piece lies beyond the source", site.what,
                      site.file, site.line);
    require_global(piece.to, piece.bytes, true, site);
    isolation::permit(piece.to, piece.bytes, true);
  }
  if (BlockObserver* const observer = running_worker()->observer.get()) {
    observe_source(*observer, store);
    observe_destination(*observer, store);
  }
  stores_of_this_thread().open_stores.push_back(std::move(store));
}

void commit_bulk_stores() {
  AsynchronousWork::Thread& thread = stores_of_this_thread();
  thread.store_groups.push_back(std::move(thread.open_stores));
  thread.open_stores.clear();
}

void await_bulk_stores(std::size_t but, bool only_reads) {
  AsynchronousWork::Thread& thread = stores_of_this_thread();
  const std::size_t groups = thread.store_groups.size();
  const std::size_t ready = groups > but ? groups - but : 0;
  for (std::size_t i = 0; i < ready; ++i)
    for (AsynchronousWork::BulkStore& store : thread.store_groups[i]) {
      if (BlockObserver* const observer = running_worker()->observer.get();
          observer != nullptr && !store.is_read)
        observe_source(*observer, store);
      store.read();
      if (!only_reads) store.write();
    }
  // What has been read may be written at any time. A thread that never waits for the
  // writes does not keep all of it.
  constexpr std::size_t max_kept = 64;
  const std::size_t done = only_reads ? (ready > max_kept ? ready - max_kept : 0) : ready;
  if (only_reads)
    for (std::size_t i = 0; i < done; ++i)
      for (AsynchronousWork::BulkStore& store : thread.store_groups[i]) store.write();
  thread.store_groups.erase(thread.store_groups.begin(),
                            thread.store_groups.begin() + static_cast<std::ptrdiff_t>(done));
}

// --- Checks ---

void require_global(const void* address, std::size_t bytes, bool writes, const Site& site) {
  if (bytes == 0) return;
  const std::optional<Allocation> known = find_allocation(address);
  const auto* const begin = static_cast<const char*>(address);
  if (known && bytes <= known->bytes - static_cast<std::size_t>(begin - known->data)) {
    if (known->space == Space::device) open_for_device(address);
    return;
  }
  const char* const last = begin + bytes - 1;
  device_fault_at(site, cudaErrorIllegalAddress, "%s at %s:%d: %s %zu bytes at %p, the last of which is %s",
                  site.what, site.file, site.line, writes ? "writes" : "reads", bytes, address,
                  describe_address(last).c_str());
}

void require_shared(const void* address, std::size_t bytes, const Site& site) {
  const Worker* const owner = owner_of_shared(address);
  if (owner == nullptr)
    device_fault_at(site, cudaErrorIllegalAddress, "%s at %s:%d: %p is not in shared memory, but %s",
                    site.what, site.file, site.line, address, describe_address(address).c_str());
  if (owner->shared.is_closed())
    device_fault_at(
        site, cudaErrorIllegalAddress,
        "%s at %s:%d: the block of rank %u, to whose shared memory this goes, has ended; the blocks "
        "of a cluster wait for each other before they end (cluster.sync())",
        site.what, site.file, site.line, owner->cluster->rank_of(*owner));
  if (!owner->shared.holds(address, bytes))
    device_fault_at(site, cudaErrorIllegalAddress,
                    "%s at %s:%d: the %zu bytes do not fit into the block's shared memory from there on",
                    site.what, site.file, site.line, bytes);
}

void require_bulk_alignment(const void* to, const void* from, std::size_t bytes, const Site& site) {
  if (bytes == 0 || bytes % 16 != 0)
    device_fault_at(site, cudaErrorInvalidValue,
                    "%s at %s:%d: %zu bytes; the size must be a multiple of 16, and not 0", site.what,
                    site.file, site.line, bytes);
  for (const void* const address : {to, from})
    if (reinterpret_cast<std::uintptr_t>(address) % 16 != 0)
      device_fault_at(site, cudaErrorMisalignedAddress, "%s at %s:%d: the %s %p is not a multiple of 16",
                      site.what, site.file, site.line, address == to ? "destination" : "source", address);
}

// --- Proxies ---

void fence_async_proxy() noexcept {
  if (BlockObserver* const observer = running_worker()->observer.get()) observer->fence_async_proxy();
}

void check_async_proxy_read(const void* address, std::size_t bytes, const Site& site) {
  require_shared(address, bytes, site);
  if (BlockObserver* const observer = running_worker()->observer.get())
    observer->bulk_access(address, bytes, false, caller_code(__builtin_return_address(0)));
}

}  // namespace warplab::emulator
