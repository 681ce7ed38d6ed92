#include "emulator/src/launch/occupancy.hpp"

#include <algorithm>
#include <thread>

#include "emulator/src/base/device_profile.hpp"
#include "emulator/src/base/environment.hpp"
#include "emulator/src/launch/shared_memory.hpp"
#include "warplab_emulator/ptx/ptx_warp.hpp"

namespace warplab::emulator {

int max_threads_per_multiprocessor() {
  return chosen_profile() ? chosen_profile()->threads_per_multiprocessor : 2048;
}
int max_blocks_per_multiprocessor() {
  return chosen_profile() ? chosen_profile()->blocks_per_multiprocessor : 32;
}
std::size_t shared_bytes_per_multiprocessor() {
  return chosen_profile() ? chosen_profile()->shared_per_multiprocessor : 228 * 1024;
}
std::size_t shared_bytes_reserved_per_block() {
  return chosen_profile() ? chosen_profile()->shared_reserved_per_block : 1024;
}

std::size_t shared_allocation_unit() { return chosen_profile() && chosen_profile()->major < 8 ? 256 : 128; }

int resident_blocks(const void* function, int threads, std::size_t dynamic_shared_bytes) {
  const std::size_t shared_bytes = dynamic_shared_bytes + static_shared_bytes(function);
  if (threads < 1 || threads > max_threads_per_block ||
      dynamic_shared_bytes > allowed_dynamic_shared(function) || shared_bytes > shared_block_limit())
    return 0;
  const int warp_threads = (threads + 31) / 32 * 32;
  const std::size_t unit = shared_allocation_unit();
  const std::size_t of_block = (shared_bytes + shared_bytes_reserved_per_block() + unit - 1) / unit * unit;
  const int by_shared = of_block == 0 ? max_blocks_per_multiprocessor()
                                      : static_cast<int>(shared_bytes_per_multiprocessor() / of_block);
  return std::min(
      {max_blocks_per_multiprocessor(), max_threads_per_multiprocessor() / warp_threads, by_shared});
}

unsigned multiprocessors() {
  if (chosen_profile()) return static_cast<unsigned>(chosen_profile()->multiprocessors);
  static const unsigned asked = static_cast<unsigned>(
      environment_number("WARPLAB_MULTIPROCESSORS", 1, 1024, 0, "the device has one per core"));
  return asked != 0 ? asked : std::max(std::thread::hardware_concurrency(), 1u);
}

unsigned ptx::nsmid() noexcept { return multiprocessors(); }

}  // namespace warplab::emulator
