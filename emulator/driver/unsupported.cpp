#include "emulator/driver/unsupported.hpp"

#include <filesystem>
#include <string>

#include "emulator/driver/configuration.hpp"
#include "emulator/driver/words.hpp"

namespace warplab::driver {
namespace {

constexpr const char* libcupp =
    "such header of libcu++ (<cuda/atomic>, <cuda/barrier>, <cuda/latch>, <cuda/pipeline>, <cuda/ptx>, "
    "<cuda/semaphore> and parts of <cuda/std> are there)";
constexpr const char* shared_by_processes = "memory and events that processes share";
constexpr const char* modules =
    "modules of the driver API (a kernel of the program itself comes from cudaGetFuncBySymbol)";
constexpr const char* virtual_memory = "virtual memory management of the driver API (cudaMalloc is there)";

#define FROM_NVIDIA                                                                                        \
  " of its own: install NVIDIA's headers (libthrust-dev and libcub-dev of Debian and Ubuntu, or the CUDA " \
  "Toolkit), or name their folder with -I"

constexpr Lack lacks[] = {
    {"thrust/", "Thrust" FROM_NVIDIA, Place::header, false, true},
    {"thrust::", "Thrust" FROM_NVIDIA, Place::name, false, true},
    {"cub/", "CUB" FROM_NVIDIA, Place::header, false, true},
    {"cub::", "CUB" FROM_NVIDIA, Place::name, false, true},
    {"cuda/", libcupp, Place::header},
    {"nv/target", libcupp, Place::header},
    {"cuda_fp6.h", "6-bit floats of <cuda_fp6.h>", Place::header},
    {"cuda_fp4.h", "4-bit floats of <cuda_fp4.h>", Place::header},
    {"mpi.h", "MPI of its own: name the folder of the installed one with -I (mpicxx --showme:compile)",
     Place::header, false},
    {"nvrtc.h", "NVRTC, which compiles kernels while a program runs", Place::header},
    {"nvJitLink.h", "nvJitLink, which links kernels while a program runs", Place::header},
    {"nvml.h", "NVML, which watches GPUs", Place::header},
    {"cupti", "CUPTI", Place::header},
    {"cudaIpc", shared_by_processes},
    {"cuIpc", shared_by_processes},
    {"CUmodule", modules},
    {"CUlibrary", modules},
    {"CUlinkState", modules},
    {"cuModule", modules},
    {"cuLibrary", modules},
    {"cuLink", modules},
    {"cudaLibrary", modules},
    {"CUmemGenericAllocationHandle", virtual_memory},
    {"CUmemAllocationProp", virtual_memory},
    {"cuMemCreate", virtual_memory},
    {"cuMemMap", virtual_memory},
    {"cuMemAddressReserve", virtual_memory},
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
    {"cublas.h", "cuBLAS of before CUDA 4 (cublas_v2.h is there)", Place::header},
    {"GemmBatched", "products of cuBLAS whose matrices a list points at", Place::inside},
    {"gemmBatched", "products of cuBLAS whose matrices a list points at", Place::inside},
    {"cufft", "cuFFT", Place::library},
    {"cusparse", "cuSPARSE", Place::library},
    {"cusolver", "cuSOLVER", Place::library},
    {"cudnn", "cuDNN", Place::library},
    {"npp.h", "NPP", Place::header},
    {"nppi", "NPP", Place::library},
    {"cuda_gl_interop", "interoperability with OpenGL", Place::header},
    {"nccl", "NCCL", Place::library},
    {"cooperative_groups/details", "parts of cooperative groups that are not documented", Place::header},
    {"texCubemap", "cubes of textures"},
    {"surfCubemap", "cubes of textures"},
    {"MipmappedArray", "mipmaps, and reads of textures with a level or a gradient", Place::inside},
    {"tex1DLod", "mipmaps, and reads of textures with a level or a gradient"},
    {"tex2DLod", "mipmaps, and reads of textures with a level or a gradient"},
    {"tex1DGrad", "mipmaps, and reads of textures with a level or a gradient"},
    {"tex3DLod", "mipmaps, and reads of textures with a level or a gradient"},
    {"tex2DGrad", "mipmaps, and reads of textures with a level or a gradient"},
    {"tex3DGrad", "mipmaps, and reads of textures with a level or a gradient"},
    {"tex2Dgather", "gathers from textures"},
    {"cudaBindTexture", "references to textures, nor has CUDA 12 (use cudaTextureObject_t)"},
    {"textureReference", "references to textures, nor has CUDA 12 (use cudaTextureObject_t)"},
    {"cudaGraphConditional", "nodes of graphs for conditions"},
    {"cudaGraphAddMemAlloc", "nodes of graphs for memory"},
    {"cudaGraphAddMemFree", "nodes of graphs for memory"},
    {"cudaGraphMemA", "nodes of graphs for memory"},
    {"cudaGraphAddExternal", "nodes of graphs for semaphores"},
    {"cudaMemPoolExport", "memory pools that processes share"},
    {"cudaMemPoolImport", "memory pools that processes share"},
};

/// The name or the path that begins there.
std::string_view path_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (is_in_name(text[end]) || text[end] == '/' || text[end] == '.')) ++end;
  return text.substr(at, end - at);
}

