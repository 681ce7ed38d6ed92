// A launch by cudaLaunchKernel.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  void* arguments[] = {&a, &b, &c, &n};
  CUDA_CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(&vector_add_one_per_thread_kernel<T>),
      blocks, block, arguments, 0, stream));
