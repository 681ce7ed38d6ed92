#include "unsupported.hpp"

namespace warplab::driver {
namespace {

constexpr Lack lacks[] = {
    {"thrust/", "Thrust"},
    {"cub/", "CUB"},
    {"curandStateMRG32k3a", "random generators but for XORWOW and Philox4_32_10"},
    {"curandStateMtgp32", "random generators but for XORWOW and Philox4_32_10"},
    {"curandStateSobol", "random generators but for XORWOW and Philox4_32_10"},
    {"curandStateScrambled", "random generators but for XORWOW and Philox4_32_10"},
    {"curandDirectionVector", "random generators but for XORWOW and Philox4_32_10"},
    {"curand_mtgp32", "random generators but for XORWOW and Philox4_32_10"},
    {"CURAND_RNG_PSEUDO_M", "random generators but for XORWOW and Philox4_32_10"},
    {"CURAND_RNG_QUASI", "random generators but for XORWOW and Philox4_32_10"},
    {"curand_poisson", "Poisson and discrete random numbers"},
    {"curandGeneratePoisson", "Poisson and discrete random numbers"},
    {"curand_discrete", "Poisson and discrete random numbers"},
    {"curandDiscreteDistribution", "Poisson and discrete random numbers"},
    {"cublasLtMa", "products of cuBLASLt (cublasSgemm and cublasGemmEx are there)"},
    {"cublasCge", "complex functions of cuBLAS"},
    {"cublasZge", "complex functions of cuBLAS"},
    {"cublasXt", "cuBLASXt"},
    {"cublas.h", "cuBLAS of before CUDA 4 (cublas_v2.h is there)"},
    {"GemmBatched", "products of cuBLAS whose matrices a list points at"},
    {"gemmBatched", "products of cuBLAS whose matrices a list points at"},
    {"cufft", "cuFFT"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"cudnn", "cuDNN"},
    {"npp.h", "NPP"},
    {"nppi", "NPP"},
    {"cuda_gl_interop", "interoperability with OpenGL"},
    {"nccl", "NCCL"},
    {"cooperative_groups/details", "parts of cooperative groups that are not documented"},
    {"CUmodule", "driver API but for tensor maps (the runtime API is there)"},
    {"CUcontext", "driver API but for tensor maps (the runtime API is there)"},
    {"CUfunction", "driver API but for tensor maps (the runtime API is there)"},
    {"cuda/std/", "libcu++ beyond <cuda/atomic>, <cuda/barrier>, <cuda/pipeline> and <cuda/ptx>"},
    {"tex3D", "textures and arrays of three dimensions"},
    {"surf3D", "textures and arrays of three dimensions"},
    {"cudaMalloc3DArray", "textures and arrays of three dimensions"},
    {"tex1DLayered", "layers and cubes of textures"},
    {"tex2DLayered", "layers and cubes of textures"},
    {"surf1DLayered", "layers and cubes of textures"},
    {"surf2DLayered", "layers and cubes of textures"},
    {"texCubemap", "layers and cubes of textures"},
    {"surfCubemap", "layers and cubes of textures"},
    {"MipmappedArray", "mipmaps, and reads of textures with a level or a gradient"},
    {"tex1DLod", "mipmaps, and reads of textures with a level or a gradient"},
    {"tex2DLod", "mipmaps, and reads of textures with a level or a gradient"},
    {"tex1DGrad", "mipmaps, and reads of textures with a level or a gradient"},
    {"tex2DGrad", "mipmaps, and reads of textures with a level or a gradient"},
    {"tex2Dgather", "gathers from textures"},
    {"cudaBindTexture", "references to textures, nor has CUDA 12 (use cudaTextureObject_t)"},
    {"textureReference", "references to textures, nor has CUDA 12 (use cudaTextureObject_t)"},
    {"cudaGraphConditional", "nodes of graphs for conditions"},
    {"cudaGraphAddMemAlloc", "nodes of graphs for memory"},
    {"cudaGraphAddMemFree", "nodes of graphs for memory"},
    {"cudaGraphMemA", "nodes of graphs for memory"},
    {"cudaGraphAddEvent", "nodes of graphs for events"},
    {"cudaGraphAddExternal", "nodes of graphs for semaphores"},
    {"cudaMemPoolExport", "memory pools that processes share"},
    {"cudaMemPoolImport", "memory pools that processes share"},
    {"cudaMemPoolSetAccess", "memory pools of several devices"},
    {"cudaMemcpy3D(", "copies in three dimensions"},
    {"cudaMemcpy3DAsync", "copies in three dimensions"},
    {"cudaMemcpy3DPeer", "copies in three dimensions"},
};

}  // namespace

const Lack* find_lack(std::string_view text) {
  for (const Lack& lack : lacks)
    if (text.find(lack.word) != std::string_view::npos) return &lack;
  return nullptr;
}

namespace {

/// Whether an error is about a name that begins so. A compiler quotes in the user's own language.
bool is_about(std::string_view errors, const std::string& beginning) {
  for (const char* const quote : {"‘", "'"})
    if (errors.find("error: " + (quote + beginning)) != std::string_view::npos) return true;
  return false;
}

}  // namespace

std::string unsupported(std::string_view errors) {
  for (std::size_t at = errors.find("error: "); at != std::string_view::npos;
       at = errors.find("error: ", at + 1))
    if (const Lack* const lack = find_lack(errors.substr(at, errors.find('\n', at) - at)))
      return std::string("the emulator has no ") + lack->what + ": such a program needs a GPU and nvcc";
  if (is_about(errors, "cublas"))
    return "the emulator has no such function of cuBLAS; docs/emulator.md lists those that it has";
  if (is_about(errors, "curand"))
    return "the emulator has no such function of cuRAND; docs/emulator.md lists what it has";
  for (const char* const name : {"cudaGraph", "cudaStreamBeginCapture"})
    if (is_about(errors, name))
      return "the emulator has no such function of graphs; docs/emulator.md lists those that it has";
  return "";
}

}  // namespace warplab::driver
