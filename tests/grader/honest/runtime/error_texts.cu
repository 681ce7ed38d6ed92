// The launcher calls the runtime: error texts.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) warplab::refuse(cudaGetErrorName(error), cudaGetErrorString(error));
