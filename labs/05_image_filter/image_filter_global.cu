// Image and filter in global memory: one thread per pixel.
//
// Every output pixel reads its whole neighbourhood and the whole filter. Neighbouring threads read
// neighbouring pixels, and all threads of a warp read the same coefficient at the same time: one sector for
// 32 lanes. Most of these loads end in a cache, since nine pixels share every input; but each is an
// instruction all the same. Pixels at the edge follow a border rule. Bytes are rounded and saturated: a bare
// cast would cut off the fraction and wrap.
// Cost per pixel, 3x3: 9 loads of pixels, 9 of coefficients, 9 multiply-adds, 1 store, 9 times the border
// rule.
// Stops being good: at once. Half of the loads fetch coefficients that never change.
// Source: V. Podlozhnyuk, Image Convolution with CUDA, NVIDIA, 2007.
#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "image_filter_pixels.hpp"

template <class T, warplab::Border border>
__global__ void image_filter_global_kernel(const T* __restrict__ in,          // (height, width, channels)
                                           const float* __restrict__ filter,  // (side, side)
                                           T* __restrict__ out,               // (height, width, channels)
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
          sum += filter[k] *
                 static_cast<float>(in[(std::int64_t{row} * image.width + col) * image.channels + c]);
      }
    out[here] = to_element<T>(sum);
  }
  // STUB // 1. Which pixel is mine (pixel_of_thread)? Am I inside? Does the border rule `untouched` leave my pixel
  // STUB //    alone?
  // STUB // 2. For each channel: copy alpha; else add up filter * pixel over the neighbourhood, with
  // STUB //    border_index<border> saying which row and column is read (-1: none, it counts as 0), and store
  // STUB //    to_element<T>(sum).
  // END SOLUTION
}

template <class T>
void image_filter_global(const T* in, const float* filter, T* out, FilteredImage image, cudaStream_t stream) {
  if (!image_filter_has_work(in, out, image)) return;
  const dim3 block(32, 8);
  const dim3 grid = warplab::grid_in_layers(warplab::ceil_div(image.width, block.x),
                                            warplab::ceil_div(image.height, block.y));
  // BEGIN SOLUTION
  warplab::with_border(image.border, [&]<warplab::Border border>() {
    image_filter_global_kernel<T, border><<<grid, block, 0, stream>>>(in, filter, out, image);
  });
  // STUB (void)grid;
  // STUB // The kernel needs image.border when it is compiled: with_border() in common/border.hpp calls what it
  // STUB // gets, a lambda such as [&]<warplab::Border border>() { ... }, with each rule's own instance.
  // STUB warplab::todo(
  // STUB     "image_filter_global: weigh and add your pixel's neighbours, channel by channel; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void image_filter_global(const unsigned char*, const float*, unsigned char*, FilteredImage,
                                  cudaStream_t);
template void image_filter_global(const float*, const float*, float*, FilteredImage, cudaStream_t);
