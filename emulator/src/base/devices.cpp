#include "emulator/src/base/devices.hpp"

#include <algorithm>
#include <atomic>

#include "emulator/src/base/environment.hpp"

namespace warplab::emulator {
namespace {

thread_local int chosen = 0;
std::atomic<int> working{-1};
std::atomic<bool> reaches[max_devices][max_devices] = {};

}  // namespace

static int visible_devices() {
  static const int count =
      static_cast<int>(environment_number("WARPLAB_DEVICES", 0, max_devices, 1, "there is one device"));
  return count;
}
bool has_device() { return visible_devices() != 0; }
int device_count() { return std::max(1, visible_devices()); }

int current_device() { return chosen; }
void set_current_device(int device) { chosen = device; }

int working_device() noexcept { return working.load(std::memory_order_relaxed); }
void set_working_device(int device) noexcept { working.store(device, std::memory_order_relaxed); }

bool may_reach(int device, int peer) noexcept {
  return device == peer || reaches[device][peer].load(std::memory_order_relaxed);
}
void set_peer_access(int device, int peer, bool allowed) { reaches[device][peer] = allowed; }
void forget_peers(int device) {
  for (std::atomic<bool>& allowed : reaches[device]) allowed = false;
}

}  // namespace warplab::emulator
