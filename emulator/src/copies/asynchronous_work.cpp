#include "emulator/src/copies/asynchronous_work.hpp"

#include <cuda_runtime_api.h>

#include <cstring>
#include <utility>

#include "emulator/src/block/worker.hpp"
#include "emulator/src/copies/bulk_reduction.hpp"
#include "warplab_emulator/ptx/ptx_warp.hpp"

namespace warplab::emulator {
namespace {

bool overlap(const std::byte* a, std::size_t a_bytes, const std::byte* b, std::size_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

}  // namespace

AsynchronousWork& asynchronous_work_of(Worker& worker) {
  if (worker.copies == nullptr) worker.copies = std::make_unique<AsynchronousWork>();
  return *find_asynchronous_work(worker);
}

AsynchronousWork* find_asynchronous_work(const Worker& worker) {
  return static_cast<AsynchronousWork*>(worker.copies.get());
}

AsynchronousWork::Thread& AsynchronousWork::of_this_thread() {
  const unsigned thread = ptx::thread_rank();
  if (threads_.size() <= thread) threads_.resize(1024);
  return threads_[thread];
}

AsynchronousWork::Thread* AsynchronousWork::known_of_this_thread() {
  return threads_.empty() ? nullptr : &of_this_thread();
}

AsynchronousWork::Barrier* AsynchronousWork::known_barrier(const void* barrier) {
  const auto found = barriers_.find(barrier);
  return found == barriers_.end() ? nullptr : &found->second;
}

void AsynchronousWork::clear() {
  threads_.clear();
  barriers_.clear();
  staged.clear();
}

void AsynchronousWork::land(Copies& copies) {
  for (const Copy& copy : copies) std::memcpy(copy.to, copy.data, copy.bytes);
  copies.clear();
}

const AsynchronousWork::BulkLoad* AsynchronousWork::load_into(const void* address, std::size_t bytes) const {
  const auto* const begin = static_cast<const std::byte*>(address);
  for (const auto& [key, barrier] : barriers_)
    for (const BulkLoad& load : barrier.bulk)
      if (overlap(load.to, load.bytes, begin, bytes)) return &load;
  return nullptr;
}

bool AsynchronousWork::copies_into(const void* address, std::size_t bytes) const {
  const auto* const begin = static_cast<const std::byte*>(address);
  const auto any = [&](const Copies& copies) {
    return std::any_of(copies.begin(), copies.end(),
                       [&](const Copy& copy) { return overlap(copy.to, copy.bytes, begin, bytes); });
  };
  for (const Thread& thread : threads_)
    if (any(thread.open) || std::any_of(thread.groups.begin(), thread.groups.end(), any)) return true;
  return std::any_of(barriers_.begin(), barriers_.end(),
                     [&](const auto& entry) { return any(entry.second.bound); });
}

const AsynchronousWork::BulkStore* AsynchronousWork::store_from(const void* address,
                                                                std::size_t bytes) const {
  const auto* const begin = static_cast<const std::byte*>(address);
  for (const Thread& thread : threads_) {
    for (const BulkStore& store : thread.open_stores)
      if (overlap(store.from, store.bytes, begin, bytes)) return &store;
    for (const BulkStores& group : thread.store_groups)
      for (const BulkStore& store : group)
        if (!store.is_read && overlap(store.from, store.bytes, begin, bytes)) return &store;
  }
  return nullptr;
}

void AsynchronousWork::BulkLoad::land() const {
  reduce_into(to, from != nullptr ? from : data.data(), bytes, reduction);
}

void AsynchronousWork::BulkStore::read() {
  if (std::exchange(is_read, true)) return;
  data.assign(from, from + bytes);
}

void AsynchronousWork::BulkStore::write() {
  read();
  for (const BulkPiece& piece : pieces)
    reduce_into(piece.to, data.data() + piece.offset, piece.bytes, reduction);
}

void AsynchronousWork::note_return(int left) {
  if (left != 0) return;
  for (Thread& thread : threads_) {
    thread.store_groups.push_back(std::move(thread.open_stores));
    for (BulkStores& group : thread.store_groups)
      for (BulkStore& store : group) store.write();
    thread.open_stores.clear();
    thread.store_groups.clear();
  }
  for (const auto& [barrier, copies] : barriers_)
    if (!copies.bulk.empty()) {
      const BulkLoad& load = copies.bulk.front();
      device_fault_at(load.site, cudaErrorLaunchFailure,
                      "%s at %s:%d: the block has ended while the copy of %zu bytes into its shared memory "
                      "may still be under way; wait for its barrier",
                      load.site.what, load.site.file, load.site.line, load.bytes);
    }
}

}  // namespace warplab::emulator
