// The launcher calls the runtime: limits of the device.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
  std::size_t stack = 0;
  CUDA_CHECK(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  CUDA_CHECK(cudaDeviceSetLimit(cudaLimitStackSize, stack));
