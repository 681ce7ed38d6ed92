#include "emulator/src/calls/api_call.hpp"

#include <atomic>

namespace warplab::emulator {
namespace {

thread_local bool running_queued_work = false;
thread_local int driver_scopes = 0;
thread_local bool is_used_by_thread = false;
std::atomic<bool> is_used = false;
std::atomic<std::uint64_t> counted_calls = 0;

}  // namespace

// Never destroyed: static destructors may still use the device.
std::recursive_mutex& device_lock() {
  static auto& lock = *new std::recursive_mutex;
  return lock;
}

bool in_queued_work() { return running_queued_work; }
void set_in_queued_work(bool now) { running_queued_work = now; }

bool thread_uses_runtime() { return is_used_by_thread; }
bool runtime_is_used() { return is_used.load(std::memory_order_relaxed); }
std::uint64_t host_calls() { return counted_calls.load(std::memory_order_relaxed); }
void note_host_call() {
  counted_calls.fetch_add(1, std::memory_order_relaxed);
  if (driver_scopes > 0 || is_used_by_thread) return;
  is_used_by_thread = true;
  is_used = true;
}
DriverScope::DriverScope() { ++driver_scopes; }
DriverScope::~DriverScope() { --driver_scopes; }

}  // namespace warplab::emulator
