#include "cooperative.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

#include "barrier_wait.hpp"
#include "executor.hpp"
#include "faults.hpp"
#include "lens/block_recorder.hpp"
#include "worker.hpp"

namespace warplab::emulator {
namespace {

constexpr std::size_t page = 64 * 1024;  // a multiple of every page size in use
constexpr std::size_t kept_workers = 64;
constexpr unsigned long long most_guarded_stacks = 8192;  // each takes two of a process's mappings

std::vector<std::unique_ptr<Worker>>& spare_workers() {
  thread_local std::vector<std::unique_ptr<Worker>> workers;
  return workers;
}

}  // namespace

// For what blocks do outside their threads: hold the kernel's parameters, more than once. Below each lies a
// page that can't be touched.
struct CooperativeGrid::Stacks {
  Stacks(std::size_t count, std::size_t argument_bytes)
      : each((4 * argument_bytes + 3 * page - 1) / page * page), bytes(count * each) {
    void* memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    begin = static_cast<std::byte*>(memory);
    for (std::size_t i = 0; i < count; ++i) mprotect(begin + i * each, page, PROT_NONE);
  }
  ~Stacks() { munmap(begin, bytes); }
  Stacks(const Stacks&) = delete;
  std::byte* end_of(std::size_t i) const { return begin + (i + 1) * each; }
  std::size_t each, bytes;
  std::byte* begin;
};

CooperativeGrid::CooperativeGrid(Worker& host, Job& job, const Stacks& stacks, lens::LaunchRecorder* recorder)
    : job_(job), recorder_(recorder) {
  const Launch& launch = *job.launch;
  const dim3 grid = launch.grid, size = launch.block;
  blocks_.resize(job.blocks);
  threads_ = job.blocks * size.x * size.y * size.z;
  std::vector<std::unique_ptr<Worker>>& spare = spare_workers();
  while (spare.size() < blocks_.size()) spare.push_back(std::make_unique<Worker>());
  std::vector<unsigned> order(blocks_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(),
               std::minstd_rand(static_cast<unsigned>(order_seed() + totals().launches)));
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    Block& block = blocks_[i];
    block.worker = spare[i].get();
    block.worker->job = &job;
    block.worker->grid = this;
    block.worker->seen_progress = ~0ull;
    std::memcpy(&block.worker->abandon, &host.abandon, sizeof host.abandon);
    block.worker->scheduler.guard_stacks(threads_ <= most_guarded_stacks);
    current_block.in_place = false;
    const unsigned b = order[i];
    block.indices = {uint3{0, 0, 0}, uint3{b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y}, size, grid};
    block.worker->shared.prepare(launch, code(), recorder != nullptr);
    block.worker->shared.poison_block();
    block.state = current_block;
    if (recorder != nullptr) {
      current_indices = block.indices;
      block.worker->scheduler.prepare_stacks(static_cast<int>(size.x * size.y * size.z));
      recorder->begin_block(b);
      block.worker->recorder = new lens::BlockRecorder(*recorder, *block.worker);
      block.worker->scheduler.observe(block.worker->recorder);
    }
    block.context = make_context(stacks.end_of(i), stacks.each - page, block_main);
  }
}

const void* CooperativeGrid::code() const {
  return recorder_ != nullptr ? recorder_->twin().code : job_.launch->address;
}

bool CooperativeGrid::run(Worker& host, Job& job, lens::LaunchRecorder* recorder) {
  const Stacks stacks(job.blocks, job.launch->argument_bytes);
  if (recorder != nullptr) recorder->watch(nullptr, 0);
  volatile bool succeeded = false;  // a jump may undo what is kept in a register
  if (sigsetjmp(host.abandon, 0) == 0) {
    host.grid = new CooperativeGrid(host, job, stacks, recorder);
    host.grid->switch_to(0, &host.grid->host_);
    succeeded = true;
  } else {
    host.caught = running_worker()->caught;
    for (Block& block : host.grid->blocks_) {
      block.worker->scheduler.reset();
      if (block.worker->recorder != nullptr) block.worker->recorder->finish();
    }
    if (recorder != nullptr) recorder->add_fault(host.caught);
  }
  for (Block& block : host.grid->blocks_) {
    host.region_barriers += block.worker->scheduler.barriers() - block.worker->region_barriers;
    block.worker->region_barriers = block.worker->scheduler.barriers();
    block.worker->scheduler.observe(nullptr);
    delete std::exchange(block.worker->recorder, nullptr);
    block.worker->grid = nullptr;
    block.worker->job = nullptr;
  }
  set_running_worker(nullptr);
  delete host.grid;
  host.grid = nullptr;
  if (spare_workers().size() > kept_workers) spare_workers().resize(kept_workers);
  return succeeded;
}

