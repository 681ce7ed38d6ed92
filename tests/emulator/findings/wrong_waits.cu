#include <cuda_pipeline.h>

#include "tests/emulator/findings/case.hpp"

namespace {

// CASE copy_that_nobody_waits_for: its bytes may not be there yet
__global__ void reads_too_early(const int* in, int* out) {
  __shared__ int staged[32];
  __pipeline_memcpy_async(&staged[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  out[threadIdx.x] = staged[threadIdx.x];  // FINDS asynchronous copy
}
CASE(copy_that_nobody_waits_for) {
  Buffer<int> in(32, 1), out(32, 0);
  reads_too_early<<<1, 32>>>(in, out);
}

}  // namespace
