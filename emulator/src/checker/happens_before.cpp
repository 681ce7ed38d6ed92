#include "emulator/src/checker/happens_before.hpp"

#include <algorithm>

namespace warplab::emulator::lens {
namespace {

// Entries of both, with the larger count of each object.
AcquiredPtr merge(const AcquiredPtr& a, const AcquiredPtr& b) {
  if (!a || a == b) return b;
  if (!b) return a;
  auto both = std::make_shared<Acquired>(*a);
  std::unordered_map<std::uint32_t, std::size_t> place;
  for (std::size_t i = 0; i < both->entries.size(); ++i) place[both->entries[i].object] = i;
  for (const Acquired::Entry& entry : b->entries) {
    const auto [found, is_new] = place.try_emplace(entry.object, both->entries.size());
    if (is_new)
      both->entries.push_back(entry);
    else
      both->entries[found->second].count = std::max(both->entries[found->second].count, entry.count);
  }
  return both;
}

bool covers(const ClockSnapshot& snapshot, const AccessStamp& stamp) {
  if (snapshot.block != stamp.block()) return false;
  if (snapshot.threads) return stamp.tick <= (*snapshot.threads)[stamp.thread()];
  if (stamp.tick < snapshot.block_start) return true;
  if (stamp.thread() == snapshot.thread) return stamp.tick <= snapshot.tick;
  if (stamp.warp() != snapshot.thread / 32) return false;
  return stamp.tick < snapshot.warp_start ||
         (snapshot.lanes && stamp.tick <= (*snapshot.lanes)[stamp.thread() % 32]);
}

}  // namespace

void VectorClocks::begin(std::uint32_t block, unsigned threads) {
  block_ = block;
  threads_ = threads;
  now_ = start_ = 1;
  ticks_.assign(threads, 1);
  warp_start_.assign((threads + 31) / 32, 1);
  lanes_.clear();
  syncs_.clear();
  acquired_ = nullptr;
  block_fence_ = nullptr;
  any_acquired_ = any_fence_ = false;
}

void VectorClocks::block_barrier() {
  if (any_acquired_)
    for (Sync& sync : syncs_) {
      acquired_ = merge(acquired_, sync.acquired);
      sync.acquired = nullptr;
    }
  if (any_fence_) join_fences();
  any_acquired_ = any_fence_ = false;
  start_ = ++now_;
  std::fill(warp_start_.begin(), warp_start_.end(), start_);
}

// Each thread's writes before its own fence are known to the device; after the barrier any thread may say so.
void VectorClocks::join_fences() {
  std::vector<Tick> threads(threads_, start_ - 1);
  for (unsigned t = 0; t < threads_; ++t) {
    const ClockSnapshot* const fence = syncs_[t].fence.get();
    if (fence == nullptr || fence->tick < start_) continue;
    threads[t] = std::max(threads[t], fence->tick);
    const unsigned first = t / 32 * 32;
    for (unsigned lane = first; lane < std::min(first + 32, threads_); ++lane)
      threads[lane] = std::max(threads[lane], fence->warp_start - 1);
  }
  ClockSnapshot joined{block_, 0, start_, start_, now_, nullptr, nullptr, acquired_, nullptr};
  joined.threads = std::make_shared<const std::vector<Tick>>(std::move(threads));
  block_fence_ = std::make_shared<const ClockSnapshot>(std::move(joined));
}

std::shared_ptr<const ClockSnapshot> VectorClocks::released_by(unsigned thread) const {
  const Sync* const own = find_sync(thread);
  if (own == nullptr || !own->fence || (block_fence_ && own->fence->tick <= block_fence_->tick))
    return block_fence_;
  return own->fence;
}

void VectorClocks::warp_barrier(unsigned warp, unsigned mask) {
  const unsigned first = warp * 32, count = std::min(32u, threads_ - first);
  const unsigned all = count == 32 ? ~0u : (1u << count) - 1;
  mask &= all;
  if (any_acquired_) {
    AcquiredPtr joined;
    for (unsigned lane = 0; lane < count; ++lane)
      if (mask >> lane & 1u) joined = merge(joined, sync(first + lane).acquired);
    for (unsigned lane = 0; lane < count; ++lane)
      if (mask >> lane & 1u) sync(first + lane).acquired = joined;
  }
  if (mask == all) {
    warp_start_[warp] = ++now_;
    return;
  }
  if (lanes_.empty()) lanes_.assign(threads_, std::vector<Tick>(32, 0));
  std::vector<Tick> joined(32, 0);
  for (unsigned lane = 0; lane < count; ++lane) {
    if (!(mask >> lane & 1u)) continue;
    for (unsigned i = 0; i < 32; ++i) joined[i] = std::max(joined[i], lanes_[first + lane][i]);
    joined[lane] = tick(first + lane);
  }
  ++now_;
  for (unsigned lane = 0; lane < count; ++lane) {
    if (!(mask >> lane & 1u)) continue;
    lanes_[first + lane] = joined;
    ticks_[first + lane] = now_;
  }
}

std::shared_ptr<const ClockSnapshot> VectorClocks::snapshot(unsigned thread) {
  ClockSnapshot snapshot{block_,  thread,    start_, warp_start_[thread / 32], tick(thread), nullptr,
                         nullptr, acquired_, nullptr};
  if (!lanes_.empty()) snapshot.lanes = std::make_shared<const std::vector<Tick>>(lanes_[thread]);
  if (const Sync* const own = find_sync(thread)) snapshot.own = own->acquired;
  ticks_[thread] = ++now_;
  return std::make_shared<const ClockSnapshot>(std::move(snapshot));
}

void VectorClocks::fence(unsigned thread) {
  Sync& own = sync(thread);
  own.fence = snapshot(thread);
  any_fence_ = true;
}

void HappensBefore::release(std::uintptr_t address, std::uint32_t owner,
                            std::shared_ptr<const ClockSnapshot> snapshot) {
  if (is_full()) return;
  const auto [found, is_new] = object_at_.try_emplace(address, static_cast<std::uint32_t>(objects_.size()));
  // The next block's shared memory lies where this one's did: its words are other objects.
  if (!is_new && objects_[found->second].owner != owner)
    found->second = static_cast<std::uint32_t>(objects_.size());
  if (found->second == objects_.size()) objects_.push_back({address, owner, {}});
  auto& releases = objects_[found->second].releases;
  if (!releases.empty() && releases.back() == snapshot) return;
  blocks_[snapshot->block].released = true;
  releases.push_back(std::move(snapshot));
  ++releases_;
}

void HappensBefore::end_block(std::uint32_t owner) {
  if (releases_ < max_releases / 2) return;
  for (Object& object : objects_) {
    if (object.owner != owner || object.releases.empty()) continue;
    releases_ -= object.releases.size();
    object.releases.clear();
    object.releases.shrink_to_fit();
    has_lost_ = true;
  }
}

void HappensBefore::acquire(std::uintptr_t address, std::uint32_t owner, VectorClocks& clock,
                            unsigned thread) {
  const auto found = object_at_.find(address);
  if (found == object_at_.end() || objects_[found->second].owner != owner) return;
  const auto count = static_cast<std::uint32_t>(objects_[found->second].releases.size());
  VectorClocks::Sync& sync = clock.sync(thread);
  if (sync.acquired && sync.acquired->entries.back().object == found->second &&
      sync.acquired->entries.back().count == count)
    return;  // a thread that spins
  std::shared_ptr<Acquired> acquired;
  if (sync.acquired && sync.acquired.use_count() == 1)
    acquired = std::const_pointer_cast<Acquired>(std::exchange(sync.acquired, nullptr));
  else
    acquired = sync.acquired ? std::make_shared<Acquired>(*sync.acquired) : std::make_shared<Acquired>();
  std::erase_if(acquired->entries, [&](const auto& entry) { return entry.object == found->second; });
  acquired->entries.push_back({found->second, count});
  sync.acquired = std::move(acquired);
  clock.note_acquired();
}

bool HappensBefore::known(const AccessStamp& stamp, const VectorClocks& clock, unsigned thread) const {
  Known& before =
      known_[(thread * 61 + clock.block() * 7 + stamp.thread() + stamp.block() * 13) % known_.size()];
  const bool same = before.block == clock.block() && before.thread == thread &&
                    before.of_block == stamp.block() && before.of_thread == stamp.thread();
  if (same && stamp.tick <= before.tick) return true;
  if (!find_path(stamp, clock, thread)) return false;
  before = {clock.block(), thread, stamp.block(), stamp.thread(), stamp.tick};
  return true;
}

// From the newest release back: what is sought is mostly the last that happened to an object.
bool HappensBefore::find_path(const AccessStamp& stamp, const VectorClocks& clock, unsigned thread) const {
  std::vector<Acquired::Entry> open;
  std::unordered_map<std::uint32_t, std::uint32_t> seen;  // objects, and how many releases of each
  const auto add = [&](const AcquiredPtr& acquired) {
    if (!acquired) return;
    for (const Acquired::Entry& entry : acquired->entries)
      if (seen[entry.object] < entry.count) open.push_back(entry);
  };
  add(clock.acquired());
  if (const VectorClocks::Sync* const sync = clock.find_sync(thread)) add(sync->acquired);
  while (!open.empty()) {
    const Acquired::Entry entry = open.back();
    open.pop_back();
    std::uint32_t& done = seen[entry.object];
    const std::uint32_t first = done;
    if (first >= entry.count) continue;
    done = entry.count;
    const auto& releases = objects_[entry.object].releases;
    for (auto i = static_cast<std::uint32_t>(std::min<std::size_t>(entry.count, releases.size()));
         i-- > first;) {
      const ClockSnapshot& snapshot = *releases[i];
      if (covers(snapshot, stamp)) return true;
      if (snapshot.own) add(snapshot.own);
      if (snapshot.of_block) add(snapshot.of_block);
    }
  }
  return false;
}

}  // namespace warplab::emulator::lens
