// The macro that every sample has: it prints the error and exits.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                          \
  do {                                                                                       \
    const cudaError_t error = (call);                                                        \
    if (error != cudaSuccess) {                                                              \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));         \
      exit(EXIT_FAILURE);                                                                    \
    }                                                                                        \
  } while (0)
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
  CHECK(cudaGetLastError());
