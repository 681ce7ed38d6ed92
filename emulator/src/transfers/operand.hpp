#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace warplab::emulator {

/// Memory of the device that a function of one of NVIDIA's libraries reads or writes.
struct Operand {
  const char* name;
  const void* address;
  std::size_t bytes;
};

/// Lets the work of a function touch an operand. Explains why not, if it may not. @param advice a question at
/// the end of the sentence on an operand that leaves its allocation
cudaError_t open_operand(const char* function, const Operand& operand, const char* advice = "");

}  // namespace warplab::emulator
