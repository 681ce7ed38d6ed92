#include "block/executor.hpp"

#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>

#include "api/function_attributes.hpp"
#include "api/streams.hpp"
#include "base/errors.hpp"
#include "base/pool.hpp"
#include "block/child_launches.hpp"
#include "block/cluster_launches.hpp"
#include "block/concurrent_blocks.hpp"
#include "block/faults.hpp"
#include "block/worker.hpp"
#include "isolation/strict.hpp"
#include "memory/memory.hpp"
#include "recorder/block_recorder.hpp"
#include "recorder/recording.hpp"
#include "warplab_emulator/coroutine.hpp"

namespace warplab::emulator {

constinit thread_local Indices current_indices{};
constinit thread_local BlockState current_block{};

namespace {

using Clock = std::chrono::steady_clock;

Totals counted{};  // under the device lock

unsigned long long mix(unsigned long long x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

bool always_fibers() {
  static const bool wanted = std::getenv("WARPLAB_FIBERS") != nullptr;
  return wanted || strict::active();
}

Worker& this_worker() {
  thread_local Worker worker;
  return worker;
}

// Neighbouring blocks go to the same OS thread, so that its caches serve them; the order of these chunks is
// shuffled.
void plan(Job& job, const Launch& launch) {
  job.launch = &launch;
  job.blocks = 1ull * launch.grid.x * launch.grid.y * launch.grid.z;
  job.together = launch.cooperative ? 1 : launch.cluster.x * launch.cluster.y * launch.cluster.z;
  job.units = job.blocks / job.together;
  job.chunk = std::clamp(job.units / (static_cast<unsigned long long>(pool_size()) * 64), 1ull, 64ull);
  job.chunks = (job.units + job.chunk - 1) / job.chunk;
  const unsigned long long random = mix(order_seed() ^ mix(counted.launches));
  job.reverse = random & 1;
  job.offset = (random >> 8) % job.chunks;
  job.multiplier = mix(random) % job.chunks | 1;
  while (std::gcd(job.multiplier, job.chunks) != 1) ++job.multiplier;
}

void run_block(Worker& worker, Job& job, unsigned long long block) {
  const dim3 grid = job.launch->grid;
  current_indices.block =
      uint3{static_cast<unsigned>(block % grid.x), static_cast<unsigned>(block / grid.x % grid.y),
            static_cast<unsigned>(block / grid.x / grid.y)};
  worker.shared.poison_block();
  job.launch->run_block(job.launch->address);
}

// A fault in a loop over threads does not know its thread. Memory is as good as lost, so the block is run
// once more, thread by thread, to see who faults.
void locate_thread(Worker& worker, Job& job) {
  const Fault first = worker.caught;
  const uint3 block = first.block;
  current_block.in_place = false;
  if (sigsetjmp(worker.abandon, 0) == 0) {
    run_block(worker, job,
              block.x + 1ull * job.launch->grid.x * (block.y + 1ull * job.launch->grid.y * block.z));
    worker.caught = first;
  }
  worker.scheduler.reset();
}

// Whether the lens has run this block already.
bool is_recorded(const Job& job, unsigned long long block) {
  return job.recorded != nullptr && std::binary_search(job.recorded->begin(), job.recorded->end(), block);
}

// Runs the blocks that the lens watches, one after another, by the code of the kernel's twin.
void record_blocks(Worker& worker, Job& job, lens::LaunchRecorder& launch) {
  worker.job = &job;
  worker.seen_progress = ~0ull;
  current_indices.block_dim = job.launch->block;
  current_indices.grid_dim = job.launch->grid;
  worker.scheduler.prepare_stacks(
      static_cast<int>(job.launch->block.x * job.launch->block.y * job.launch->block.z));
  worker.shared.prepare(*job.launch, launch.twin().code, true);
  current_block.in_place = false;
  launch.watch(worker.scheduler.stacks(), worker.scheduler.stacks_bytes());
  set_running_worker(&worker);
  if (sigsetjmp(worker.abandon, 0) == 0) {
    for (const std::uint64_t block : launch.blocks()) {
      const dim3 grid = job.launch->grid;
      current_indices.block =
          uint3{static_cast<unsigned>(block % grid.x), static_cast<unsigned>(block / grid.x % grid.y),
                static_cast<unsigned>(block / grid.x / grid.y)};
      worker.shared.poison_block();
      launch.begin_block(block);
      worker.recorder = new lens::BlockRecorder(launch, worker);
      worker.scheduler.observe(worker.recorder);
      job.launch->run_block(launch.twin().code);
      worker.recorder->finish();
      worker.scheduler.observe(nullptr);
      delete std::exchange(worker.recorder, nullptr);
    }
    job.recorded = &launch.blocks();
  } else {
    strict::drop_frames();
    worker.scheduler.reset();
    job.failed = true;
    job.fault = worker.caught;
    if (worker.recorder != nullptr) worker.recorder->finish();
    launch.add_fault(job.fault);
  }
  worker.scheduler.observe(nullptr);
  delete std::exchange(worker.recorder, nullptr);
  launch.set_shared_bytes(static_shared_bytes(launch.twin().code));
  set_running_worker(nullptr);
  worker.job = nullptr;
}

// Blocks of a cluster by rank: their numbers in the grid.
std::vector<unsigned long long> blocks_of_cluster(const Launch& launch, unsigned long long cluster) {
  const dim3 grid = launch.grid, shape = launch.cluster;
  const unsigned long long across = grid.x / shape.x, down = grid.y / shape.y;
  const unsigned long long x0 = cluster % across * shape.x, y0 = cluster / across % down * shape.y,
                           z0 = cluster / across / down * shape.z;
  std::vector<unsigned long long> blocks;
  for (unsigned z = 0; z < shape.z; ++z)
    for (unsigned y = 0; y < shape.y; ++y)
      for (unsigned x = 0; x < shape.x; ++x)
        blocks.push_back(x0 + x + grid.x * (y0 + y + 1ull * grid.y * (z0 + z)));
  return blocks;
}

// They begin in an order that is shuffled.
void shuffle_blocks(std::vector<unsigned long long>& blocks, unsigned long long salt) {
  std::shuffle(blocks.begin(), blocks.end(),
               std::minstd_rand(static_cast<unsigned>(order_seed() + counted.launches + salt)));
}

// Hands out chunks of the launch to the calling OS thread until there are none, or `run(unit)` returns false.
template <class Run>
void take_chunks(Job& job, bool may_call_for_help, Run run) {
  while (!job.failed.load(std::memory_order_relaxed)) {
    const unsigned long long turn = job.next.fetch_add(1, std::memory_order_relaxed);
    if (turn >= job.chunks) break;
    const auto place = static_cast<unsigned __int128>(turn) * job.multiplier + job.offset;
    const unsigned long long first = static_cast<unsigned long long>(place % job.chunks) * job.chunk;
    const unsigned long long last = std::min(first + job.chunk, job.units) - 1;
    for (unsigned long long k = 0; k <= last - first; ++k)
      if (!run(job.reverse ? last - k : first + k)) return;
    if (job.together == 1) job.finished.fetch_add(last - first + 1, std::memory_order_relaxed);
    // Waking others costs some microseconds: worth it only for a launch that lasts longer.
    if (may_call_for_help && !job.helped && turn + 1 < job.chunks &&
        Clock::now() - job.began >= std::chrono::microseconds(20)) {
      job.helped = true;
      call_for_help(job.help);
    }
  }
}

void note_failure(Worker& worker, Job& job) {
  static std::mutex first_fault;
  const std::lock_guard lock(first_fault);
  if (!job.failed.exchange(true)) job.fault = worker.caught;
}

void run_clusters(Worker& worker, Job& job, bool may_call_for_help) {
  ConcurrentBlocks cluster(worker, job, job.together, nullptr);
  take_chunks(job, may_call_for_help, [&](unsigned long long number) {
    std::vector<unsigned long long> blocks = blocks_of_cluster(*job.launch, number);
    if (is_recorded(job, blocks.front())) return true;
    shuffle_blocks(blocks, number);
    if (cluster.run(blocks)) return true;
    note_failure(worker, job);
    return false;
  });
}

// Runs the clusters whose blocks the lens watches, one after another.
void record_clusters(Worker& worker, Job& job, lens::LaunchRecorder& launch) {
  launch.watch(nullptr, 0);
  ConcurrentBlocks cluster(worker, job, job.together, &launch);
  for (unsigned long long number = 0; number < job.units && !job.failed; ++number) {
    std::vector<unsigned long long> blocks = blocks_of_cluster(*job.launch, number);
    if (!std::binary_search(launch.blocks().begin(), launch.blocks().end(), blocks.front())) continue;
    shuffle_blocks(blocks, number);
    if (!cluster.run(blocks)) note_failure(worker, job);
  }
  job.recorded = &launch.blocks();
  launch.set_shared_bytes(static_shared_bytes(launch.twin().code));
}

void run_chunks(Worker& worker, Job& job, bool may_call_for_help) {
  if (job.together != 1) return run_clusters(worker, job, may_call_for_help);
  worker.job = &job;
  worker.seen_progress = ~0ull;
  current_indices.block_dim = job.launch->block;
  current_indices.grid_dim = job.launch->grid;
  worker.shared.prepare(*job.launch, job.launch->address);
  current_block.in_place = !always_fibers();
  set_running_worker(&worker);
  if (sigsetjmp(worker.abandon, 0) == 0) {
    take_chunks(job, may_call_for_help, [&](unsigned long long block) {
      if (!is_recorded(job, block)) run_block(worker, job, block);
      return true;
    });
  } else {
    strict::drop_frames();
    worker.scheduler.reset();
    if (!worker.caught.thread_known) locate_thread(worker, job);
    note_failure(worker, job);
  }
  set_running_worker(nullptr);
  worker.job = nullptr;
}

void run_side_by_side(Worker& worker, Job& job, lens::LaunchRecorder* recorder) {
  if (recorder != nullptr) recorder->watch(nullptr, 0);
  std::vector<unsigned long long> blocks(job.blocks);
  std::iota(blocks.begin(), blocks.end(), 0ull);
  shuffle_blocks(blocks, 0);
  if (!ConcurrentBlocks(worker, job, job.blocks, recorder).run(blocks)) note_failure(worker, job);
}

cudaError_t refuse(const Launch& launch, cudaError_t error, const char* format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  report("the launch of '%s' at %s:%d is refused: %s", launch.kernel, launch.file, launch.line, text);
  return error;
}

}  // namespace

unsigned long long order_seed() {
  static const unsigned long long seed = [] {
    const char* text = std::getenv("WARPLAB_SEED");
    return text != nullptr ? std::strtoull(text, nullptr, 0) : 0x5eedull;
  }();
  return seed;
}

Totals totals() { return counted; }

cudaError_t validate(const Launch& launch) {
  const dim3 g = launch.grid, b = launch.block;
  if (g.x == 0 || g.y == 0 || g.z == 0)
    return refuse(launch, cudaErrorInvalidConfiguration, "its grid (%u,%u,%u) has no blocks", g.x, g.y, g.z);
  if (b.x == 0 || b.y == 0 || b.z == 0)
    return refuse(launch, cudaErrorInvalidConfiguration, "its block (%u,%u,%u) has no threads", b.x, b.y,
                  b.z);
  if (b.x > 1024 || b.y > 1024 || b.z > 64 || 1ull * b.x * b.y * b.z > 1024)
    return refuse(launch, cudaErrorInvalidConfiguration,
                  "its block (%u,%u,%u) has %llu threads; at most 1024 are possible, and 1024, 1024 and 64 "
                  "in x, y and z",
                  b.x, b.y, b.z, 1ull * b.x * b.y * b.z);
  if (g.x > 2147483647u || g.y > 65535 || g.z > 65535)
    return refuse(launch, cudaErrorInvalidConfiguration,
                  "its grid (%u,%u,%u) exceeds 2147483647, 65535 and 65535 in x, y and z", g.x, g.y, g.z);
  if (const std::string why = shared_memory_problem(launch.address, launch.dynamic_shared_bytes);
      !why.empty())
    return refuse(launch, cudaErrorInvalidValue, "%s", why.c_str());
  if (launch.has_clusters)
    if (const ClusterProblem problem = cluster_problem(launch); problem.error != cudaSuccess)
      return refuse(launch, problem.error, "%s", problem.what);
  if (launch.cooperative) {
    const auto at_once = 1ull * multiprocessors() *
                         static_cast<unsigned>(resident_blocks(
                             launch.address, static_cast<int>(b.x * b.y * b.z), launch.dynamic_shared_bytes));
    if (1ull * g.x * g.y * g.z > at_once)
      return refuse(
          launch, cudaErrorCooperativeLaunchTooLarge,
          "its %llu blocks can't all run at the same time, as those of a cooperative launch must: the "
          "device has room for %llu of them (cudaOccupancyMaxActiveBlocksPerMultiprocessor)",
          1ull * g.x * g.y * g.z, at_once);
  }
  return cudaSuccess;
}

cudaError_t execute_grid(const Launch& launch, Children& children) {
  for (const PointerArgument& pointer : launch.pointers) {
    if (pointer.value == nullptr) continue;
    const void* const before = static_cast<const char*>(pointer.value) - 1;  // where an array ends there
    if (space_of(pointer.value) == Space::host && space_of(before) == Space::host) {
      report(
          "argument %d of kernel '%s' (launched at %s:%d) is a pointer to host memory, which a GPU can't "
          "reach; pass memory from "
          "cudaMalloc, or copy the data to it first",
          pointer.index, launch.kernel, launch.file, launch.line);
      return cudaErrorIllegalAddress;
    }
    open_for_device(pointer.value);
  }

  Job job;
  job.children = &children;
  job.began = Clock::now();
  plan(job, launch);
  Worker& worker = this_worker();
  const unsigned long long barriers_before = worker.barriers();
  std::atomic<unsigned long long> barriers{0};
  job.help = [&] {
    Worker& helper = this_worker();
    const unsigned long long before = helper.barriers();
    run_chunks(helper, job, false);
    barriers += helper.barriers() - before;
  };
  lens::LaunchRecorder* const recorder = lens::begin_launch(launch, children.lineage);
  if (recorder != nullptr && !launch.cooperative && job.together == 1) record_blocks(worker, job, *recorder);
  if (recorder != nullptr && job.together != 1) record_clusters(worker, job, *recorder);
  if (launch.cooperative)
    run_side_by_side(worker, job, recorder);
  else if (!job.failed)
    run_chunks(worker, job, job.chunks > 1 && pool_size() > 1);
  if (job.helped) await_helpers();
  if (recorder != nullptr) recorder->close();
  ++counted.launches;
  counted.blocks += job.finished;
  counted.threads += job.finished * launch.block.x * launch.block.y * launch.block.z;
  counted.barriers += barriers + worker.barriers() - barriers_before;
  if (job.failed) {
    report_fault(job);
    return job.fault.error;
  }
  return check_guard_zones(launch.kernel);
}

cudaError_t enqueue_launch(Launch launch) {
  const cudaError_t cluster_error = take_cluster_shape(launch);
  strict::take_over(launch);
  if (cluster_error != cudaSuccess) return record(cluster_error);
  if (in_kernel()) return launch_from_kernel(std::move(launch));
  if (const cudaError_t error = sticky(); error != cudaSuccess) return record(error);
  if (const cudaError_t error = validate(launch); error != cudaSuccess) return record(error);
  const cudaStream_t stream = launch.stream;
  return record(enqueue(stream, [launch = std::make_shared<Launch>(std::move(launch))] {
    return execute(std::move(*launch));
  }));
}

void run_on_fibers(void (*entry)(const void*), const void* body) {
  Worker* worker = running_worker();
  if (worker == nullptr) {
    report("a kernel was called like a function; launch it with <<<grid, block>>>");
    std::abort();
  }
  if (strict::active()) strict::require_entry(reinterpret_cast<const void*>(entry), "runs");
  if (worker->asynchronous != nullptr) worker->asynchronous->clear();
  if (worker->cluster_of_one != nullptr) {
    worker->cluster_of_one = nullptr;
    worker->cluster = nullptr;
  }
  if (worker->warpgroups != nullptr) worker->warpgroups->clear();
  worker->scheduler.run(entry, body);
}

void* region_memory(std::size_t bytes) {
  Worker& worker = *running_worker();
  std::vector<std::byte>& memory = worker.region_memory[worker.region_turn ^= 1];
  constexpr std::size_t alignment = 64;
  if (memory.size() < bytes + alignment) memory.resize(bytes + alignment);
  return memory.data() + (alignment - reinterpret_cast<std::size_t>(memory.data()) % alignment);
}

void* coroutine_memory(std::size_t bytes) {
  Worker& worker = *running_worker();
  bytes = (bytes + 15) & ~std::size_t{15};
  std::vector<std::vector<std::byte>>& chunks = worker.coroutine_memory;
  if (chunks.empty() || worker.coroutine_used + bytes > chunks.back().size()) {
    chunks.emplace_back(std::max(bytes, chunks.empty() ? std::size_t{256} * 1024 : 2 * chunks.back().size()));
    worker.coroutine_used = 0;
  }
  std::byte* memory = chunks.back().data() + worker.coroutine_used;
  worker.coroutine_used += bytes;
  return memory;
}

void reset_coroutine_memory() noexcept {
  Worker& worker = *running_worker();
  if (worker.coroutine_memory.size() > 1)
    worker.coroutine_memory.erase(worker.coroutine_memory.begin(), worker.coroutine_memory.end() - 1);
  worker.coroutine_used = 0;
}

void report_divergence(unsigned a, const Site* site_a, unsigned b, const Site* site_b) {
  const auto index = [](unsigned t) {
    const dim3 size = current_indices.block_dim;
    return uint3{t % size.x, t / size.x % size.y, t / (size.x * size.y)};
  };
  const auto state = [&](unsigned t, const Site* site) {
    return "thread " + format(index(t)) +
           (site == nullptr ? std::string(" has returned")
                            : std::string(" waits in the ") + site->what + " at " + site->file + ":" +
                                  std::to_string(site->line));
  };
  current_indices.thread = index(b);
  running_worker()->caught.thread_known = true;
  device_fault(cudaErrorLaunchFailure,
               "divergent barrier: %s, while %s; every thread of a block must reach every __syncthreads()",
               state(b, site_b).c_str(), state(a, site_a).c_str());
}

void count_barrier() noexcept { ++running_worker()->region_barriers; }

void* place_shared(int site, std::size_t bytes, std::size_t alignment, const char* name, const char* file,
                   int line) {
  Worker& worker = *running_worker();
  void* place = worker.shared.place(site, bytes, alignment, name, file, line);
  if (worker.recorder != nullptr) worker.recorder->place_shared(place, bytes, name);
  return place;
}

SymbolRegistration::SymbolRegistration(const volatile void* address, std::size_t bytes, const char* name,
                                       bool constant, const char* file, int line) {
  register_symbol(const_cast<const void*>(address), bytes, name, constant);
  lens::register_variable(const_cast<void*>(address), name, file, line);
}

// --- What a running thread calls ---

bool in_kernel() noexcept { return running_worker() != nullptr; }
int lane() noexcept { return running_worker()->scheduler.lane(); }
unsigned live_lanes() noexcept { return running_worker()->scheduler.live_lanes(); }

Exchanged exchange(unsigned mask, unsigned long long value, const Site& site) {
  return running_worker()->scheduler.exchange(mask, value, site);
}

void block_barrier(const Site& site) { running_worker()->scheduler.barrier(false, site); }
int block_barrier_count(bool predicate, const Site& site) {
  return running_worker()->scheduler.barrier(predicate, site);
}

bool in_cooperative_launch() noexcept {
  return running_worker()->grid != nullptr && running_worker()->job->launch->cooperative;
}
void grid_barrier(const Site& site) {
  if (!in_cooperative_launch())
    device_fault(cudaErrorLaunchFailure,
                 "%s at %s:%d needs a cooperative launch: launch the kernel with cudaLaunchCooperativeKernel",
                 site.what, site.file, site.line);
  running_worker()->scheduler.grid_barrier(site);
}

void yield() noexcept {
  Worker* worker = running_worker();
  if (worker != nullptr && worker->scheduler.active()) worker->scheduler.yield();
}

void check_progress(Worker& worker) {
  const unsigned long long progress =
      worker.job->finished.load(std::memory_order_relaxed) +
      worker.job->grid_barriers.load(std::memory_order_relaxed) +
      (worker.grid != nullptr ? worker.grid->progress() : worker.scheduler.progress());
  const double now_s = std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  if (progress != worker.seen_progress) {
    worker.seen_progress = progress;
    worker.stuck_since_s = now_s;
  } else if (now_s - worker.stuck_since_s > 20) {
    device_fault(
        cudaErrorLaunchTimeout,
        "the threads of the block spin without end: for 20 s none of them has got on and no block has "
        "finished; what they wait for never happens (a lock that is not released, or a block that can't run "
        "beside this one)");
  }
}

}  // namespace warplab::emulator
