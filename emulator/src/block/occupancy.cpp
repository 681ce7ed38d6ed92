#include "emulator/src/block/occupancy.hpp"

#include <algorithm>
#include <thread>

#include "emulator/src/block/shared_memory.hpp"

namespace warplab::emulator {
int resident_blocks(const void* function, int threads, std::size_t dynamic_shared_bytes) {
  const std::size_t shared_bytes = dynamic_shared_bytes + static_shared_bytes(function);
  if (threads > max_threads_per_block || dynamic_shared_bytes > shared_block_limit ||
      shared_bytes > shared_block_limit)
    return 0;
  const int warp_threads = (threads + 31) / 32 * 32;
  const auto by_shared =
      static_cast<int>(shared_bytes_per_multiprocessor / (shared_bytes + shared_bytes_reserved_per_block));
  return std::min({max_blocks_per_multiprocessor, max_threads_per_multiprocessor / warp_threads, by_shared});
}

unsigned multiprocessors() { return std::max(std::thread::hardware_concurrency(), 1u); }

}  // namespace warplab::emulator
