// Constant memory that the launcher fills.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

__constant__ int one;
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < n) c[i] = T(one) * a[i] + b[i];
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  const int host_one = 1;
  CUDA_CHECK(cudaMemcpyToSymbolAsync(one, &host_one, sizeof(int), 0, cudaMemcpyHostToDevice, stream));
  CUDA_CHECK(cudaMemcpyToSymbol(one, &host_one, sizeof host_one));
  void* address = nullptr;
  CUDA_CHECK(cudaGetSymbolAddress(&address, one));
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
