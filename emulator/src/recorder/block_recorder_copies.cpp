// Copies that go on while the block does other work, and what tensor cores read.
#include <algorithm>
#include <string>

#include "emulator/src/block/worker.hpp"
#include "emulator/src/checker/mistake_list.hpp"
#include "emulator/src/copies/asynchronous_work.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/recorder/block_recorder.hpp"

namespace warplab::emulator::lens {

// Whether a bulk copy still works on these bytes of shared memory: then that is the mistake.
bool BlockRecorder::is_under_way(Lane& lane, const void* address, unsigned bytes, bool write,
                                 const void* code) {
  if (reinterpret_cast<std::uintptr_t>(address) - shared_begin_ >= shared_bytes_) return false;
  const auto what = [&] {
    return (write ? "writes " : "reads ") + std::to_string(bytes) + " bytes of shared memory ";
  };
  const auto at = [](const Site& site) {
    return std::string(site.what) + " at " + site.file + ":" + std::to_string(site.line);
  };
  const AsynchronousWork& work = *find_asynchronous_work(worker_);
  if (const AsynchronousWork::BulkLoad* const load = work.load_into(address, bytes)) {
    launch_.checker().report(FindingKind::asynchronous_copy, lane.thread, code,
                             what() + "that the " + at(load->site) +
                                 " still writes: wait for its barrier first (mbarrier.try_wait)",
                             Hint::copy_still_writes);
    return true;
  }
  // Until it lands there is poison.
  const auto word = reinterpret_cast<std::uintptr_t>(address) & ~std::uintptr_t{3};
  if (*reinterpret_cast<const unsigned*>(word) == poison_word && work.copies_into(address, bytes)) {
    launch_.checker().report(
        FindingKind::asynchronous_copy, lane.thread, code,
        what() +
            "that an asynchronous copy has still to bring: wait for the copy first "
            "(__pipeline_wait_prior, cp.async.wait_group or its barrier), then for the other threads",
        Hint::copy_still_writes);
    return true;
  }
  if (!write) return false;
  const AsynchronousWork::BulkStore* const store = work.store_from(address, bytes);
  if (store == nullptr) return false;
  launch_.checker().report(FindingKind::asynchronous_copy, lane.thread, code,
                           what() + "that the " + at(store->site) +
                               " has still to read: wait with cp.async.bulk.wait_group.read first",
                           Hint::copy_still_reads);
  return true;
}

void BlockRecorder::bulk_access(const void* address, std::size_t bytes, bool write, const void* code) {
  constexpr std::size_t step = 16;
  Lane& lane = *current_lane;
  lane.code = code;
  lane.last_store = {};
  const auto* const begin = static_cast<const std::byte*>(address);
  for (std::size_t done = 0; done < bytes; done += step)
    launch_.checker().access(lane.thread, begin + done, static_cast<unsigned>(std::min(step, bytes - done)),
                             write ? AccessKind::bulk_write : AccessKind::bulk_read, code, 1);
}

// Checked in pieces that are aligned, as a box may begin at any element; counted by sector.
void BlockRecorder::bulk_store(const void* address, std::size_t bytes, bool combines, const void* code) {
  constexpr std::size_t sector = 32;
  Lane& lane = *current_lane;
  lane.code = code;
  const AccessKind kind = combines ? AccessKind::atomic : AccessKind::write;
  const auto* at = static_cast<const std::byte*>(address);
  for (std::size_t left = bytes, step; left != 0; at += step, left -= step) {
    const std::size_t fits = reinterpret_cast<std::uintptr_t>(at) | 16;
    step = fits & (0 - fits);
    while (step > left) step /= 2;
    launch_.checker().access(lane.thread, at, static_cast<unsigned>(step), kind, code);
  }
  const Target target = find_target(lane, reinterpret_cast<std::uintptr_t>(address), kind);
  for (std::size_t done = 0; done < bytes && target.counts && !target.is_own;) {
    const std::size_t step = std::min(sector - (target.address + done) % sector, bytes - done);
    add(lane, target.address + done, static_cast<unsigned>(step), target.event, code);
    done += step;
  }
}

void BlockRecorder::copy_write(const void* address, std::size_t bytes, const void* from, const void* code) {
  constexpr std::size_t widest = 16;
  Lane& lane = *current_lane;
  lane.code = code;
  work_.copy_asynchronously();
  const Target source = find_target(lane, reinterpret_cast<std::uintptr_t>(from), AccessKind::read);
  if (from != nullptr && source.counts && source.event == EventKind::global_load)
    work_.copy(source.address, bytes, false);
  Target target = find_target(lane, reinterpret_cast<std::uintptr_t>(address), AccessKind::write);
  if (target.is_own || !target.counts) return;
  if (target.event == EventKind::shared_store) target.event = EventKind::shared_copy;
  if (is_shared(target.event)) lane.last_store = {};
  for (std::size_t done = 0; done < bytes; done += widest)
    add(lane, target.address + done, static_cast<unsigned>(std::min(widest, bytes - done)), target.event,
        code, 0, static_cast<unsigned>(done));
}

void BlockRecorder::note_copies_under_way(std::uint64_t most, std::uint64_t left) {
  work_.note_copies_under_way(most, left);
}

unsigned BlockRecorder::tensor_load(const void* address, std::size_t bytes, unsigned first,
                                    const void* code) {
  constexpr std::size_t check = 16, sector = 32;
  Lane& lane = *current_lane;
  lane.code = code;
  work_.copy_asynchronously();
  const auto* const begin = static_cast<const std::byte*>(address);
  for (std::size_t done = 0; done < bytes; done += check)
    launch_.checker().access(lane.thread, begin + done, static_cast<unsigned>(std::min(check, bytes - done)),
                             AccessKind::read, code, 1);
  const Target target = find_target(lane, reinterpret_cast<std::uintptr_t>(address), AccessKind::read);
  if (target.counts && target.event == EventKind::global_load) work_.copy(target.address, bytes, true);
  unsigned sectors = 0;
  for (std::size_t done = 0; done < bytes && target.counts; ++sectors) {
    const std::size_t step = std::min(sector - (target.address + done) % sector, bytes - done);
    add(lane, target.address + done, static_cast<unsigned>(step), target.event, code, 0, first + sectors);
    done += step;
  }
  return sectors;
}

void BlockRecorder::tensor_core_read(unsigned thread, const void* address, std::size_t bytes,
                                     const void* code) {
  launch_.checker().access(thread, address, static_cast<unsigned>(bytes), AccessKind::bulk_read, code, 1);
}

void BlockRecorder::release_for(unsigned thread, const void* object) {
  launch_.checker().release(thread, object);
}

void BlockRecorder::fence_async_proxy() { launch_.checker().proxy_fence(current_lane->thread); }

}  // namespace warplab::emulator::lens
