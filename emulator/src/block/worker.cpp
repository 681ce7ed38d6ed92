#include "emulator/src/block/worker.hpp"

#include <signal.h>

#include <cstdio>

#include "emulator/src/block/concurrent_blocks.hpp"
#include "emulator/src/block/faults.hpp"

namespace warplab::emulator {

constinit thread_local Worker* running = nullptr;
void set_running_worker(Worker* worker) noexcept {
  running = worker;
  isolation::change_thread();
}

std::string format(uint3 index) {
  char text[48];
  std::snprintf(text, sizeof text, "(%u,%u,%u)", index.x, index.y, index.z);
  return text;
}

Worker::Worker() { prepare_signal_stack(*this); }

Worker::~Worker() {
  if (signal_stack == nullptr) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
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

void abandon_block(Worker& worker) { siglongjmp(worker.abandon, 1); }

void check_progress(Worker& worker) {
  const unsigned long long progress =
      worker.job->finished.load(std::memory_order_relaxed) +
      worker.job->grid_barriers.load(std::memory_order_relaxed) +
      (worker.grid != nullptr ? worker.grid->progress() : worker.scheduler.progress());
  const double now_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  if (progress != worker.seen_progress) {
    worker.seen_progress = progress;
    worker.stuck_since_s = now_s;
  } else if (now_s - worker.stuck_since_s > 20) {
    device_fault(
        FaultKind::endless, cudaErrorLaunchTimeout,
        "the threads of the block spin without end: for 20 s none of them has got on and no block has "
        "finished; what they wait for never happens (a lock that is not released, or a block that can't run "
        "beside this one)");
  }
}

}  // namespace warplab::emulator
