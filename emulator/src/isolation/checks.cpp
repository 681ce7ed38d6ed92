// What guarded code may touch and call. See docs/lens.md, "Isolation".

#include "emulator/src/isolation/checks.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cfenv>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <unordered_set>

#include "emulator/src/base/errors.hpp"
#include "emulator/src/base/source_lines.hpp"
#include "emulator/src/block/child_launches.hpp"
#include "emulator/src/block/worker.hpp"
#include "emulator/src/isolation/calls.hpp"
#include "emulator/src/isolation/heap.hpp"
#include "emulator/src/isolation/image.hpp"
#include "emulator/src/isolation/os_thread.hpp"
#include "emulator/src/isolation/stand_in.hpp"
#include "emulator/src/memory/arena.hpp"
#include "emulator/src/memory/generation.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/recorder/block_recorder.hpp"
#include "emulator/src/recorder/hooks.hpp"
#include "emulator/src/recorder/lane.hpp"
#include "warplab_emulator/block/block.hpp"
#include "warplab_emulator/guarded_code.hpp"
#include "warplab_emulator/lens/lens_markers.hpp"

namespace warplab::emulator::isolation {

thread_local constinit OsThread* known_thread = nullptr;

namespace {

std::mutex entries_mutex;
std::unordered_set<const void*>& entries() {
  static auto& all = *new std::unordered_set<const void*>;
  return all;
}

static_assert(max_stacks == Scheduler::max_threads);
#if defined(__x86_64__)
static_assert(stack_stride == Scheduler::stack_stride);
#endif

[[gnu::noinline]] OsThread& new_os_thread() {
  static thread_local std::unique_ptr<OsThread> instance;
  instance = std::make_unique<OsThread>();
  return *(known_thread = instance.get());
}

/// Of each access, so it looks at one word.
OsThread& os_thread() { return known_thread != nullptr ? *known_thread : new_os_thread(); }

/// The stack of a CUDA thread that is running, or -1 in host code.
int running_stack(const Worker* worker) {
  return worker != nullptr && worker->scheduler.active() ? worker->scheduler.current_stack() : -1;
}

ShadowStack& shadow_stack_here() {
  OsThread& thread = os_thread();
  const int stack = running_stack(running);
  return stack < 0 ? thread.shadow_stack : thread.thread_stacks[static_cast<std::size_t>(stack)];
}

std::string bytes_text(std::size_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

/// Ends the kernel, or the program: this is not an error that guarded code could go on from.
[[noreturn]] void stop(const std::string& what, cudaError_t error, const void* code) {
  if (Worker* const worker = running; worker != nullptr) {
    worker->caught = Fault{};
    worker->caught.error = error;
    worker->caught.what = what;
    worker->caught.block = current_indices.block;
    worker->caught.thread = current_indices.thread;
    worker->caught.thread_known = worker->scheduler.active();
    worker->caught.code = code;
    abandon_block(*worker);
  }
  std::string place = code == nullptr ? "" : source_line(code);
  if (!place.empty()) place = " at " + place;
  report("the launcher was stopped%s: it %s", place.c_str(), what.c_str());
  std::_Exit(70);
}

[[noreturn]] void refuse(std::uintptr_t address, std::size_t bytes, bool write, const char* what,
                         const void* code) {
  char place[32];
  std::snprintf(place, sizeof place, "%#zx", static_cast<std::size_t>(address));
  stop(std::string(write ? "writes " : "reads ") + bytes_text(bytes) + " at " + place + ", which is " + what,
       cudaErrorIllegalAddress, code);
}

/// How bytes are touched.
enum class Touch { read, write, atomic };

/// Device memory is touched as the lens has counted it. Where no hook came before a load or a store, as for
/// arguments of calls in memory, it is counted now.
void require_announced(std::uintptr_t address, std::size_t bytes, Touch touch, const void* code) {
  lens::Lane* const lane = lens::current_lane;
  if (lane == nullptr) return;
  if (touch == Touch::atomic ? lane->take_atomic(address, bytes) : lane->has_announced(address, bytes))
    return;
  constexpr std::size_t widest = 16;
  if (touch != Touch::atomic && bytes <= widest && code != nullptr) {
    const auto* const place = reinterpret_cast<const void*>(address);
    lane->announce(place, bytes);
    lane->block->touch_unannounced(*lane, place, static_cast<unsigned>(bytes),
                                   touch == Touch::write ? lens::AccessKind::write : lens::AccessKind::read,
                                   code);
    return;
  }
  stop("touches " + bytes_text(bytes) + " of the device's memory in a way that the lens does not count",
       cudaErrorLaunchFailure, code);
}

/// A stretch of device memory or a device variable around the bytes, as far as the device knows it.
const Window* window_of(OsThread& thread, std::uintptr_t address, std::size_t bytes) {
  const Window* window =
      thread.windows.find(allocation_generation(), [&](const Window& known) { return known.holds(address); });
  if (window == nullptr) {
    const std::optional<Allocation> known = find_allocation(reinterpret_cast<const void*>(address));
    if (!known) return nullptr;
    window = thread.windows.add({reinterpret_cast<std::uintptr_t>(known->data), known->bytes,
                                 !known->read_only && !known->is_constant});
  }
  return bytes <= window->bytes - (address - window->begin) ? window : nullptr;
}

/// Whether the bytes are a device variable's, or lie across its begin or its end: a copy of them would be
/// looked at as one of what it begins in.
bool touches_symbol(std::uintptr_t address, std::size_t bytes) {
  const auto* const first = reinterpret_cast<const char*>(address);
  if (space_of(first) == Space::symbol) return true;
  const std::optional<Allocation> after = neighbours_of(first).after;
  return after && after->space == Space::symbol && after->data < first + bytes;
}

/// Whether a kernel launched the grid that runs.
bool is_child(const Worker& worker) {
  return worker.job->children != nullptr && worker.job->children->lineage.depth > 0;
}

/// What a launch from a kernel was bound to, which its blocks read. How many bytes there are is before them.
constexpr std::size_t before_arguments = guarded_alignment;

bool is_bound_to_launch(const Worker& worker, std::uintptr_t address, std::size_t bytes) {
  if (!is_child(worker)) return false;
  const auto* const bound = static_cast<const std::byte*>(worker.job->launch->run_block.bound());
  if (bound == nullptr) return false;
  std::size_t size = 0;
  std::memcpy(&size, bound - before_arguments, sizeof size);
  const std::uintptr_t place = address - reinterpret_cast<std::uintptr_t>(bound);
  return place < size && bytes <= size - place;
}

void forget_arguments(void* bound) {
  ::operator delete (static_cast<std::byte*>(bound) - before_arguments, std::align_val_t{guarded_alignment});
}

std::size_t size_of(const Parameter& parameter) {
  return parameter.points_to_memory ? sizeof(const void*) : parameter.bytes;
}

/// A thread's heap ends with it, and its launches begin later.
void keep_arguments(Launch& launch) {
  const std::span parameters(launch.arguments.parameters, launch.arguments.count);
  std::size_t size = 0;
  for (const Parameter& parameter : parameters) {
    if (parameter.offset > ThreadHeap::bytes || size_of(parameter) > ThreadHeap::bytes - parameter.offset)
      stop("launches a kernel with arguments of more than " + bytes_text(ThreadHeap::bytes),
           cudaErrorInvalidValue, nullptr);
    size = std::max(size, parameter.offset + size_of(parameter));
  }
  auto* const kept =
      static_cast<std::byte*>(::operator new (before_arguments + size, std::align_val_t{guarded_alignment}));
  std::memset(kept, 0, before_arguments + size);
  std::memcpy(kept, &size, sizeof size);
  for (const Parameter& parameter : parameters)
    std::memcpy(kept + before_arguments + parameter.offset,
                static_cast<const std::byte*>(launch.run_block.bound()) + parameter.offset,
                size_of(parameter));
  launch.run_block = BoundCall(kept + before_arguments, launch.run_block.call(), &forget_arguments);
}

void require_of_thread(OsThread& thread, Worker& worker, int stack, std::uintptr_t address, std::size_t bytes,
                       Touch touch, const void* code) {
  const bool write = touch != Touch::read;
  if (worker.scheduler.on_current_stack(address)) {
    const ShadowStack& frames = thread.thread_stacks[static_cast<std::size_t>(stack)];
    if (write ? frames.hold(address, bytes) : frames.reach_to(address)) return;
    refuse(address, bytes, write, "a part of the thread's stack that holds none of its variables", code);
  }
  const auto stacks = reinterpret_cast<std::uintptr_t>(worker.scheduler.stacks());
  if (address - stacks < worker.scheduler.stacks_bytes())
    refuse(address, bytes, write, "a variable of another thread", code);
  const auto shared = reinterpret_cast<std::uintptr_t>(worker.shared.begin());
  if (address - shared < SharedMemory::bytes() && bytes <= SharedMemory::bytes() - (address - shared))
    return require_announced(address, bytes, touch, code);
  if (!write) {
    if (thread.shadow_stack.hold(address, bytes)) return;  // the kernel's parameters
    const auto slots = reinterpret_cast<std::uintptr_t>(current_block.shared_slots);
    if (address - slots < worker.shared.slots_bytes()) return;
    const auto exchanged = reinterpret_cast<std::uintptr_t>(worker.scheduler.exchanged_values());
    if (exchanged != 0 && address - exchanged < Scheduler::warp_size * 8) return;
  }
  const auto same = [&](const Readable& known) { return known.begin == address && known.bytes == bytes; };
  if (!write && thread.readable.find(allocation_generation(), same) != nullptr) return;
  if (const Window* const window = window_of(thread, address, bytes)) {
    if (write && !window->may_write) refuse(address, bytes, write, "constant memory", code);
    return require_announced(address, bytes, touch, code);
  }
  if (!write) {
    const Image image = image_at(address, bytes);
    if (image == Image::guarded && touches_symbol(address, bytes))
      refuse(address, bytes, write, "a variable of the device and what lies beside it", code);
    if (image == Image::constant || image == Image::guarded) {
      thread.readable.add({address, bytes});
      return;
    }
  }
  if (thread.thread_heaps[static_cast<std::size_t>(stack)].holds(address, bytes)) return;
  refuse(address, bytes, write, describe_address(reinterpret_cast<const void*>(address)).c_str(), code);
}

void require_of_host(OsThread& thread, std::uintptr_t address, std::size_t bytes, bool write,
                     const void* code) {
  if (address - thread.stack_begin < thread.stack_end - thread.stack_begin) {
    if (write ? thread.shadow_stack.hold(address, bytes) : thread.shadow_stack.reach_to(address)) return;
    refuse(address, bytes, write, "a part of the stack that holds no variable of the launcher", code);
  }
  if (is_heap_of_host(address, bytes) || is_exception(address, bytes, write)) return;
  if (!write && running != nullptr && is_bound_to_launch(*running, address, bytes)) return;  // a block begins
  const Image image = image_at(address, bytes);
  if (image == Image::guarded) {
    // Copies within the device's memory reach it: the CPU could compute there what kernels are to compute.
    if (!touches_symbol(address, bytes)) return;
    refuse(address, bytes, write, "a variable of the device: host code has none", code);
  }
  if (image == Image::constant && !write) return;
  if (image == Image::linkage) refuse(address, bytes, write, "the table of functions that it calls", code);
  if (image == Image::constant) refuse(address, bytes, write, "what its file keeps constant", code);
  if (const Window* const window = window_of(thread, address, bytes); window != nullptr) {
    const Space space = space_of(reinterpret_cast<const void*>(address));
    if (space == Space::pinned || space == Space::managed) return;
  }
  refuse(address, bytes, write, describe_address(reinterpret_cast<const void*>(address)).c_str(), code);
}

/// Where quick checks find the stacks and the shared memory of the block that runs.
void note_block(OsThread& thread, const Worker& worker) {
  thread.stacks_begin = reinterpret_cast<std::uintptr_t>(worker.scheduler.stacks());
  thread.stacks_bytes = worker.scheduler.stacks_bytes();
  thread.shared_begin = reinterpret_cast<std::uintptr_t>(worker.shared.begin());
  thread.shared_bytes = SharedMemory::bytes();
  thread.slots_begin = reinterpret_cast<std::uintptr_t>(current_block.shared_slots);
  thread.slots_bytes = worker.shared.slots_bytes();
}

void check(const void* address, std::size_t bytes, Touch touch, const void* code) {
  if (bytes == 0) return;
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  OsThread& thread = os_thread();
  Worker* const worker = running;
  const int stack = running_stack(worker);
  if (stack < 0) return require_of_host(thread, place, bytes, touch != Touch::read, code);
  note_block(thread, *worker);
  require_of_thread(thread, *worker, stack, place, bytes, touch, code);
}

class GuardedCode final : public Isolation {
 public:
  void require_entry(const void* code, const char* what) override {
    if (!is_entry(code))
      stop(std::string(what) + " an address that is not a function of its file", cudaErrorLaunchFailure,
           nullptr);
  }
  void require(const void* address, std::size_t bytes, bool write, const void* code) override {
    check(address, bytes, write ? Touch::write : Touch::read, code);
  }
  void require_atomic(const void* address, std::size_t bytes, const void* code) override {
    check(address, bytes, Touch::atomic, code);
  }
  bool is_constant(const void* address, std::size_t bytes) override {
    return image_at(reinterpret_cast<std::uintptr_t>(address), bytes) == Image::constant;
  }
  void begin_thread(int stack) noexcept override {
    const auto number = static_cast<std::size_t>(stack);
    OsThread& thread = os_thread();
    thread.thread_stacks[number].clear();
    thread.thread_heaps[number].clear();
    thread.thread_times[number] = 0;
    change_thread();
  }
  void change_thread() noexcept override {
    lens::forget_carry();
    if (std::exchange(os_thread().rounds_otherwise, false)) std::fesetround(FE_TONEAREST);
  }
  void drop_frames(const void* frame) noexcept override {
    os_thread().shadow_stack.drop(reinterpret_cast<std::uintptr_t>(frame));
  }
};

}  // namespace

bool is_own_symbol(const void* address, bool write) {
  if (space_of(address) != Space::symbol) return false;
  const Image image = image_at(reinterpret_cast<std::uintptr_t>(address), 1);
  return image == Image::guarded || (image == Image::constant && !write);
}

bool is_entry(const void* code) noexcept {
  const std::lock_guard lock(entries_mutex);
  return entries().contains(code);
}

void stop_at_end(const char* what, const void* code) { stop(what, cudaErrorLaunchFailure, code); }

void refuse_direction(const void* code) {
  stop("copies to or from host memory by cudaMemcpyAsync; a launcher copies within device memory only",
       cudaErrorInvalidMemcpyDirection, code);
}

void refuse_in_kernel(const void* code) {
  stop("calls a function that only host code has, in a kernel", cudaErrorLaunchFailure, code);
}

void refuse_throw(const void* code) {
  stop("throws an exception that is not of a class of its file or of the standard library",
       cudaErrorLaunchFailure, code);
}

void* new_memory(std::size_t bytes, const void* code) {
  const int stack = running_stack(running);
  if (stack < 0) return allocate_guarded(bytes);
  if (void* const block = os_thread().thread_heaps[static_cast<std::size_t>(stack)].allocate(bytes))
    return block;
  stop("asks for " + bytes_text(bytes) + " by new in a kernel, where a thread has " +
           bytes_text(ThreadHeap::bytes) + " in all",
       cudaErrorMemoryAllocation, code);
}

void delete_memory(void* block) noexcept {
  if (const int stack = running_stack(running); stack >= 0)
    os_thread().thread_heaps[static_cast<std::size_t>(stack)].free(block);
  else
    free_guarded(block);
}

std::int64_t next_time() {
  OsThread& thread = os_thread();
  const int stack = running_stack(running);
  std::int64_t& now = stack < 0 ? thread.host_time : thread.thread_times[static_cast<std::size_t>(stack)];
  return now += clock_step_ns;
}

int set_rounding(int mode) {
  os_thread().rounds_otherwise = true;
  return std::fesetround(mode);
}

Launch taken_over(Launch& given) {
  if (!active()) return std::move(given);
  require(&given, sizeof given, true, nullptr);
  checked_length(given.kernel, nullptr);
  checked_length(given.file, nullptr);
  require_entry(given.address, "launches");
  // Guarded code made these words, and cannot reach them any more.
  require_entry(reinterpret_cast<const void*>(given.run_block.call()), "launches by");
  require_entry(reinterpret_cast<const void*>(given.run_block.forget()), "launches by");
  const auto& [parameters, count, bytes, call] = given.arguments;
  if (count > 4096) stop("launches a kernel with too many arguments", cudaErrorInvalidValue, nullptr);
  require(parameters, count * sizeof *parameters, false, nullptr);
  for (std::size_t i = 0; i < count; ++i)
    require(static_cast<const std::byte*>(given.run_block.bound()) + parameters[i].offset,
            size_of(parameters[i]), false, nullptr);
  Launch launch = std::move(given);
  std::construct_at(&launch.pointers);  // nobody but the emulator fills these
  if (running_stack(running) >= 0) keep_arguments(launch);
  return launch;
}

void refuse_blocks_that_wait(const Launch& launch) {
  if (!active()) return;
  if (launch.cooperative || launch.asks_kernel || launch.cluster.x != 1 || launch.cluster.y != 1 ||
      launch.cluster.z != 1)
    stop(
        "launches blocks that wait for each other (a cooperative grid, clusters), which isolation does not "
        "watch",
        cudaErrorNotSupported, nullptr);
}

}  // namespace warplab::emulator::isolation

namespace warplab::emulator {
void forget_guarded_frames() noexcept {
  if (!isolation::active()) return;
  isolation::os_thread().shadow_stack.clear();
  isolation::is_entered = true;
}
}  // namespace warplab::emulator

namespace isolation = warplab::emulator::isolation;

// What the stubs of entries.cpp call.
extern "C" {

void warplab_isolation_checked_access(std::uintptr_t address, unsigned what, const void* code) {
  using isolation::Touch;
  isolation::check(reinterpret_cast<const void*>(address), what >> 1,
                   (what & 1) != 0 ? Touch::write : Touch::read, static_cast<const std::byte*>(code) - 1);
}

void warplab_isolation_checked_target(const void* target, const void* code) {
  if (!isolation::is_entry(target))
    isolation::stop("calls an address that is not a function of its file", cudaErrorLaunchFailure,
                    static_cast<const std::byte*>(code) - 1);
  // Lanes that call different functions go different ways, as at a branch.
  using namespace warplab::emulator;
  if (lens::Lane* const lane = lens::current_lane)
    lane->block->mark(*lane, LensMark::choice, reinterpret_cast<std::uintptr_t>(target),
                      static_cast<const std::byte*>(code) - 1);
}

void warplab_isolation_checked_enter(std::uintptr_t slot, const WarplabFrameShape* shape) {
  using namespace warplab::emulator;
  isolation::OsThread& thread = isolation::os_thread();
  const int stack = isolation::running_stack(running);
  const std::uintptr_t begin = stack < 0 ? thread.stack_begin : running->scheduler.stack_begin(stack);
  const isolation::FramePlace place(slot, *shape);
  if (!place.fits(begin))
    isolation::stop("overflows its stack: its local variables or its recursion need too much",
                    cudaErrorLaunchFailure, *reinterpret_cast<const void* const*>(slot));
  isolation::shadow_stack_here().enter(place.frame());
}

void warplab_isolation_checked_leave(std::uintptr_t slot) {
  if (!isolation::shadow_stack_here().leave(slot))
    isolation::stop("has overwritten where it returns to", cudaErrorLaunchFailure, nullptr);
}

/// A guarded module's first act. Its functions are between `begin` and `end`.
__attribute__((visibility("default"))) void warplab_isolation_register(const void* const* begin,
                                                                       const void* const* end) {
  isolation::add_guarded_module(begin);
  const std::lock_guard lock(isolation::entries_mutex);
  isolation::entries().insert(begin, end);
  static isolation::GuardedCode guarded_code;
  isolation::implementation = &guarded_code;
}

}  // extern "C"
