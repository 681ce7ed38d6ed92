#include "emulator/src/streams/idle_host.hpp"

#include <pthread.h>
#include <signal.h>

#include <chrono>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

#include "emulator/src/base/errors.hpp"
#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/isolation/checks.hpp"
#include "emulator/src/streams/stream_queue.hpp"

namespace warplab::emulator {
namespace {

using namespace std::chrono_literals;
constexpr auto patience = 5s;
constexpr auto nap = 250ms;  // what passes is counted in naps, so that a debugger's pauses do not count

std::string described(const Stream& stream) {
  if (stream.is_legacy) return "the default stream";
  char text[64];
  std::snprintf(text, sizeof text, "stream %p", static_cast<void*>(stream.handle));
  return text;
}

/// A stream whose work waits for the host; null while the host is in a call, which may run it.
std::shared_ptr<Stream> find_waiting_stream() {
  const std::unique_lock lock(device_lock(), std::try_to_lock);
  if (!lock || sticky() != cudaSuccess) return nullptr;
  for (const auto& stream : all_streams())
    if (!stream->queue.empty()) return stream;
  return nullptr;
}

void watch_host() {
  std::uint64_t calls = 0;
  for (int idle = 0; idle < patience / nap; ++idle) {
    std::this_thread::sleep_for(nap);
    if (calls != host_calls() || !find_waiting_stream()) idle = 0;
    calls = host_calls();
  }
  const std::lock_guard lock(device_lock());
  const std::shared_ptr<Stream> stream = find_waiting_stream();
  if (!stream || calls != host_calls()) return;
  report(
      "the host has made no CUDA call for %d seconds, while %s has work that did not begin (operations: "
      "%zu); here it begins when the host waits for it: call cudaStreamSynchronize() or cudaStreamQuery() "
      "before, or while, the host waits for a flag or for what a host function does",
      static_cast<int>(patience / 1s), described(*stream).c_str(), stream->queue.size());
}

}  // namespace

void watch_for_idle_host() {
  if (isolation::active()) return;  // a graded worker, whose time is limited
  sigset_t all, before;             // the program's own threads handle its signals
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread(watch_host).detach();
  } catch (const std::system_error&) {  // no more threads are allowed: then without
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace warplab::emulator
