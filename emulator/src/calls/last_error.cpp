#include <cuda_runtime_api.h>

#include "emulator/src/base/errors.hpp"
#include "emulator/src/block/child_launches.hpp"
#include "warplab_emulator/block/thread.hpp"

using namespace warplab::emulator;

cudaError_t cudaGetLastError() {
  return in_kernel() ? last_error_in_kernel(true) : last_error_of_thread(true);
}

cudaError_t cudaPeekAtLastError() {
  return in_kernel() ? last_error_in_kernel(false) : last_error_of_thread(false);
}
