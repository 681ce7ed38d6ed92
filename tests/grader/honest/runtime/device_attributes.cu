// The launcher calls the runtime: device attributes.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
  int sms = 0, version = 0, driver = 0, count = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  CUDA_CHECK(cudaRuntimeGetVersion(&version));
  CUDA_CHECK(cudaDriverGetVersion(&driver));
  CUDA_CHECK(cudaGetDeviceCount(&count));
