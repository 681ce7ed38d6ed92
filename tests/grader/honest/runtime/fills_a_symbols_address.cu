// A ticket for each block, which the launcher sets to 0 by its address.
// clang-format off
//! solves vector_add/one_per_thread
//! of
template <class T>
__global__ void vector_add_one_per_thread_kernel(const T* __restrict__ a,  // (n)
//! becomes
__device__ unsigned next_block;

template <class T>
__global__ void vector_add_one_per_thread_kernel(const T* __restrict__ a,  // (n)
//! of
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
//! becomes
  __shared__ unsigned mine;
  if (threadIdx.x == 0) mine = atomicAdd(&next_block, 1u);
  __syncthreads();
  const std::int64_t i = std::int64_t{mine} * blockDim.x + threadIdx.x;
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  void* counter = nullptr;
  CUDA_CHECK(cudaGetSymbolAddress(&counter, next_block));
  CUDA_CHECK(cudaMemsetAsync(counter, 0, sizeof(unsigned), stream));
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