bool has_header(std::string_view path) {
  return std::filesystem::exists(std::filesystem::path(configuration().include.back()) / path);
}

/// Whether the lack's word at this place of the text means what is missing.
bool is_meant(const Lack& lack, std::string_view text, std::size_t at) {
  if (lack.place == Place::inside) return true;
  if (at > 0 && is_in_name(text[at - 1])) return false;
  const std::string_view rest = text.substr(at + std::string_view(lack.word).size());
  if (lack.place == Place::library) {  // cufftPlan1d or cufft.h, and no cufft_seconds
    std::size_t end = 0;
    while (end < rest.size() && is_in_name(rest[end])) ++end;
    return (!rest.empty() && rest[0] >= 'A' && rest[0] <= 'Z') || rest.substr(end).starts_with(".h");
  }
  if (lack.place != Place::header) return true;
  const bool begins =
      at == 0 || text[at - 1] == '<' || text[at - 1] == '"' || text.substr(0, at).ends_with("error: ");
  return begins && !has_header(path_at(text, at));
}

}  // namespace

const Lack* find_lack(std::string_view text, bool has_nvidias) {
  for (const Lack& lack : lacks)
    for (std::size_t at = text.find(lack.word); at != std::string_view::npos;
         at = text.find(lack.word, at + 1))
      if (!(has_nvidias && lack.of_nvidia) && is_meant(lack, text, at)) return &lack;
  return nullptr;
}

namespace {

/// Whether an error is about a name that begins so. A compiler quotes in the user's own language.
bool is_about(std::string_view errors, const std::string& beginning) {
  for (const char* const quote : {"‘", "'"})
    if (errors.find("error: " + (quote + beginning)) != std::string_view::npos) return true;
  return false;
}

/// The same, of a name like cudaMalloc or CU_STREAM_DEFAULT for "cuda" or "CU": one of the program's own,
/// like cuda_seconds, is not meant.
bool is_about_name(std::string_view errors, const std::string& beginning) {
  std::string next = "_";
  for (char c = 'A'; c <= 'Z'; ++c) next += c;
  for (const char c : beginning == "CU" ? next + "abcdefghijklmnopqrstuvwxyz" : next.substr(1))
    if (is_about(errors, beginning + c)) return true;
  return false;
}

}  // namespace

std::string unsupported(std::string_view errors) {
  for (std::size_t at = errors.find("error: "); at != std::string_view::npos;
       at = errors.find("error: ", at + 1))
    if (const Lack* const lack = find_lack(errors.substr(at, errors.find('\n', at) - at)))
      return std::string("the emulator has no ") + lack->what +
             (lack->needs_gpu ? ": such a program needs a GPU and nvcc" : "");
  if (is_about(errors, "cublas"))
    return "the emulator has no such function of cuBLAS; docs/emulator.md lists those that it has";
  if (is_about(errors, "curand"))
    return "the emulator has no such function of cuRAND; docs/emulator.md lists what it has";
  for (const char* const name : {"cudaGraph", "cudaStreamBeginCapture"})
    if (is_about(errors, name))
      return "the emulator has no such function of graphs; docs/emulator.md lists those that it has";
  if (is_about_name(errors, "cuda"))
    return "the emulator has no such function or type of CUDA's runtime; docs/emulator.md says what it has";
  if (is_about_name(errors, "cu") || is_about_name(errors, "CU"))
    return "the emulator has no such function or type of the driver API; docs/emulator.md lists those that "
           "it has";
  return "";
}

}  // namespace warplab::driver
