// The launcher calls the runtime: function attributes.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
  cudaFuncAttributes attributes;
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, vector_add_one_per_thread_kernel<T>));
  CUDA_CHECK(cudaFuncSetAttribute(vector_add_one_per_thread_kernel<T>,
      cudaFuncAttributeMaxDynamicSharedMemorySize, 4096));
