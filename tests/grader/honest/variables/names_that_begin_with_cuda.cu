// Functions of the student's own whose names begin with cuda.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

template <class T>
__device__ T cudaAdd(T x, T y) { return x + y; }
inline int cuda_blocks(int n) { return n; }
int cudaBlocks(int n) { return n; }
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < n) c[i] = cudaAdd(a[i], b[i]);
