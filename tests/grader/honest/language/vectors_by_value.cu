// Vectors of 16 bytes, passed by value to a function that is not inlined.
// clang-format off
//! solves vector_add/vectorized
//! of
template <class T>
__global__ void vector_add_vectorized_kernel(const T* __restrict__ a,  // (n)
//! becomes
template <class Vector>
__device__ __noinline__ Vector sum_of(Vector x, Vector y) {
  return x + y;
}

template <class T>
__global__ void vector_add_vectorized_kernel(const T* __restrict__ a,  // (n)
//! of
  for (std::int64_t i = first; i < vectors; i += stride) c16[i] = a16[i] + b16[i];
//! becomes
  for (std::int64_t i = first; i < vectors; i += stride) c16[i] = sum_of(a16[i], b16[i]);
