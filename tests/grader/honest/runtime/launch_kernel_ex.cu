// A launch by cudaLaunchKernelEx.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = block;
  config.stream = stream;
  CUDA_CHECK(cudaLaunchKernelEx(&config, vector_add_one_per_thread_kernel<T>, a, b, c, n));
