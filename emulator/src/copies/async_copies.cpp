#define WARPLAB_INSTRUMENTED  // the lens is told what is copied
#include "warplab_emulator/copies/async_copies.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "emulator/src/base/isolation.hpp"
#include "emulator/src/block/worker.hpp"
#include "emulator/src/copies/asynchronous_work.hpp"
#include "emulator/src/memory/memory.hpp"
#include "warplab_emulator/block/warp.hpp"
#include "warplab_emulator/copies/phase_barrier.hpp"
#include "warplab_emulator/lens/lens_markers.hpp"

namespace warplab::emulator {
namespace {

AsynchronousWork& work() { return asynchronous_work_of(*running_worker()); }

std::uint64_t bytes_of(const AsynchronousWork::Copies& copies) {
  std::uint64_t bytes = 0;
  for (const AsynchronousWork::Copy& copy : copies) bytes += copy.bytes;
  return bytes;
}

AsynchronousWork::Copy make_copy(void* to, const void* data, unsigned bytes) {
  if (isolation::active()) {
    if (bytes > sizeof AsynchronousWork::Copy::data)
      device_fault(illegal_instruction, "an asynchronous copy of %u bytes", bytes);
    // It lands later, when a stack frame may be gone.
    if (!running_worker()->shared.holds(to, bytes))
      device_fault(illegal_instruction,
                   "an asynchronous copy to %p, which is not in the block's shared memory", to);
    header_calls::lens_permit(to, bytes);  // the copy writes it, which is not a store of the thread
    isolation::require(to, bytes, true, __builtin_return_address(0));
    isolation::require(data, bytes, false, __builtin_return_address(0));
  }
  AsynchronousWork::Copy copy{static_cast<std::byte*>(to), bytes, {}};
  std::memcpy(copy.data, data, bytes);
  const unsigned pattern[4] = {poison_word, poison_word, poison_word, poison_word};
  std::memcpy(to, pattern, bytes);
  return copy;
}

/// @param counted how many of the bytes the lens counts as copied
/// @param caller what the call of the copy returns to
void issue(void* to, const void* data, const void* from, unsigned bytes, unsigned counted,
           const void* caller) {
  work().of_this_thread().open.push_back(make_copy(to, data, bytes));
  if (BlockObserver* const observer = running_worker()->observer.get(); observer != nullptr && counted > 0)
    observer->copy_write(to, counted, from, static_cast<const std::byte*>(caller) - 1);
}

}  // namespace

namespace header_calls {

void issue_copy(void* to, const void* data, const void* from, unsigned bytes) {
  issue(to, data, from, bytes, bytes, __builtin_return_address(0));
}

// In graded code zeros do not count as copied: a limit asks for bytes of the inputs.
void issue_padded_copy(void* to, const void* data, const void* from, unsigned bytes, unsigned of_memory) {
  issue(to, data, from, bytes, isolation::active() ? std::min(bytes, of_memory) : bytes,
        __builtin_return_address(0));
}

}  // namespace header_calls

void commit_copies() {
  AsynchronousWork::Thread& thread = work().of_this_thread();
  thread.overlap.start_group(bytes_of(thread.open));
  thread.groups.push_back(std::move(thread.open));
  thread.open.clear();
}

void await_copies(std::size_t but) {
  AsynchronousWork::Thread& thread = work().of_this_thread();
  if (thread.groups.size() > but) thread.overlap.await_groups(thread.groups.size() - but);
  for (; thread.groups.size() > but; thread.groups.pop_front()) AsynchronousWork::land(thread.groups.front());
}

// Another block's thread may end the phase of a barrier outside shared memory: its copies land at once.
void bind_copies(unsigned long long* barrier) {
  AsynchronousWork::Thread& thread = work().of_this_thread();
  AsynchronousWork::Copies& open = thread.open;
  if (!is_shared(barrier)) return AsynchronousWork::land(open);
  thread.overlap.start_bound(bytes_of(open), barrier, phase_parity(barrier));
  AsynchronousWork::Copies& bound = work().of_barrier(barrier).bound;
  bound.insert(bound.end(), open.begin(), open.end());
  open.clear();
}

void bind_all_copies(unsigned long long* barrier) {
  AsynchronousWork::Thread& thread = work().of_this_thread();
  AsynchronousWork::Copies& bound = work().of_barrier(barrier).bound;
  thread.overlap.bind_groups(barrier, phase_parity(barrier));
  for (const AsynchronousWork::Copies& group : thread.groups)
    bound.insert(bound.end(), group.begin(), group.end());
  thread.groups.clear();
  bind_copies(barrier);
}

bool is_shared(const void* address) noexcept {
  return running_worker()->shared.region_of(address) != SharedMemory::Region::none;
}

}  // namespace warplab::emulator
