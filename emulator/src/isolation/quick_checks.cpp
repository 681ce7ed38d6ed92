// What most accesses, calls and returns of guarded code are checked by. It uses general registers only
// (CMakeLists.txt), so that the stubs of entries.cpp need not save the vector registers. What it does not
// know it leaves to checks.cpp, and refuses nothing.

#include <cstddef>
#include <cstdint>

#include "emulator/src/isolation/os_thread.hpp"
#include "emulator/src/memory/generation.hpp"
#include "emulator/src/recorder/lane.hpp"
#include "warplab_emulator/block/block.hpp"

namespace isolation = warplab::emulator::isolation;

#define WARPLAB_QUICK __attribute__((visibility("hidden")))

namespace {

/// The stack that calls, by number; max_stacks where no thread of a kernel does.
std::size_t calling_stack(const isolation::OsThread* thread) {
  if (thread == nullptr) return isolation::max_stacks;
  const std::uintptr_t offset =
      reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - thread->stacks_begin;
  return offset < thread->stacks_bytes ? offset / isolation::stack_stride : isolation::max_stacks;
}

/// As checks.cpp's require_announced.
bool is_announced(std::uintptr_t address, std::size_t bytes) {
  const warplab::emulator::lens::Lane* const lane = warplab::emulator::lens::current_lane;
  return lane == nullptr || lane->has_announced(address, bytes);
}

/// A kernel's parameters, which lie on the stack of the OS thread, where its block has its shared variables,
/// and constants that were read before.
bool may_read(const isolation::OsThread& thread, std::uintptr_t address, std::size_t bytes) {
  if (address - thread.stack_begin < thread.stack_end - thread.stack_begin)
    return thread.shadow_stack.hold(address, bytes);
  if (address - thread.slots_begin < thread.slots_bytes)
    return thread.slots_begin ==
           reinterpret_cast<std::uintptr_t>(warplab::emulator::current_block.shared_slots);
  return thread.readable.known(warplab::emulator::allocation_generation(),
                               [&](const isolation::Readable& known) {
                                 return known.begin == address && known.bytes == bytes;
                               }) != nullptr;
}

}  // namespace

extern "C" {

/// @return whether the access is allowed; false: it has to be looked at
WARPLAB_QUICK bool warplab_isolation_quick_access(std::uintptr_t address, unsigned what) noexcept {
  const isolation::OsThread* const thread = isolation::known_thread;
  const std::size_t stack = calling_stack(thread), bytes = what >> 1;
  const bool write = (what & 1) != 0;
  if (stack == isolation::max_stacks) return false;
  const std::uintptr_t in_stacks = address - thread->stacks_begin;
  if (in_stacks < thread->stacks_bytes)
    return in_stacks / isolation::stack_stride == stack &&
           (write ? thread->thread_stacks[stack].hold(address, bytes)
                  : thread->thread_stacks[stack].reach_to(address));
  const std::uintptr_t in_shared = address - thread->shared_begin;
  if (in_shared < thread->shared_bytes)
    return bytes <= thread->shared_bytes - in_shared && is_announced(address, bytes);
  if (!write && may_read(*thread, address, bytes)) return true;
  const isolation::Window* const window =
      thread->windows.known(warplab::emulator::allocation_generation(), [&](const isolation::Window& known) {
        return known.holds(address) && bytes <= known.bytes - (address - known.begin);
      });
  return window != nullptr && (!write || window->may_write) && is_announced(address, bytes);
}

/// @return whether the frame was entered
WARPLAB_QUICK bool warplab_isolation_quick_enter(std::uintptr_t slot,
                                                 const WarplabFrameShape* shape) noexcept {
  isolation::OsThread* const thread = isolation::known_thread;
  const std::size_t stack = calling_stack(thread);
  if (stack == isolation::max_stacks) return false;
  const isolation::FramePlace place(slot, *shape);
  return place.fits(thread->stacks_begin + stack * isolation::stack_stride) &&
         thread->thread_stacks[stack].enter_in_place(place.frame());
}

/// @return whether the frame was left
WARPLAB_QUICK bool warplab_isolation_quick_leave(std::uintptr_t slot) noexcept {
  isolation::OsThread* const thread = isolation::known_thread;
  const std::size_t stack = calling_stack(thread);
  return stack != isolation::max_stacks && thread->thread_stacks[stack].leave_whole(slot);
}

}  // extern "C"
