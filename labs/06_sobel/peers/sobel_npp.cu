// NVIDIA's NPP: what a user would call.
//
// nppiGradientVectorSobelBorder gives magnitudes (and gx, gy and an angle, which nobody asks for here). It
// knows one border, clamp. For float that is all. For bytes its magnitudes have 16 bits and are cut off, not
// rounded. So here the bytes become 16-bit pixels, these float magnitudes, and these bytes again, rounded
// and saturated: three calls, 14 bytes per pixel instead of 2. The way by float pixels is slower still.
// Source: NPP's manual, Image Filtering, Gradient Vector.
#include <nppdefs.h>
#include <nppi_data_exchange_and_initialization.h>
#include <nppi_filtering_functions.h>

#include <climits>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "common/cuda_check.hpp"
#include "sobel.hpp"

static NppStreamContext npp_context(cudaStream_t stream) {
  static const NppStreamContext of_device = [] {
    NppStreamContext context{};
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDevice(&context.nCudaDeviceId));
    CUDA_CHECK(cudaGetDeviceProperties(&device, context.nCudaDeviceId));
    context.nMultiProcessorCount = device.multiProcessorCount;
    context.nMaxThreadsPerMultiProcessor = device.maxThreadsPerMultiProcessor;
    context.nMaxThreadsPerBlock = device.maxThreadsPerBlock;
    context.nSharedMemPerBlock = device.sharedMemPerBlock;
    context.nCudaDevAttrComputeCapabilityMajor = device.major;
    context.nCudaDevAttrComputeCapabilityMinor = device.minor;
    return context;
  }();
  NppStreamContext context = of_device;
  context.hStream = stream;
  CUDA_CHECK(cudaStreamGetFlags(stream, &context.nStreamFlags));
  return context;
}

/// NPP launches a block per 16 rows or so and no grid in layers: more rows than 65,535 such blocks have end
/// in an error of the launch. That is a size that NPP cannot do, not a wrong result.
static void check(NppStatus status, const NppiSize& size) {
  if (status == NPP_NO_ERROR) return;
  static_cast<void>(cudaGetLastError());  // of the launch: the next call is not to find it
  const std::string place = std::to_string(size.width) + "x" + std::to_string(size.height) +
                            " pixels (status " + std::to_string(static_cast<int>(status)) + ")";
  if (status == NPP_CUDA_KERNEL_EXECUTION_ERROR) throw std::invalid_argument("NPP cannot filter " + place);
  throw std::runtime_error("NPP failed at " + place);
}

template <class T>
void sobel_npp(const T* in, T* out, float* angle, void* workspace, int width, int height,
               warplab::Border border, cudaStream_t stream) {
  if (!sobel_has_work(in, out, width, height)) return;
  if (width > INT_MAX / 4)
    throw std::invalid_argument("NPP takes at most " + std::to_string(INT_MAX / 4) +
                                " columns: its int holds the bytes of a row, 4 per pixel");
  if (border != warplab::Border::clamp)
    throw std::invalid_argument("NPP's Sobel filter knows only the border clamp");
  if (angle) throw std::invalid_argument("NPP's angle is not that of this lab");
  const NppStreamContext context = npp_context(stream);
  const NppiSize size{width, height};
  const int row = width * static_cast<int>(sizeof(T)), row_16s = 2 * width, row_32f = 4 * width;
  if constexpr (sizeof(T) == 4) {
    check(nppiGradientVectorSobelBorder_32f_C1R_Ctx(in, row, size, {0, 0}, nullptr, 0, nullptr, 0, out, row,
                                                    nullptr, 0, size, NPP_MASK_SIZE_3_X_3, nppiNormL2,
                                                    NPP_BORDER_REPLICATE, context),
          size);
  } else {
    auto* const magnitudes = static_cast<Npp32f*>(workspace);  // (height, width)
    auto* const pixels =
        reinterpret_cast<Npp16s*>(magnitudes + std::int64_t{width} * height);  // (height, width)
    check(nppiConvert_8u16s_C1R_Ctx(in, row, pixels, row_16s, size, context), size);
    check(nppiGradientVectorSobelBorder_16s32f_C1R_Ctx(
              pixels, row_16s, size, {0, 0}, nullptr, 0, nullptr, 0, magnitudes, row_32f, nullptr, 0, size,
              NPP_MASK_SIZE_3_X_3, nppiNormL2, NPP_BORDER_REPLICATE, context),
          size);
    check(nppiConvert_32f8u_C1R_Ctx(magnitudes, row_32f, out, row, size, NPP_RND_NEAR, context), size);
  }
}

template void sobel_npp(const unsigned char*, unsigned char*, float*, void*, int, int, warplab::Border,
                        cudaStream_t);
template void sobel_npp(const float*, float*, float*, void*, int, int, warplab::Border, cudaStream_t);
