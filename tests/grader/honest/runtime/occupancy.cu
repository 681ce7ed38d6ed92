// The launcher calls the runtime: occupancy.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
  int least = 0, best = 0, at_once = 0;
  CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&least, &best, vector_add_one_per_thread_kernel<T>, 0, 0));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, vector_add_one_per_thread_kernel<T>,
      256, 0));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&at_once,
      vector_add_one_per_thread_kernel<T>, 256, 0, cudaOccupancyDefault));
  std::size_t room = 0;
  CUDA_CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&room, vector_add_one_per_thread_kernel<T>, 2, 256));
