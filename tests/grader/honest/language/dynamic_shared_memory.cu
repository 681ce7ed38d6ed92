// Dynamic shared memory as a detour.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  extern __shared__ unsigned char raw[];
  T* const kept = reinterpret_cast<T*>(raw);
  if (i < n) kept[threadIdx.x] = a[i];
  __syncthreads();
  if (i < n) c[i] = kept[threadIdx.x] + b[i];
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  vector_add_one_per_thread_kernel<<<blocks, block, block.x * sizeof(T), stream>>>(a, b, c, n);
