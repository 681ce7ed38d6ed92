// A barrier of the block by cuda::barrier.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cuda/barrier>
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  bar.arrive_and_wait();
  if (i < n) c[i] = a[i] + b[i];
