// NVIDIA's cuFFT: a correlation is a product of transforms.
//
// The image's channels become planes of float with their border, padded to a size that has only small
// factors, and are transformed once, as a batch. Each filter is transformed separately, its conjugate
// multiplied with all planes, and these are transformed back and rounded. All in place: three buffers
// whatever the number of filters.
// Cost: whatever the filter's size, one transform of the image and one inverse per filter, 4 bytes per pixel
// and pass.
// Stops being good: for small filters, whose products cost less than the passes over memory.
// Source: cuFFT's manual, "Multidimensional Transforms"; R2C and C2R, single precision.
#include <cstdint>

#include "cufft_plan.hpp"
#include "gaussian.hpp"
#include "peer_device.hpp"

/// Bytes of up to 4 channels to planes with their border; zeros beyond it.
static __global__ void planes_of_image(const unsigned char* __restrict__ in,  // (height, width, channels)
                                       float* __restrict__ planes,  // (channels of these, rows, 2 * line)
                                       ImageShape image, int channel, int channels, int radius, int rows,
                                       int line) {
  const int y = blockIdx.y;
  const unsigned char* row = in + std::int64_t{peer_clamp(y - radius, image.height)} * image.row() + channel;
  for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < 2 * line; x += gridDim.x * blockDim.x) {
    const bool inside = y < image.height + 2 * radius && x < image.width + 2 * radius;
    const unsigned char* pixel = row + peer_clamp(x - radius, image.width) * image.channels;
    for (int c = 0; c < channels; ++c)
      planes[(std::int64_t{c} * rows + y) * 2 * line + x] = inside ? pixel[c] : 0.0f;
  }
}

static __global__ void plane_of_filter(const __half* __restrict__ weights,  // (side, side)
                                       float* __restrict__ plane,           // (rows, 2 * line)
                                       int side, float gain, int line) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < side * side; i += gridDim.x * blockDim.x)
    plane[std::int64_t{i / side} * 2 * line + i % side] = __half2float(weights[i]) * gain;
}

/// products = image * conj(filter), plane by plane.
static __global__ void multiply(const float2* __restrict__ image,   // (planes, n)
                                const float2* __restrict__ filter,  // n
                                float2* __restrict__ products,      // (planes, n)
                                std::int64_t n, int planes) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    const float2 f = filter[i];
    for (int p = 0; p < planes; ++p) {
      const float2 a = image[p * n + i];
      products[p * n + i] = make_float2(a.x * f.x + a.y * f.y, a.y * f.x - a.x * f.y);
    }
  }
}

static __global__ void image_of_planes(
    const float* __restrict__ planes,  // (channels of these, rows, 2 * line)
    unsigned char* __restrict__ out,   // (height, width, channels)
    ImageShape image, int channel, int channels, int rows, int line) {
  const int y = blockIdx.y + blockIdx.z * gridDim.y;
  if (y >= image.height) return;
  for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < image.width; x += gridDim.x * blockDim.x) {
    unsigned char* pixel = out + std::int64_t{y} * image.row() + std::int64_t{x} * image.channels + channel;
    const auto level = [&](int c) {
      return gaussian_level(planes[(std::int64_t{c} * rows + y) * 2 * line + x]);
    };
    if (image.channels == 4 && reinterpret_cast<std::uintptr_t>(out) % 4 == 0) {
      *reinterpret_cast<uchar4*>(pixel) = make_uchar4(level(0), level(1), level(2), level(3));
    } else {
      for (int c = 0; c < channels; ++c) pixel[c] = level(c);
    }
  }
}

void gaussian_cufft(const unsigned char* in, const FilterBank& filters, unsigned char* out, ImageShape image,
                    cudaStream_t stream) {
  if (!gaussian_has_work(in, out, filters, image)) return;
  const int rows = good_cufft_size(image.height + filters.side - 1),
            cols = good_cufft_size(image.width + filters.side - 1);
  if (rows > 65535) throw std::invalid_argument("this peer takes images of up to 65,000 rows");
  const int line = cols / 2 + 1, batch = std::min(image.channels, 4);
  const std::int64_t a_plane = std::int64_t{line} * rows;

  static CufftPlan forward, forward_filter, back;
  static PeerMemory of_image, of_filter, of_products;
  auto* const spectrum = of_image.get<float2>(batch * a_plane * 8);
  auto* const filter = of_filter.get<float2>(a_plane * 8);
  auto* const products = of_products.get<float2>(batch * a_plane * 8);
  auto* const plane = reinterpret_cast<float*>(filter);
  auto* const results = reinterpret_cast<float*>(products);
  const float gain = filters.weight_gain / (static_cast<float>(rows) * static_cast<float>(cols));
  const dim3 of_rows(static_cast<unsigned>(std::min((cols + 255) / 256, 64)), rows);
  const dim3 of_pixels(of_rows.x, image.height);
  for (int channel = 0; channel < image.channels; channel += batch) {
    const int channels = std::min(batch, image.channels - channel);
    planes_of_image<<<of_rows, 256, 0, stream>>>(in, reinterpret_cast<float*>(spectrum), image, channel,
                                                 channels, filters.radius(), rows, line);
    CUFFT_CHECK(cufftExecR2C(forward.get(CUFFT_R2C, rows, cols, batch, stream),
                             reinterpret_cast<float*>(spectrum), spectrum));
    for (int f = 0; f < filters.count; ++f) {
      CUDA_CHECK(cudaMemsetAsync(filter, 0, a_plane * 8, stream));
      plane_of_filter<<<peer_blocks(filters.taps()), 256, 0, stream>>>(filters.weights + f * filters.taps(),
                                                                       plane, filters.side, gain, line);
      CUFFT_CHECK(cufftExecR2C(forward_filter.get(CUFFT_R2C, rows, cols, 1, stream), plane, filter));
      multiply<<<peer_blocks(a_plane), 256, 0, stream>>>(spectrum, filter, products, a_plane, channels);
      CUFFT_CHECK(cufftExecC2R(back.get(CUFFT_C2R, rows, cols, batch, stream), products, results));
      image_of_planes<<<of_pixels, 256, 0, stream>>>(results, out + f * image.bytes(), image, channel,
                                                     channels, rows, line);
    }
  }
  CUDA_CHECK_LAUNCH();
}
