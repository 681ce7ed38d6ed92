// The launcher calls the runtime: cache config.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
  CUDA_CHECK(cudaFuncSetCacheConfig(vector_add_one_per_thread_kernel<T>, cudaFuncCachePreferL1));
  CUDA_CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
