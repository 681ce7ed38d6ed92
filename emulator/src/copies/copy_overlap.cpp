#include "emulator/src/copies/copy_overlap.hpp"

#include <algorithm>
#include <utility>

#include "emulator/src/block/worker.hpp"

namespace warplab::emulator {

void CopyOverlap::start(const Started& copies) {
  BlockObserver* const observer = running_worker()->observer.get();
  if (observer == nullptr) return;  // nobody asks, and nothing is ever under way
  under_way_.push_back(copies);
  if (copies.bytes == 0) return;
  if (std::exchange(has_waited_, false)) {
    observer->note_copies_under_way(most_, bytes_);
    most_ = 0;
  }
  bytes_ += copies.bytes;
  most_ = std::max(most_, bytes_);
}

void CopyOverlap::land(std::size_t count) {
  const std::uint64_t before = bytes_;
  for (std::size_t i = 0; i < count; ++i) bytes_ -= under_way_[i].bytes;
  under_way_.erase(under_way_.begin(), under_way_.begin() + static_cast<std::ptrdiff_t>(count));
  has_waited_ |= bytes_ != before;
}

void CopyOverlap::start_group(std::uint64_t bytes) { start({nullptr, 0, bytes}); }

void CopyOverlap::start_bound(std::uint64_t bytes, const void* barrier, unsigned parity) {
  await_barrier(barrier, parity);
  start({barrier, parity, bytes});
}

void CopyOverlap::bind_groups(const void* barrier, unsigned parity) {
  await_barrier(barrier, parity);
  for (Started& copies : under_way_)
    if (copies.barrier == nullptr) copies.barrier = barrier, copies.parity = parity;
}

void CopyOverlap::await_groups(std::size_t count) {
  std::size_t landed = 0;
  for (std::size_t i = 0; i < under_way_.size() && count > 0; ++i)
    if (under_way_[i].barrier == nullptr) landed = i + 1, --count;
  land(landed);
}

void CopyOverlap::await_barrier(const void* barrier, unsigned parity) {
  std::size_t landed = 0;
  for (std::size_t i = 0; i < under_way_.size(); ++i)
    if (under_way_[i].barrier == barrier && under_way_[i].parity != parity) landed = i + 1;
  land(landed);
}

}  // namespace warplab::emulator
