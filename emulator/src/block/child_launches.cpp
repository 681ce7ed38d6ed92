#include "emulator/src/block/child_launches.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <list>
#include <random>

#include "emulator/src/base/errors.hpp"
#include "emulator/src/base/order_seed.hpp"
#include "emulator/src/block/executor.hpp"
#include "emulator/src/block/worker.hpp"
#include "emulator/src/launch/launch_rules.hpp"
#include "emulator/src/memory/memory.hpp"
#include "warplab_emulator/launch/launch_totals.hpp"

// Launches from kernels, as CUDA's second version of dynamic parallelism has them. A grid's children begin
// when all its blocks have ended: the latest time that CUDA allows, so that a parent which expects a child's
// results while it still runs never sees them. A grid is complete when its children are; what it launched
// into its tail stream comes after them, one after another.

namespace warplab::emulator {
namespace {

std::atomic<std::size_t> max_waiting{2048};  // what cudaDeviceSetLimit has allowed
std::atomic<std::size_t> pending{0};         // launches from kernels that have not begun
std::atomic<std::size_t> max_pending{0};     // since the host launched
std::atomic<std::size_t> refused{0};         // launches from kernels that were one too many, likewise

/// A grid with what it launched.
struct Grid {
  Launch launch;  ///< of a child
  Lineage lineage;
  Grid* parent = nullptr;
  std::size_t stream = 0;  ///< of the parent, that it was launched into; or tail
  std::list<Grid>::iterator self;
  std::vector<std::deque<Launch>> streams;  ///< independent of one another
  std::deque<Launch> tails;
  std::size_t open_streams = 0;

  static constexpr std::size_t tail = ~std::size_t{0};
  std::deque<Launch>& queue(std::size_t number) { return number == tail ? tails : streams[number]; }
};

/// A grid launched by the host with all that follows from it.
class Family {
 public:
  cudaError_t run(Children& children) {
    Grid& root = grids_.emplace_back();
    root.self = grids_.begin();
    root.lineage = children.lineage;
    adopt(root, children);
    while (!ready_.empty()) {
      const std::size_t drawn = random_() % ready_.size();
      const auto [parent, stream] = ready_[drawn];
      ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(drawn));
      Grid& grid = grids_.emplace_back();
      grid.self = std::prev(grids_.end());
      grid.parent = parent;
      grid.stream = stream;
      grid.launch = std::move(parent->queue(stream).front());
      parent->queue(stream).pop_front();
      --pending;
      Children grandchildren(children.watcher);
      grandchildren.lineage = {0, parent->lineage.number, parent->lineage.depth + 1};
      if (const cudaError_t error = execute_grid(grid.launch, grandchildren)) return error;
      grid.lineage = grandchildren.lineage;
      adopt(grid, grandchildren);
    }
    return cudaSuccess;
  }

 private:
  struct Ready {
    Grid* parent;
    std::size_t stream;
  };

  // A block has a null stream of its own, and a thread its per-thread stream.
  static unsigned long long own_queue(cudaStream_t stream, const Children::Child& child) {
    if (stream == nullptr) return child.block;
    return stream == cudaStreamPerThread ? child.block * 1024 + child.thread : 0;
  }

  // Sorts what a grid has launched into its streams. Blocks ran in any order, so they are sorted by their
  // numbers.
  void adopt(Grid& grid, Children& children) {
    std::stable_sort(children.launches.begin(), children.launches.end(),
                     [](const auto& a, const auto& b) { return a.block < b.block; });
    std::map<std::pair<cudaStream_t, unsigned long long>, std::size_t> numbers;
    for (Children::Child& child : children.launches) {
      const cudaStream_t stream = child.launch.stream;
      if (stream == cudaStreamTailLaunch) {
        grid.tails.push_back(std::move(child.launch));
      } else if (stream == cudaStreamFireAndForget) {
        grid.streams.emplace_back().push_back(std::move(child.launch));
      } else {
        const auto [known, is_new] =
            numbers.try_emplace({stream, own_queue(stream, child)}, grid.streams.size());
        if (is_new) grid.streams.emplace_back();
        grid.streams[known->second].push_back(std::move(child.launch));
      }
    }
    grid.open_streams = grid.streams.size();
    for (std::size_t i = 0; i < grid.streams.size(); ++i) ready_.push_back({&grid, i});
    if (grid.open_streams == 0) go_on_after(&grid);
  }

  // A grid's children are complete: its tail launches follow, or it is complete itself.
  void go_on_after(Grid* grid) {
    for (;;) {
      if (!grid->tails.empty()) return ready_.push_back({grid, Grid::tail});
      Grid* const parent = grid->parent;
      const std::size_t stream = grid->stream;
      grids_.erase(grid->self);
      if (parent == nullptr) return;
      if (!parent->queue(stream).empty()) return ready_.push_back({parent, stream});
      if (stream != Grid::tail && --parent->open_streams != 0) return;
      grid = parent;
    }
  }

