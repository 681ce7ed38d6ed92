#include "unsupported.hpp"

namespace warplab::driver {
namespace {

struct Lack {
  const char* word;  ///< in the errors
  const char* what;
};

constexpr Lack lacks[] = {
    {"thrust/", "Thrust"},
    {"cub/", "CUB"},
    {"curand", "cuRAND"},
    {"cublas", "cuBLAS"},
    {"cufft", "cuFFT"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"cudnn", "cuDNN"},
    {"error: npp", "NPP"},
    {"nvtx3/", "NVTX"},
    {"CUmodule", "driver API but for tensor maps (the runtime API is there)"},
    {"CUcontext", "driver API but for tensor maps (the runtime API is there)"},
    {"CUfunction", "driver API but for tensor maps (the runtime API is there)"},
    {"cuda/std/", "libcu++ beyond <cuda/atomic>, <cuda/barrier>, <cuda/pipeline> and <cuda/ptx>"},
    {"cudaTextureObject_t", "textures"},
    {"cudaSurfaceObject_t", "surfaces"},
    {"cudaArray_t", "CUDA arrays"},
    {"cudaGraph", "graphs"},
    {"cudaStreamBeginCapture", "graphs"},
    {"cudaMemPool_t", "memory pools (cudaMallocAsync is there)"},
    {"cudaMemcpy3D", "copies in three dimensions"},
};

}  // namespace

std::string unsupported(std::string_view errors) {
  for (const Lack& lack : lacks)
    for (std::size_t at = errors.find("error: "); at != std::string_view::npos;
         at = errors.find("error: ", at + 1))
      if (errors.substr(at, errors.find('\n', at) - at).find(lack.word) != std::string_view::npos)
        return std::string("the emulator has no ") + lack.what + ": such a program needs a GPU and nvcc";
  return "";
}

}  // namespace warplab::driver
