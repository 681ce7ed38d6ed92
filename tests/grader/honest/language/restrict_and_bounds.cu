// Attributes of CUDA.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

template <class T>
__device__ __noinline__ T add_noinline(T x, T y) { return x + y; }
__global__ void __launch_bounds__(256, 2) unused_kernel(const __grid_constant__ int n, int* __restrict__
    out) {
  extern __shared__ __align__(16) unsigned char bytes[];
  __shared__ alignas(16) float tile[32][33];
  tile[0][threadIdx.x % 32] = 0;
  bytes[0] = 0;
  out[0] = n;
}
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < n) c[i] = add_noinline(a[i], b[i]);
