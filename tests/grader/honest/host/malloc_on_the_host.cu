// malloc, realloc and free on the host.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <stdlib.h>
#include <string.h>
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  int* counts = (int*)malloc(16 * sizeof(int));
  if (counts == NULL) return;
  memset(counts, 0, 16 * sizeof(int));
  counts[15] = 7;
  counts = (int*)realloc(counts, 1000 * sizeof(int));
  if (counts == NULL || counts[0] != 0 || counts[15] != 7) return;
  free(counts);
  int* zeros = (int*)calloc(4, sizeof(int));
  free(zeros);
  int* many = new int[n > 4 ? 4 : 1];
  delete[] many;
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
