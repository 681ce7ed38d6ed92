// The launcher calls the runtime: scratch memory of a stream.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
  T* scratch = nullptr;
  CUDA_CHECK(cudaMallocAsync(&scratch, 1024, stream));
  CUDA_CHECK(cudaFreeAsync(scratch, stream));
