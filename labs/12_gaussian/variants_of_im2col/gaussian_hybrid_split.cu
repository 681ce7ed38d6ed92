// hybrid_two_kernels with its kernels side by side: the second one has a stream of its own.
//
// A stream does one thing after another. An event in the
// caller's stream starts it, so that it does not run before what the caller queued, and one in its own stream
// ends it: the caller's stream goes on after both. The host waits for neither. `initial_block` is the
// block of the image at which the second kernel begins.
// Cost: as hybrid_two_kernels; and two events recorded and waited for.
// Stops being good: as hybrid_fused. Besides, one kernel's blocks fill the multiprocessors, and the other's
// come in where they end: much of the two runs one after the other.
// Source: NVIDIA, CUDA C++ Programming Guide, Streams.
#include "common/cuda_check.hpp"
#include "gaussian_hybrid_parts.hpp"

__global__ void __launch_bounds__(threads_per_block)
    gaussian_split_tensor_kernel(const unsigned char* __restrict__ in,  // (height, width, channels)
                                 FilterBank filters,                    // weights: (count, side, side)
                                 unsigned char* __restrict__ out,       // (count, height, width, channels)
                                 ImageShape image) {
  __shared__ WarpMatrices matrices[num_warps];
  const std::int64_t position = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  gaussian_byte_on_tensor_cores(in, filters, out, image, position, matrices[threadIdx.x / warpSize]);
}

__global__ void __launch_bounds__(threads_per_block)
    gaussian_split_cuda_kernel(const unsigned char* __restrict__ in,  // (height, width, channels)
                               FilterBank filters,                    // weights: (count, side, side)
                               unsigned char* __restrict__ out,       // (count, height, width, channels)
                               ImageShape image, std::int64_t initial_block) {
  const std::int64_t position = (blockIdx.x + initial_block) * blockDim.x + threadIdx.x;
  gaussian_byte_on_cuda_cores(in, filters, out, image, position);
}

/// Made by the first call, and kept: a launcher that made them each time would wait for the device.
struct SecondStream {
  cudaStream_t stream;
  cudaEvent_t begin, end;

  SecondStream() {
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA_CHECK(cudaEventCreateWithFlags(&begin, cudaEventDisableTiming));
    CUDA_CHECK(cudaEventCreateWithFlags(&end, cudaEventDisableTiming));
  }
};

void gaussian_hybrid_split(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                           ImageShape image, float balance, cudaStream_t stream) {
  gaussian_check_balance(balance);
  if (!gaussian_has_work(in, out, filters, image, max_tensor_filters)) return;
  const unsigned blocks = gaussian_grid(image, threads_per_block).x;
  const auto blocks_tensor = static_cast<unsigned>(double{balance} * blocks);
  const unsigned blocks_cuda = blocks - blocks_tensor;  // a grid of 0 blocks is an error in CUDA
  static const SecondStream second;
  if (blocks_cuda > 0) {
    CUDA_CHECK(cudaEventRecord(second.begin, stream));
    CUDA_CHECK(cudaStreamWaitEvent(second.stream, second.begin, 0));
    gaussian_split_cuda_kernel<<<blocks_cuda, threads_per_block, 0, second.stream>>>(in, filters, out, image,
                                                                                     blocks_tensor);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaEventRecord(second.end, second.stream));
  }
  if (blocks_tensor > 0) {
    gaussian_split_tensor_kernel<<<blocks_tensor, threads_per_block, 0, stream>>>(in, filters, out, image);
    CUDA_CHECK_LAUNCH();
  }
  if (blocks_cuda > 0) CUDA_CHECK(cudaStreamWaitEvent(stream, second.end, 0));
}
