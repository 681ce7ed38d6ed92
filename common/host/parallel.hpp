#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace warplab {

/// Cores that host work may use.
inline unsigned host_cores() { return std::max(1u, std::thread::hardware_concurrency()); }

/// Calls `work(begin, end, part)` on consecutive ranges that cover [0, count), on all cores;
/// small counts stay on the calling thread, and so does what the system gives no thread for. There are at
/// most host_cores() parts. An exception is rethrown when all have ended.
template <class F>
void parallel_ranges(std::int64_t count, F&& work) {
  constexpr std::int64_t grain =
      1 << 16;  // starting a thread costs about as much as this many cheap elements
  const auto parts = static_cast<unsigned>(std::clamp<std::int64_t>(count / grain, 1, host_cores()));
  std::vector<std::exception_ptr> failures(parts);
  const auto run = [&](unsigned part) {
    try {
      work(count / parts * part, part + 1 == parts ? count : count / parts * (part + 1), part);
    } catch (...) {
      failures[part] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(parts);
  unsigned started = 1;
  try {
    for (; started < parts; ++started) threads.emplace_back(run, started);
  } catch (const std::system_error&) {  // the system has no thread left
  }
  run(0);
  for (unsigned part = started; part < parts; ++part) run(part);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

/// std::memcpy on all cores.
inline void parallel_copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  parallel_ranges(static_cast<std::int64_t>(bytes), [=](std::int64_t begin, std::int64_t end, unsigned) {
    if (begin < end) std::memcpy(to + begin, from + begin, static_cast<std::size_t>(end - begin));
  });
}

}  // namespace warplab
