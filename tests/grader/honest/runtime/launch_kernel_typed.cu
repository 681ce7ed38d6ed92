// A launch by cudaLaunchKernel, which knows the kernel's type.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  void* arguments[] = {(void*)&a, (void*)&b, (void*)&c, (void*)&n};
  CUDA_CHECK(cudaLaunchKernel(vector_add_one_per_thread_kernel<T>, blocks, block, arguments, 0, stream));
