// One thread per byte, products and sums in half, fractions cut off.
//
// A thread finds its pixel and channel, and for each filter goes through all neighbours and their weights.
// Beyond the edges it takes the pixels at the edge. Lanes that are side by side read bytes that are side
// by side, and all of them the same weight.
// Cost per byte, filter and tap: a load of a pixel and one of a weight, both from the caches; two indices
// clamped; one fused multiplication and addition.
// Stops being good: at once, for the eye. A half has 11 binary digits: beside a sum of 128, what is below
// 1/16 is lost. Of a filter of 81x81 most products are that small, and light areas turn out dark.
// Source: NVIDIA, CUDA C++ Programming Guide, Half Precision.
#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "gaussian_pixel.hpp"

constexpr int threads_per_block = 128;  // 4 warps

__global__ void __launch_bounds__(threads_per_block)
    gaussian_cuda_cores_kernel(const unsigned char* __restrict__ in,  // (height, width, channels)
                               FilterBank filters,                    // weights: (count, side, side)
                               unsigned char* __restrict__ out,       // (count, height, width, channels)
                               ImageShape image) {
  // BEGIN SOLUTION
  const std::int64_t position = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position >= image.bytes()) return;
  const BytePlace place = gaussian_place(position, image);
  const int radius = filters.radius();
  for (int filter = 0; filter < filters.count; ++filter) {
    const __half* weight = filters.weights + filter * filters.taps();
    __half sum = __float2half(0.0f);
    for (int down = -radius; down <= radius; ++down)
      for (int right = -radius; right <= radius; ++right, ++weight) {
        const __half pixel = __ushort2half_rn(gaussian_neighbour(in, image, place, down, right));
        sum = __hfma(pixel, *weight, sum);
      }
    const float level = __half2float(sum) * filters.weight_gain;
    out[filter * image.bytes() + position] = static_cast<unsigned char>(fminf(fmaxf(level, 0.0f), 255.0f));
  }
  // STUB // 1. Your byte is number blockIdx.x * blockDim.x + threadIdx.x, in 64 bits; gaussian_place says where it
  // STUB //    is.
  // STUB // 2. For each filter: add neighbour times weight with __hfma, row by row. gaussian_neighbour reads a pixel.
  // STUB // 3. The sum times weight_gain is the level: saturate it to 0..255 and cut the fraction off.
  // END SOLUTION
}

void gaussian_cuda_cores(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                         ImageShape image, cudaStream_t stream) {
  if (!gaussian_has_work(in, out, filters, image)) return;
  const dim3 grid = gaussian_grid(image, threads_per_block);
  // BEGIN SOLUTION
  gaussian_cuda_cores_kernel<<<grid, threads_per_block, 0, stream>>>(in, filters, out, image);
  CUDA_CHECK_LAUNCH();
  // STUB (void)grid, (void)stream;
  // STUB warplab::todo(
  // STUB     "gaussian_cuda_cores: one thread per byte; for each filter the sum of neighbours times weights, "
  // STUB     "in half; launch here");
  // END SOLUTION
}
