#include "emulator/src/base/pool.hpp"

#include <sched.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#include "emulator/src/base/environment.hpp"

namespace warplab::emulator {
namespace {

class Pool {
 public:
  void call(const std::function<void()>& work) {
    const std::lock_guard lock(mutex_);
    start_threads();
    work_ = &work;
    ++call_;
    active_ = started_;
    wake_.notify_all();
  }

  void await() {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return active_ == 0; });
    work_ = nullptr;
  }

 private:
  // Where the system gives no more threads, those that there are do the work. The next call tries again.
  void start_threads() {
    try {
      for (; started_ < pool_size() - 1; ++started_) std::thread([this] { serve(); }).detach();
    } catch (const std::system_error&) {
    }
  }

  void serve() {
    unsigned long long seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return call_ != seen; });
      seen = call_;
      const std::function<void()>& work = *work_;
      lock.unlock();
      work();
      lock.lock();
      if (--active_ == 0) done_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void()>* work_ = nullptr;
  unsigned long long call_ = 0;
  int started_ = 0, active_ = 0;
};

// Never destroyed: its threads sleep in it until the process ends.
Pool& pool() {
  static Pool* instance = new Pool;
  return *instance;
}

}  // namespace

int pool_size() {
  static const int size = [] {
    if (const auto wanted = environment_number("WARPLAB_THREADS", 1, 1024, 0, "blocks run on all cores"))
      return static_cast<int>(wanted);
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(CPU_COUNT(&cores), 1);
    return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
  }();
  return size;
}

void call_for_help(const std::function<void()>& work) { pool().call(work); }
void await_helpers() { pool().await(); }

}  // namespace warplab::emulator
