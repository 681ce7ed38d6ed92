// PTX's special registers for the size of the block's shared memory, as an H200 has them.
#include <driver_types.h>

#include "emulator/src/base/round_up.hpp"
#include "emulator/src/block/worker.hpp"
#include "warplab_emulator/ptx/ptx_memory.hpp"
#include "warplab_emulator/ptx/ptx_warp.hpp"

namespace warplab::emulator {
namespace {

/// Of static variables and dynamic memory, which begins at a multiple of 16 bytes after them. A variable
/// counts once a thread has used it.
std::size_t used_by(const Worker& worker) {
  const SharedMemory& shared = worker.shared;
  std::size_t bytes = shared.static_end();
  if (worker.observer != nullptr) {  // for the lens there are gaps between variables
    bytes = 0;
    for (const SharedMemory::Variable& variable : shared.variables())
      bytes = round_up(bytes, 16) + variable.bytes;
  }
  return shared.dynamic_bytes() == 0 ? bytes : round_up(bytes, 16) + shared.dynamic_bytes();
}

}  // namespace

unsigned ptx::dynamic_smem_size() noexcept {
  return static_cast<unsigned>(running_worker()->shared.dynamic_bytes());
}

unsigned ptx::total_smem_size() noexcept {
  constexpr std::size_t unit = 128;  // in which shared memory is given out
  return static_cast<unsigned>(round_up(used_by(*running_worker()), unit));
}

unsigned ptx::aggr_smem_size() noexcept {
  return static_cast<unsigned>(shared_window + used_by(*running_worker()));
}

}  // namespace warplab::emulator
