// As cuda_cores with sums in float, and rounded: right to the nearest grey level.
//
// The weights stay halves, and the pixels bytes. Both fit a float without loss, and so does their product: 11
// binary digits times 8. What is left is the rounding of the sum, 2^-24 of it a step, where it had been
// 2^-11. Rounding the level halves its largest error, and the image no longer grows darker by half a level.
// Cost: as cuda_cores. On sm_90 float and half multiply and add at the same rate, where halves do not come in
// pairs; on sm_80 single halves are twice as fast.
// Stops being good: as cuda_cores: each byte is asked for by all its neighbours, once for each filter.
#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "gaussian_pixel.hpp"

constexpr int threads_per_block = 128;

__global__ void __launch_bounds__(threads_per_block)
    gaussian_cuda_cores_float_kernel(const unsigned char* __restrict__ in,  // (height, width, channels)
                                     FilterBank filters,                    // weights: (count, side, side)
                                     unsigned char* __restrict__ out,  // (count, height, width, channels)
                                     ImageShape image) {
  // BEGIN SOLUTION
  const std::int64_t position = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position >= image.bytes()) return;
  const BytePlace place = gaussian_place(position, image);
  const int radius = filters.radius();
  for (int filter = 0; filter < filters.count; ++filter) {
    const __half* weight = filters.weights + filter * filters.taps();
    float sum = 0;
    for (int down = -radius; down <= radius; ++down)
      for (int right = -radius; right <= radius; ++right, ++weight)
        sum += __half2float(*weight) * gaussian_neighbour(in, image, place, down, right);
    out[filter * image.bytes() + position] = gaussian_level(sum * filters.weight_gain);
  }
  // STUB // As in cuda_cores, with a float for the sum; gaussian_level rounds and saturates.
  // END SOLUTION
}

void gaussian_cuda_cores_float(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                               ImageShape image, cudaStream_t stream) {
  if (!gaussian_has_work(in, out, filters, image)) return;
  const dim3 grid = gaussian_grid(image, threads_per_block);
  // BEGIN SOLUTION
  gaussian_cuda_cores_float_kernel<<<grid, threads_per_block, 0, stream>>>(in, filters, out, image);
  CUDA_CHECK_LAUNCH();
  // STUB (void)grid, (void)stream;
  // STUB warplab::todo("gaussian_cuda_cores_float: cuda_cores with sums in float, rounded; launch here");
  // END SOLUTION
}
