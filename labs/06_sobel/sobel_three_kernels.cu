// Three kernels: gx into memory, gy into memory, then the magnitude of both.
//
// One thread per pixel. Both filters are in constant memory: all lanes of a warp ask for the same weight at
// the same time, which is one address and one answer. `hor` chooses the filter. It is the same for the whole
// launch, so no warp ever goes both ways: a branch costs where lanes disagree, not where there is one.
// Cost per pixel, in float: 4 bytes read and 4 written by each of the first two launches, 8 read and 4
// written by the third: 28, where 8 would do. 18 loads of pixels (6 of them to be multiplied by 0), 2 of
// sums.
// Stops being good: at once. What one launch writes the next one reads back, and a large image has left the
// caches by then.
// Source: I. Sobel, An Isotropic 3x3 Image Gradient Operator, 1968.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "sobel.hpp"
#include "sobel_pixel.hpp"

using warplab::Border;

__constant__ float filter_horizontal[9] = {-1, 0, 1, -2, 0, 2, -1, 0, 1};
__constant__ float filter_vertical[9] = {-1, -2, -1, 0, 0, 0, 1, 2, 1};

template <Border border, class T>
__global__ void sobel_apply_filter_kernel(const T* __restrict__ in,       // (height, width)
                                          float* __restrict__ gradients,  // (height, width)
                                          bool hor, int width, int height) {
  // BEGIN SOLUTION
  const std::int64_t row = (std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y;
  const std::int64_t col = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (!sobel_writes<border>(row, col, width, height)) return;
  float sum = 0;
  for (int k = -1; k <= 1; ++k)
    for (int l = -1; l <= 1; ++l) {
      const float pixel = sobel_pixel<border>(in, width, height, row + k, col + l);
      const int weight = (k + 1) * 3 + l + 1;
      if (hor)
        sum += filter_horizontal[weight] * pixel;
      else
        sum += filter_vertical[weight] * pixel;
    }
  gradients[row * width + col] = sum;
  // STUB // Find your pixel and ask sobel_writes whether it is yours to write. Then lay the filter that `hor` names
  // STUB // over it.
  // END SOLUTION
}

template <Border border, class T>
__global__ void sobel_magnitude_kernel(const float* __restrict__ gx,  // (height, width)
                                       const float* __restrict__ gy,  // (height, width)
                                       T* __restrict__ out,           // (height, width)
                                       float* __restrict__ angle,     // (height, width), or null
                                       int width, int height) {
  // BEGIN SOLUTION
  const std::int64_t row = (std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y;
  const std::int64_t col = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (!sobel_writes<border>(row, col, width, height)) return;
  const std::int64_t i = row * width + col;
  out[i] = sobel_level<T>(sqrtf(gx[i] * gx[i] + gy[i] * gy[i]));
  if (angle) angle[i] = sobel_angle(gx[i], gy[i]);
  // STUB // The magnitude through sobel_level, and the angle through sobel_angle where it is wanted.
  // END SOLUTION
}

template <class T>
void sobel_three_kernels(const T* in, T* out, float* angle, float* gradients, int width, int height,
                         Border border, dim3 block, cudaStream_t stream) {
  warplab::check_block(block, 2);
  if (!sobel_has_work(in, out, width, height)) return;
  const dim3 grid = sobel_grid(width, height, block.x, block.y);
  float* const gx = gradients;
  float* const gy = gradients + std::int64_t{width} * height;
  warplab::with_border(border, [&]<Border rule>() {
    // BEGIN SOLUTION
    sobel_apply_filter_kernel<rule><<<grid, block, 0, stream>>>(in, gx, true, width, height);
    CUDA_CHECK_LAUNCH();
    sobel_apply_filter_kernel<rule><<<grid, block, 0, stream>>>(in, gy, false, width, height);
    CUDA_CHECK_LAUNCH();
    sobel_magnitude_kernel<rule><<<grid, block, 0, stream>>>(gx, gy, out, angle, width, height);
    CUDA_CHECK_LAUNCH();
    // STUB (void)grid, (void)gx, (void)gy;
    // STUB warplab::todo(
    // STUB     "sobel_three_kernels: the filter into gx, the filter into gy, then the magnitude; three launches");
    // END SOLUTION
  });
}

template void sobel_three_kernels(const unsigned char*, unsigned char*, float*, float*, int, int, Border,
                                  dim3, cudaStream_t);
template void sobel_three_kernels(const float*, float*, float*, float*, int, int, Border, dim3, cudaStream_t);