void CooperativeGrid::block_main() {
  CooperativeGrid& grid = *running_worker()->grid;
  grid.job_.launch->run_block(grid.code());
  if (lens::BlockRecorder* recorder = running_worker()->recorder) {
    recorder->finish();
    running_worker()->scheduler.observe(nullptr);
    delete std::exchange(running_worker()->recorder, nullptr);
  }
  grid.blocks_[grid.current_].finished = true;
  grid.job_.finished.fetch_add(1, std::memory_order_relaxed);
  Context never = nullptr;
  if (++grid.finished_ == grid.blocks_.size()) switch_context(&never, grid.host_);
  const std::size_t next = grid.next_block();
  if (next == none) grid.report_deadlock();
  grid.switch_to(next, &never);
}

std::size_t CooperativeGrid::next_block() const {
  for (std::size_t i = 1; i < blocks_.size(); ++i) {
    const std::size_t candidate = (current_ + i) % blocks_.size();
    if (!blocks_[candidate].blocked && !blocks_[candidate].finished) return candidate;
  }
  return none;
}

// All that an OS thread knows of the block it runs changes here.
void CooperativeGrid::switch_to(std::size_t block, Context* from) {
  current_ = block;
  const Block& next = blocks_[block];
  current_indices = next.indices;
  current_block = next.state;
  set_running_worker(next.worker);
  if (next.worker->recorder != nullptr) next.worker->recorder->wake();
  switch_context(from, next.context);
}

bool CooperativeGrid::give_way(bool blocked) {
  Block& mine = blocks_[current_];
  mine.blocked = blocked;
  const std::size_t next = next_block();
  if (next == none) return !blocked;
  if (mine.worker->recorder != nullptr) mine.worker->recorder->rest();
  mine.indices = current_indices;
  mine.state = current_block;
  switch_to(next, &mine.context);
  return true;
}

bool CooperativeGrid::let_time_pass() {
  bool any = false;
  for (Block& block : blocks_)
    if (!block.finished && block.worker->scheduler.let_time_pass()) {
      block.blocked = false;
      any = true;
    }
  return any;
}

void CooperativeGrid::unblock(const Worker& worker) {
  for (Block& block : blocks_)
    if (block.worker == &worker) block.blocked = false;
}

Worker* CooperativeGrid::owner_of_shared(const void* address) const noexcept {
  for (const Block& block : blocks_)
    if (block.worker->shared.region_of(address) != SharedMemory::Region::none) return block.worker;
  return nullptr;
}

bool CooperativeGrid::arrive(const Site& site) {
  if (returned_ != 0)
    device_fault_at(
        site, cudaErrorLaunchFailure,
        "the thread waits in the %s at %s:%d, but %llu thread%s of the grid %s already returned; every "
        "thread of the grid must reach every grid.sync()",
        site.what, site.file, site.line, returned_, returned_ == 1 ? "" : "s",
        returned_ == 1 ? "has" : "have");
  if (arrived_ == 0)
    site_ = &site;
  else if (!same_place(*site_, site))
    device_fault_at(site, cudaErrorLaunchFailure,
                    "divergent barrier: the thread waits in the %s at %s:%d, while %llu thread%s of the grid "
                    "wait%s in the %s at %s:%d",
                    site.what, site.file, site.line, arrived_, arrived_ == 1 ? "" : "s",
                    arrived_ == 1 ? "s" : "", site_->what, site_->file, site_->line);
  if (++arrived_ < threads_) return false;
  if (recorder_ != nullptr) {
    for (Block& block : blocks_)
      if (block.worker->recorder != nullptr) block.worker->recorder->meet(site);
    recorder_->checker().grid_barrier();
  }
  arrived_ = 0;
  job_.grid_barriers.fetch_add(1, std::memory_order_relaxed);
  for (Block& block : blocks_) {
    block.blocked = false;
    block.worker->scheduler.release_all();
  }
  return true;
}

void CooperativeGrid::note_return() {
  ++returned_;
  if (arrived_ != 0)
    device_fault_at(
        *site_, cudaErrorLaunchFailure,
        "the thread has returned without reaching the %s at %s:%d, where %llu thread%s of the grid "
        "wait%s; every thread of the grid must reach every grid.sync()",
        site_->what, site_->file, site_->line, arrived_, arrived_ == 1 ? "" : "s", arrived_ == 1 ? "s" : "");
}

Worker* owner_of_shared(const void* address) noexcept {
  Worker& mine = *running_worker();
  if (mine.shared.region_of(address) != SharedMemory::Region::none) return &mine;
  return mine.grid == nullptr ? nullptr : mine.grid->owner_of_shared(address);
}

void wake_waiters(Worker& worker, const void* key) {
  worker.scheduler.wake(key);
  if (&worker != running_worker()) worker.grid->unblock(worker);
}

void CooperativeGrid::report_deadlock() {
  Scheduler::Waiting waiting;
  const Block* first = nullptr;
  for (Block& block : blocks_) {
    if (block.finished) continue;
    if (first == nullptr) first = &block;
    block.worker->scheduler.list_waiting(waiting, block.indices);
  }
  current_indices = first->indices;
  set_running_worker(first->worker);
  device_fault(cudaErrorLaunchFailure,
               "deadlock: all threads of the grid wait for each other in different places: %s",
               Scheduler::describe(waiting).c_str());
}

}  // namespace warplab::emulator
