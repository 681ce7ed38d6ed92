#include "emulator/src/api/background.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "emulator/src/api/api_call.hpp"
#include "emulator/src/api/stream_queue.hpp"
#include "emulator/src/block/isolation.hpp"

namespace warplab::emulator {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> runs{false}, ends{false};
std::atomic<Clock::rep> last_progress{0};

void run() {
  constexpr std::chrono::milliseconds pause(100), patience(1000);
  while (!ends) {
    std::this_thread::sleep_for(pause);
    const std::lock_guard lock(device_lock());
    if (ends) return;
    const Clock::duration last(last_progress.load());
    if (Clock::now().time_since_epoch() - last >= patience && sticky() == cudaSuccess) drain_all();
  }
}

}  // namespace

void start_background() {
  if (strict::active() || runs.exchange(true)) return;  // the grader's worker waits by calls only
  note_progress();
  std::thread(run).detach();
}

void note_progress() {
  if (runs) last_progress = Clock::now().time_since_epoch().count();
}

void stop_background() {
  if (!runs) return;
  const std::lock_guard lock(device_lock());
  ends = true;
}

}  // namespace warplab::emulator
