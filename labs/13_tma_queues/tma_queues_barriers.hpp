#pragma once

#include <cuda/barrier>

// nvcc warns that nobody runs the constructors of barriers in shared memory. init() does their work.
#ifdef __CUDACC__
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

/// A barrier of the threads of a block: __shared__ BlockBarrier full[8], then init(&full[s], arrivals).
using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;
