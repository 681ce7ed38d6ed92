// Properties that the launcher asks for once and keeps in a local static.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  static const cudaDeviceProp properties = [] {
    cudaDeviceProp p;
    CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
    return p;
  }();
  if (static_cast<int>(block.x) > properties.maxThreadsPerBlock) return;
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
