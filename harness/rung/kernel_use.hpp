#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/host/case.hpp"

namespace warplab {

/// What one launch took of a multiprocessor.
struct KernelUse {
  std::string kernel;  ///< its name, mangled as the compiler has it
  Extent3 grid{}, block{};
  int registers = 0;             ///< a thread
  std::size_t local_bytes = 0;   ///< a thread: registers that were spilled, arrays that found no registers
  std::size_t shared_bytes = 0;  ///< a block
  double occupancy = 0;          ///< resident warps over the most that a multiprocessor holds
};

/// Where launches are noted while it is not null: what they take is known only in a worker on a GPU.
extern std::vector<KernelUse>* kernel_uses;

}  // namespace warplab
