#include "emulator/src/api/api_call.hpp"

namespace warplab::emulator {
namespace {

thread_local bool running_queued_work = false;

}  // namespace

// Never destroyed: static destructors may still use the device.
std::recursive_mutex& device_lock() {
  static auto& lock = *new std::recursive_mutex;
  return lock;
}

bool in_queued_work() { return running_queued_work; }
void set_in_queued_work(bool now) { running_queued_work = now; }

}  // namespace warplab::emulator
