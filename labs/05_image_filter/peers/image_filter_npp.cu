// What a user would pick instead: NVIDIA Performance Primitives, the library of
// image filters in the CUDA toolkit.
//
// NPP convolves where this lab correlates: it turns the filter round, so a filter from a file is turned round
// before. It has the border rule clamp under the name "replicate", and untouched as a filter of only the
// inner part. Of bytes it cuts off the fraction: a mean of bytes is lower by one in nearly every second
// pixel, which is not this lab's result. Source: NVIDIA, "NPP: Image Filtering Functions", the general
// filters of nppi_filtering_functions.h.
#include <nppi_filtering_functions.h>

#include <stdexcept>
#include <string>

#include "common/cuda_check.hpp"
#include "image_filter.hpp"

__global__ void image_filter_npp_reverse_kernel(const float* filter, float* reversed, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) reversed[count - 1 - i] = filter[i];
}

static NppStreamContext context_of(cudaStream_t stream) {
  NppStreamContext context{};
  context.hStream = stream;
  CUDA_CHECK(cudaGetDevice(&context.nCudaDeviceId));
  const auto attribute = [&](cudaDeviceAttr which) {
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, context.nCudaDeviceId));
    return value;
  };
  context.nMultiProcessorCount = attribute(cudaDevAttrMultiProcessorCount);
  context.nMaxThreadsPerMultiProcessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  context.nMaxThreadsPerBlock = attribute(cudaDevAttrMaxThreadsPerBlock);
  context.nSharedMemPerBlock = static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlock));
  context.nCudaDevAttrComputeCapabilityMajor = attribute(cudaDevAttrComputeCapabilityMajor);
  context.nCudaDevAttrComputeCapabilityMinor = attribute(cudaDevAttrComputeCapabilityMinor);
  CUDA_CHECK(cudaStreamGetFlags(stream, &context.nStreamFlags));
  return context;
}

template <class T>
void image_filter_npp(const T* in, const float* filter, T* out, FilteredImage image, float* reversed,
                      cudaStream_t stream) {
  if (!image_filter_has_work(in, out, image)) return;
  constexpr bool bytes = sizeof(T) == 1;
  const bool inner = image.border == warplab::Border::untouched;
  if (image.channels != 1) throw std::invalid_argument("the peer filters images of one channel");
  if (!inner && image.border != warplab::Border::clamp)
    throw std::invalid_argument("NPP has no filter with this border; it has clamp and untouched");
  if (bytes && image.kind == FilterKind::mean)
    throw std::invalid_argument("NPP cuts off the fraction of a mean of bytes, which this lab rounds");
  const int side = image.filter_side();
  const int skipped = inner ? image.radius : 0;  // pixels at each edge that are not written
  const NppiSize whole{image.width, image.height},
      part{image.width - 2 * skipped, image.height - 2 * skipped};
  if (part.width <= 0 || part.height <= 0) return;

  const float* kernel = filter;
  if (image.kind == FilterKind::file) {
    image_filter_npp_reverse_kernel<<<1, 256, 0, stream>>>(filter, reversed, side * side);
    CUDA_CHECK_LAUNCH();
    kernel = reversed;
  }
  const NppStreamContext context = context_of(stream);
  const NppiSize mask{side, side};
  const NppiPoint centre{image.radius, image.radius}, start{skipped, skipped};
  const int step = image.width * static_cast<int>(sizeof(T));
  const std::int64_t first = std::int64_t{skipped} * image.width + skipped;
  NppStatus status;
  if constexpr (bytes)
    status = nppiFilterBorder32f_8u_C1R_Ctx(in + first, step, whole, start, out + first, step, part, kernel,
                                            mask, centre, NPP_BORDER_REPLICATE, context);
  else
    status = nppiFilterBorder_32f_C1R_Ctx(in + first, step, whole, start, out + first, step, part, kernel,
                                          mask, centre, NPP_BORDER_REPLICATE, context);
  if (status == NPP_SUCCESS) return;
  static_cast<void>(cudaGetLastError());  // of a launch: the next call is not to find it
  throw std::invalid_argument("NPP cannot filter " + std::to_string(image.width) + "x" +
                              std::to_string(image.height) + " pixels (status " +
                              std::to_string(static_cast<int>(status)) + ")");
}

template void image_filter_npp(const unsigned char*, const float*, unsigned char*, FilteredImage, float*,
                               cudaStream_t);
template void image_filter_npp(const float*, const float*, float*, FilteredImage, float*, cudaStream_t);
