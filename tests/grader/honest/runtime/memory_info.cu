// The launcher calls the runtime: memory info.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
  std::size_t free_bytes = 0, all_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &all_bytes));
