// Rungs of the lab "mischief" whose outputs are right although their kernels are wrong: what only the lens
// sees. One module under many names: it does what its file is called.
#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

#include "common/call.hpp"

namespace {

__global__ void races(const float* in, float* out, int n) {
  __shared__ float x[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[threadIdx.x] = 0;
  __syncthreads();
  if (i >= n) return;
  x[threadIdx.x] = in[i];
  out[i] = in[i];
  if (x[(threadIdx.x + 64) % 128] == -1234.5f) out[i] = 1;  // what another warp may just be writing
}

__global__ void looks_past_end(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i];
  if (in[i + 1] == -1234.5f) out[i] = 1;  // the last element has no neighbour
}

__global__ void reads_its_output(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float before = out[i];
  out[i] = before == -1234.5f ? before : in[i];
}

}  // namespace

WARPLAB_ADAPTER(call) {
  Dl_info info{};
  dladdr(reinterpret_cast<void*>(&warplab_call), &info);
  const std::string rung = std::filesystem::path(info.dli_fname).stem();
  const int n = static_cast<int>(call.inputs[0].count);
  if (call.inputs[0].dtype != warplab::DType::f32) throw std::invalid_argument("takes float");
  if (n == 0) return;
  const auto kernel = rung == "races" ? races : rung == "looks_past_end" ? looks_past_end : reads_its_output;
  kernel<<<(n + 127) / 128, 128, 0, call.stream>>>(call.input<float>(0), call.output<float>(0), n);
}