  std::list<Grid> grids_;
  std::vector<Ready> ready_;
  std::minstd_rand random_{static_cast<unsigned>(order_seed() + launch_totals().launches)};
};

Children& children_of_this_grid() { return *running_worker()->job->children; }

std::array<unsigned, 6> this_thread() {
  const uint3 b = current_indices.block, t = current_indices.thread;
  return {b.x, b.y, b.z, t.x, t.y, t.z};
}

cudaError_t keep_error(cudaError_t error) {
  Children& children = children_of_this_grid();
  const std::lock_guard lock(children.lock);
  children.error[this_thread()] = error;
  return error;
}

bool is_on_a_stack(const void* address) {
  const auto distance =
      static_cast<const std::byte*>(address) - static_cast<const std::byte*>(__builtin_frame_address(0));
  return distance > 0 && distance < std::ptrdiff_t{132} * 1024;
}

// A child runs when its parent's blocks are gone, and their shared and local memory with them.
void refuse_own_memory(const Launch& launch) {
  for (const PointerArgument& pointer : launch.pointers) {
    const bool shared = running_worker()->shared.region_of(pointer.value) != SharedMemory::Region::none;
    if (shared || is_on_a_stack(pointer.value))
      device_fault(cudaErrorIllegalAddress,
                   "argument %d of the launch of '%s' at %s:%d is a pointer to %s memory, which the child "
                   "can't see: it is the launching %s own; pass memory from cudaMalloc",
                   pointer.index, launch.kernel, launch.file, launch.line, shared ? "shared" : "local",
                   shared ? "block's" : "thread's");
  }
}

}  // namespace

cudaError_t execute(const Launch& launch, LaunchWatcher& watcher) {
  Children children(watcher);
  // Most launches find them so, and storing costs them more than looking.
  if (max_pending != 0) max_pending = 0;
  if (refused != 0) refused = 0;
  cudaError_t error = execute_grid(launch, children);
  if (children.launches.empty()) return error;
  const Lineage lineage = children.lineage;
  if (error == cudaSuccess) error = Family().run(children);
  pending = 0;  // after an error what is left never begins
  watcher.note_pending(lineage, max_pending);
  if (refused > 1)
    report("%zu more launches from kernels were refused for the same reason", refused.load() - 1);
  return error;
}

cudaError_t launch_from_kernel(Launch launch) {
  if (running_worker()->observer != nullptr)
    launch.address = children_of_this_grid().watcher.original_of(launch.address);
  if (launch.cooperative) return keep_error(cudaErrorNotSupported);
  if (const cudaError_t error = validate(launch)) return keep_error(error);
  refuse_own_memory(launch);
  Children& children = children_of_this_grid();
  {
    const std::lock_guard lock(children.lock);
    const cudaStream_t stream = launch.stream;
    const bool known = stream == nullptr || stream == cudaStreamFireAndForget ||
                       stream == cudaStreamTailLaunch || stream == cudaStreamPerThread ||
                       children.streams.contains(stream);
    const std::size_t waiting = known ? pending.fetch_add(1) + 1 : 0;
    if (known && waiting <= pending_launch_limit()) {
      if (waiting > max_pending) max_pending = waiting;  // a grid at a time, under its lock
      children.launches.push_back(
          {number_in(current_indices.grid_dim, current_indices.block),
           static_cast<unsigned>(number_in(current_indices.block_dim, current_indices.thread)),
           std::move(launch)});
      return cudaSuccess;
    }
    if (!known) {
      report(
          "the launch of '%s' at %s:%d is refused: its stream is not one that this grid has made; streams "
          "of the host or of another grid can't be used in a kernel",
          launch.kernel, launch.file, launch.line);
      return children.error[this_thread()] = cudaErrorInvalidValue;
    }
  }
  --pending;
  if (refused++ != 0) return keep_error(cudaErrorLaunchPendingCountExceeded);
  report(
      "the launch of '%s' at %s:%d is refused: %zu launches from kernels wait to begin; "
      "cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, n) allows more",
      launch.kernel, launch.file, launch.line, pending_launch_limit());
  return keep_error(cudaErrorLaunchPendingCountExceeded);
}

std::size_t pending_launch_limit() { return max_waiting; }
void set_pending_launch_limit(std::size_t launches) { max_waiting = launches; }

cudaError_t last_error_in_kernel(bool clear) {
  Children& children = children_of_this_grid();
  const std::lock_guard lock(children.lock);
  const auto found = children.error.find(this_thread());
  if (found == children.error.end()) return cudaSuccess;
  const cudaError_t error = found->second;
  if (clear) children.error.erase(found);
  return error;
}

cudaError_t create_stream_in_kernel(cudaStream_t* stream, unsigned flags) {
  if (stream == nullptr || flags != cudaStreamNonBlocking) return keep_error(cudaErrorInvalidValue);
  Children& children = children_of_this_grid();
  const std::lock_guard lock(children.lock);
  // The thread's next number. One of the grid would tell each thread how many came before it.
  const std::uintptr_t thread = number_in(current_indices.grid_dim, current_indices.block) * 1024 +
                                number_in(current_indices.block_dim, current_indices.thread);
  constexpr std::uintptr_t most_of_a_thread = 256, apart = 16;
  std::uintptr_t number = (std::uintptr_t{1} << 40) + thread * most_of_a_thread * apart;
  const std::uintptr_t end = number + most_of_a_thread * apart;
  while (children.streams.contains(reinterpret_cast<cudaStream_t>(number)))
    if ((number += apart) == end) return children.error[this_thread()] = cudaErrorMemoryAllocation;
  *stream = reinterpret_cast<cudaStream_t>(number);
  children.streams.insert(*stream);
  return cudaSuccess;
}

// What was launched into it still runs.
cudaError_t destroy_stream_in_kernel(cudaStream_t stream) {
  Children& children = children_of_this_grid();
  {
    const std::lock_guard lock(children.lock);
    if (children.streams.erase(stream) != 0) return cudaSuccess;
  }
  return keep_error(cudaErrorInvalidResourceHandle);
}

}  // namespace warplab::emulator
