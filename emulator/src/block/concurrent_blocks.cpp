#include "emulator/src/block/concurrent_blocks.hpp"

#include <sys/mman.h>

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "emulator/src/block/executor.hpp"
#include "emulator/src/block/faults.hpp"
#include "emulator/src/block/worker.hpp"

namespace warplab::emulator {
namespace {

constexpr std::size_t page = 64 * 1024;  // a multiple of every page size in use
constexpr std::size_t kept_workers = 64;

std::vector<std::unique_ptr<Worker>>& spare_workers() {
  thread_local std::vector<std::unique_ptr<Worker>> workers;
  return workers;
}

}  // namespace

// For what blocks do outside their threads: hold the kernel's parameters, more than once. Below each lies a
// page that can't be touched.
struct ConcurrentBlocks::Stacks {
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

ConcurrentBlocks::ConcurrentBlocks(Worker& host, Job& job, std::size_t count, LaunchObserver* observer)
    : worker_of_host_(host),
      job_(job),
      observer_(observer),
      stacks_(std::make_unique<Stacks>(count, job.launch->arguments.bytes)),
      blocks_(count) {
  threads_ = count * static_cast<unsigned>(count_in(job.launch->block));
  std::vector<std::unique_ptr<Worker>>& spare = spare_workers();
  while (spare.size() < count) spare.push_back(std::make_unique<Worker>());
  for (std::size_t i = 0; i < count; ++i) {
    Worker& worker = *(blocks_[i].worker = spare[i].get());
    worker.job = &job;
    worker.grid = this;
    worker.seen_progress = ~0ull;
  }
  host.grid = this;
}

ConcurrentBlocks::~ConcurrentBlocks() {
  for (Block& block : blocks_) {
    block.worker->grid = nullptr;
    block.worker->job = nullptr;
  }
  worker_of_host_.grid = nullptr;
  if (spare_workers().size() > kept_workers) spare_workers().resize(kept_workers);
}

// The block of this number in the grid is made ready to run.
void ConcurrentBlocks::begin(std::size_t i, unsigned long long number) {
  const Launch& launch = *job_.launch;
  const dim3 grid = launch.grid, size = launch.block;
  Block& block = blocks_[i];
  std::memcpy(&block.worker->abandon, &worker_of_host_.abandon, sizeof block.worker->abandon);
  block.blocked = block.finished = false;
  current_block.in_place = false;
  block.indices = {uint3{0, 0, 0}, place_in(grid, number), size, grid};
  block.worker->shared.prepare(launch, code(), observer_ != nullptr);
  block.worker->shared.poison_block();
  block.state = current_block;
  if (observer_ != nullptr) {
    current_indices = block.indices;
    block.worker->scheduler.prepare_stacks(static_cast<int>(count_in(size)));
    block.worker->observer = observer_->follow(*block.worker, number);
    block.worker->scheduler.observe(block.worker->observer.get());
  }
  block.context = make_context(stacks_->end_of(i), stacks_->each - page, block_main);
}

void ConcurrentBlocks::make_clusters() {
  clusters_.clear();
  const dim3 shape = job_.launch->cluster, size = job_.launch->block;
  const std::size_t each = std::size_t{shape.x} * shape.y * shape.z;
  if (each == 1) return;
  // Of the blocks with one place in the grid of clusters, by rank.
  std::map<std::array<unsigned, 3>, std::vector<Worker*>> members;
  for (const Block& block : blocks_) {
    const uint3 at = block.indices.block;
    std::vector<Worker*>& of_cluster = members[{at.x / shape.x, at.y / shape.y, at.z / shape.z}];
    of_cluster.resize(each);
    of_cluster[number_in(shape, {at.x % shape.x, at.y % shape.y, at.z % shape.z})] = block.worker;
  }
  clusters_.reserve(members.size());
  for (auto& [place, blocks] : members) {
    clusters_.emplace_back(std::move(blocks), count_in(size));
    for (unsigned rank = 0; rank < each; ++rank) clusters_.back().block(rank)->cluster = &clusters_.back();
  }
}

const void* ConcurrentBlocks::code() const {
  return observer_ != nullptr ? observer_->code() : job_.launch->address;
}

bool ConcurrentBlocks::run(std::span<const unsigned long long> numbers) {
  volatile bool succeeded = false;  // a jump may undo what is kept in a register
  arrived_ = returned_ = finished_ = 0;
  if (sigsetjmp(worker_of_host_.abandon, 0) == 0) {
    for (std::size_t i = 0; i < blocks_.size(); ++i) begin(i, numbers[i]);
    make_clusters();
    switch_to(0, &host_);
    succeeded = true;
  } else {
    worker_of_host_.caught = running_worker()->caught;
    for (Block& block : blocks_) {
      block.worker->scheduler.reset();
      if (block.worker->observer != nullptr) block.worker->observer->finish();
    }
    if (observer_ != nullptr) observer_->add_fault(worker_of_host_.caught);
  }
  leave();
  return succeeded;
}

// The blocks have ended, or are given up.
void ConcurrentBlocks::leave() {
  for (Block& block : blocks_) {
    Worker& worker = *block.worker;
    worker_of_host_.region_barriers += worker.scheduler.barriers() - worker.region_barriers;
    worker.region_barriers = worker.scheduler.barriers();
    worker.scheduler.observe(nullptr);
    worker.observer = nullptr;
    worker.cluster = nullptr;
    worker.shared.open();
  }
  set_running_worker(nullptr);
}

void ConcurrentBlocks::block_main() {
  ConcurrentBlocks& all = *running_worker()->grid;
  all.job_.launch->run_block(all.code());
  all.end_block();
}

void ConcurrentBlocks::end_block() {
  Worker& worker = *running_worker();
  if (worker.observer != nullptr) {
    worker.observer->finish();
    worker.scheduler.observe(nullptr);
    worker.observer = nullptr;
  }
  blocks_[current_].finished = true;
  job_.finished.fetch_add(1, std::memory_order_relaxed);
  Context never = nullptr;
  if (++finished_ == blocks_.size()) switch_context(&never, host_);
  if (worker.cluster != nullptr) worker.shared.close();
  const std::size_t next = next_block();
  if (next == none) {
    if (!let_time_pass()) report_deadlock();
    switch_to(next_block(), &never);
  }
  switch_to(next, &never);
}

std::size_t ConcurrentBlocks::next_block() const {
  for (std::size_t i = 1; i < blocks_.size(); ++i) {
    const std::size_t candidate = (current_ + i) % blocks_.size();
    if (!blocks_[candidate].blocked && !blocks_[candidate].finished) return candidate;
  }
  return none;
}

// All that an OS thread knows of the block it runs changes here.
void ConcurrentBlocks::switch_to(std::size_t block, Context* from) {
  current_ = block;
  const Block& next = blocks_[block];
  current_indices = next.indices;
  current_block = next.state;
  set_running_worker(next.worker);
  if (next.worker->observer != nullptr) next.worker->observer->wake();
  switch_context(from, next.context);
}

bool ConcurrentBlocks::give_way(bool blocked) {
  Block& mine = blocks_[current_];
  mine.blocked = blocked;
  const std::size_t next = next_block();
  if (next == none) return !blocked;
  if (mine.worker->observer != nullptr) mine.worker->observer->rest();
  mine.indices = current_indices;
  mine.state = current_block;
  switch_to(next, &mine.context);
  return true;
}

bool ConcurrentBlocks::let_time_pass() {
  bool any = false;
  for (Block& block : blocks_)
    if (!block.finished && block.worker->scheduler.let_time_pass()) {
      block.blocked = false;
      any = true;
    }
  return any;
}

unsigned long long ConcurrentBlocks::progress() const {
  unsigned long long sum = 0;
  for (const Block& block : blocks_) sum += block.worker->scheduler.progress();
  return sum;
}

void ConcurrentBlocks::unblock(const Worker& worker) {
  for (Block& block : blocks_)
    if (block.worker == &worker) block.blocked = false;
}

Worker* ConcurrentBlocks::owner_of_shared(const void* address) const noexcept {
  for (const Block& block : blocks_)
    if (block.worker->shared.region_of(address) != SharedMemory::Region::none) return block.worker;
  return nullptr;
}

bool ConcurrentBlocks::arrive(const Site& site) {
  if (returned_ != 0)
    device_fault_at(
        site, FaultKind::divergent_barrier, cudaErrorLaunchFailure,
        "the thread waits in the %s at %s:%d, but %llu thread%s of the grid %s already returned; every "
        "thread of the grid must reach every grid.sync()",
        site.what, site.file, site.line, returned_, returned_ == 1 ? "" : "s",
        returned_ == 1 ? "has" : "have");
  if (arrived_ == 0)
    site_ = &site;
  else if (!same_place(*site_, site))
    device_fault_at(site, FaultKind::divergent_barrier, cudaErrorLaunchFailure,
                    "the thread waits in the %s at %s:%d, while %llu thread%s of the grid "
                    "wait%s in the %s at %s:%d",
                    site.what, site.file, site.line, arrived_, arrived_ == 1 ? "" : "s",
                    arrived_ == 1 ? "s" : "", site_->what, site_->file, site_->line);
  if (++arrived_ < threads_) return false;
  if (observer_ != nullptr) {
    for (Block& block : blocks_)
      if (block.worker->observer != nullptr) block.worker->observer->meet(site);
    observer_->grid_barrier();
  }
  arrived_ = 0;
  job_.grid_barriers.fetch_add(1, std::memory_order_relaxed);
  for (Block& block : blocks_) {
    block.blocked = false;
    block.worker->scheduler.release_all();
  }
  return true;
}

void ConcurrentBlocks::note_return() {
  ++returned_;
  if (arrived_ != 0)
    device_fault_at(
        *site_, FaultKind::divergent_barrier, cudaErrorLaunchFailure,
        "the thread has returned without reaching the %s at %s:%d, where %llu thread%s of the grid "
        "wait%s; every thread of the grid must reach every grid.sync()",
        site_->what, site_->file, site_->line, arrived_, arrived_ == 1 ? "" : "s", arrived_ == 1 ? "s" : "");
}

void ConcurrentBlocks::report_deadlock() {
  Scheduler::Waiting waiting;
  const Block* first = nullptr;
  for (Block& block : blocks_) {
    if (block.finished) continue;
    if (first == nullptr) first = &block;
    block.worker->scheduler.list_waiting(waiting, block.indices);
  }
  current_indices = first->indices;
  set_running_worker(first->worker);
  device_fault(FaultKind::deadlock, cudaErrorLaunchFailure,
               "all threads of the %s wait for each other in different places: %s",
               job_.launch->cooperative ? "grid" : "cluster", Scheduler::describe(waiting).c_str());
}

}  // namespace warplab::emulator
