// Launches on a stream of its own, for which nobody waits by its name: the caller waits for all.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  static cudaStream_t own = nullptr;
  if (!own) cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  vector_add_one_per_thread_kernel<<<blocks, block, 0, own>>>(a, b, c, n);
  (void)stream;
