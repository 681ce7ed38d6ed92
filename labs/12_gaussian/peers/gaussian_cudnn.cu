// NVIDIA's cuDNN: a convolution layer with one input channel and an output channel for each filter.
//
// The image's channels are the batch. Its bytes become half, with their border; sums are float, results
// half, and those are rounded to bytes. Which of cuDNN's algorithms and layouts (channels first or last) is
// fastest is found once a shape, by trying all of them on a part of the image. Filters go in groups whose
// results fit into 4 GB.
// Cost: 2 bytes per pixel in and 2 per result out, each read and written, besides the convolution.
// Stops being good: with one input channel. cuDNN's kernels multiply channels by channels, and here there is
// one.
// Source: cuDNN's manual, cudnnConvolutionForward, cudnnFindConvolutionForwardAlgorithmEx.
#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

#include "cudnn_layer.hpp"
#include "gaussian.hpp"

constexpr std::size_t max_results = std::size_t{4} << 30;  // bytes

/// Bytes to halves with the border around them, channel by channel.
static __global__ void halves_of_image(const unsigned char* __restrict__ in,  // (height, width, channels)
                                       __half* __restrict__ halves,  // (batch, height + 2r, width + 2r)
                                       ImageShape image, int channel, int batch, int radius) {
  const int cols = image.width + 2 * radius;
  const std::int64_t rows = std::int64_t{image.height} + 2 * radius;
  for (std::int64_t y = blockIdx.y; y < rows; y += gridDim.y) {
    const int from = peer_clamp(static_cast<int>(y) - radius, image.height);
    const unsigned char* row = in + std::int64_t{from} * image.row() + channel;
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < cols; x += gridDim.x * blockDim.x) {
      const unsigned char* pixel = row + peer_clamp(x - radius, image.width) * image.channels;
      for (int c = 0; c < batch; ++c) halves[(c * rows + y) * cols + x] = __ushort2half_rn(pixel[c]);
    }
  }
}

/// Halves to bytes, rounded; a filter's results are `filter_step` halves from the next one's.
static __global__ void image_of_halves(const __half* __restrict__ halves,  // (batch, ...), see the steps
                                       unsigned char* __restrict__ out,  // (filters, height, width, channels)
                                       ImageShape image, int channel, int batch, int filters,
                                       std::int64_t filter_step, int pixel_step) {
  const std::int64_t pixels = std::int64_t{image.width} * image.height;
  const bool words = image.channels == 4 && reinterpret_cast<std::uintptr_t>(out) % 4 == 0;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < pixels;
       i += std::int64_t{gridDim.x} * blockDim.x)
    for (int f = 0; f < filters; ++f) {
      const __half* from = halves + f * filter_step + i * pixel_step;
      unsigned char* to = out + f * image.bytes() + i * image.channels + channel;
      const auto level = [&](int c) { return gaussian_level(__half2float(from[c * pixels * filters])); };
      if (words) {
        *reinterpret_cast<uchar4*>(to) = make_uchar4(level(0), level(1), level(2), level(3));
      } else {
        for (int c = 0; c < batch; ++c) to[c] = level(c);
      }
    }
}

void gaussian_cudnn(const unsigned char* in, const FilterBank& filters, unsigned char* out, ImageShape image,
                    cudaStream_t stream) {
  if (!gaussian_has_work(in, out, filters, image)) return;
  static cudnnHandle_t handle = [] {
    cudnnHandle_t made;
    CUDNN_CHECK(cudnnCreate(&made));
    return made;
  }();
  static PeerMemory of_image, of_results, of_workspace;
  static std::map<std::tuple<int, int, int, int, int>, CudnnChoice> chosen;
  CUDNN_CHECK(cudnnSetStream(handle, stream));

  const int side = filters.side, max_batch = std::min(image.channels, 4);
  const std::int64_t pixels = std::int64_t{image.width} * image.height;
  const std::int64_t with_border =
      (std::int64_t{image.width} + side - 1) * (std::int64_t{image.height} + side - 1);
  const int group =
      static_cast<int>(std::clamp<std::int64_t>(max_results / (2 * max_batch * pixels), 1, filters.count));
  auto* const halves = of_image.get<__half>(2 * max_batch * with_border);
  auto* const results = of_results.get<__half>(2 * max_batch * pixels * group);
  const dim3 rows(static_cast<unsigned>(std::min((image.width + side + 254) / 256, 64)),
                  static_cast<unsigned>(std::min(image.height + side - 1, 65535)));
  for (int channel = 0; channel < image.channels; channel += max_batch) {
    const int batch = std::min(max_batch, image.channels - channel);
    halves_of_image<<<rows, 256, 0, stream>>>(in, halves, image, channel, batch, side / 2);
    for (int first = 0; first < filters.count; first += group) {
      const int held = std::min(group, filters.count - first);
      const __half* weights = filters.weights + first * filters.taps();
      const auto shape = std::tuple(batch, image.height, image.width, held, side);
      if (!chosen.contains(shape))
        chosen[shape] = choose_cudnn(handle, batch, image.height, image.width, held, side, halves, weights,
                                     results, of_workspace);
      const CudnnChoice choice = chosen[shape];
      const CudnnLayer layer(choice.layout, batch, image.height, image.width, held, side);
      const std::size_t bytes = layer.workspace(handle, choice.algorithm, choice.math);
      if (bytes == ~std::size_t{0}) throw std::invalid_argument("cuDNN has no algorithm for this shape");
      const float gain = filters.weight_gain, none = 0;
      CUDNN_CHECK(cudnnConvolutionForward(handle, &gain, layer.in, halves, layer.weights, weights,
                                          layer.operation, choice.algorithm, of_workspace.get(bytes), bytes,
                                          &none, layer.out, results));
      const bool channels_first = choice.layout == CUDNN_TENSOR_NCHW;
      image_of_halves<<<peer_blocks(pixels), 256, 0, stream>>>(
          results, out + first * image.bytes(), image, channel, batch, held, channels_first ? pixels : 1,
          channels_first ? 1 : held);
    }
  }
  CUDA_CHECK_LAUNCH();
}
