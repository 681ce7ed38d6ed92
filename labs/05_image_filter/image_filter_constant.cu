// The filter in constant memory: a coefficient costs its warp no load of its own.
//
// Constant memory has a cache of its own that gives all 32 lanes of a warp one word at a time. That is slow
// where lanes ask for different words, and ideal here: at every step all lanes want the same coefficient.
// Only the pixels are left for the path to global memory. The filter gets there by a copy on the same
// stream, which the kernel waits for; the host need not know the coefficients.
// Cost per pixel, 3x3: 9 loads of pixels, 9 of constants (1 word per warp each), 9 multiply-adds, 1
// store; and for a whole image one small copy, a microsecond or two, which a small image notices.
// Stops being good: nine loads per pixel remain, and each applies the border rule.
// Source: NVIDIA, CUDA C++ Programming Guide, Constant Memory.
#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "image_filter_pixels.hpp"

constexpr int max_side = 2 * max_filter_radius + 1;
__constant__ float coefficients[max_side * max_side];
static_assert(sizeof(coefficients) <= 65536, "constant memory holds 64 KiB");

template <class T, warplab::Border border>
__global__ void image_filter_constant_kernel(const T* __restrict__ in,  // (height, width, channels)
                                             T* __restrict__ out,       // (height, width, channels)
                                             FilteredImage image) {
  // BEGIN SOLUTION
  const auto [x, y] = pixel_of_thread();
  if (x >= image.width || y >= image.height) return;
  if (border == warplab::Border::untouched && is_edge(image, x, y)) return;

  for (int c = 0; c < image.channels; ++c) {
    const std::int64_t here = (std::int64_t{y} * image.width + x) * image.channels + c;
    if (image.is_alpha(c)) {
      out[here] = in[here];
      continue;
    }
    float sum = 0;
    int k = 0;  // of the filter, row by row
    for (int dy = -image.radius; dy <= image.radius; ++dy)
      for (int dx = -image.radius; dx <= image.radius; ++dx, ++k) {
        const int row = warplab::border_index<border>(y + dy, image.height);
        const int col = warplab::border_index<border>(x + dx, image.width);
        if (row >= 0 && col >= 0)
          sum += coefficients[k] *
                 static_cast<float>(in[(std::int64_t{row} * image.width + col) * image.channels + c]);
      }
    out[here] = to_element<T>(sum);
  }
  // STUB // As in image_filter_global, but the filter is `coefficients`.
  // END SOLUTION
}

template <class T>
void image_filter_constant(const T* in, const float* filter, T* out, FilteredImage image,
                           cudaStream_t stream) {
  if (!image_filter_has_work(in, out, image)) return;
  const dim3 block(32, 8);
  const dim3 grid = warplab::grid_in_layers(warplab::ceil_div(image.width, block.x),
                                            warplab::ceil_div(image.height, block.y));
  const std::size_t bytes = sizeof(float) * image.filter_side() * image.filter_side();
  // BEGIN SOLUTION
  CUDA_CHECK(cudaMemcpyToSymbolAsync(coefficients, filter, bytes, 0, cudaMemcpyDeviceToDevice, stream));
  warplab::with_border(image.border, [&]<warplab::Border border>() {
    image_filter_constant_kernel<T, border><<<grid, block, 0, stream>>>(in, out, image);
  });
  // STUB (void)grid, (void)bytes;
  // STUB // The filter lies in device memory. The launch is that of image_filter_global, without the filter.
  // STUB warplab::todo(
  // STUB     "image_filter_constant: copy the filter to `coefficients` on the stream, then launch your kernel");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void image_filter_constant(const unsigned char*, const float*, unsigned char*, FilteredImage,
                                    cudaStream_t);
template void image_filter_constant(const float*, const float*, float*, FilteredImage, cudaStream_t);
