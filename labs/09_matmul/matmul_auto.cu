// Auto: which rung is the fastest depends on the type and the shape. This one measures nothing; it knows
// what was measured.
//
// half and bfloat16 take Tensor Cores: wgmma_tma where there is an sm_90, else mma_ldmatrix from compute
// capability 8.0 on; before it, half takes wmma and bfloat16 tiled, without Tensor Cores. int8 takes wmma.
// float and double take vector if D is a row or a column. They take split_k if D has fewer tiles than the GPU
// has multiprocessors and k is long enough to share, else async. int takes vectorized: Tensor Cores have no
// such products.
// Source: the ladder in README.md, and the sweep that it names.
#include <type_traits>

#include "common/device_attribute.hpp"
#include "matmul.hpp"
#include "matmul_async_shape.hpp"
#include "matmul_capability.hpp"
#include "matmul_launch.hpp"
#include "matmul_slices.hpp"

// A program for other GPUs, or for none, has no code for sm_90.
template <>
__attribute__((weak)) void matmul_wgmma_tma(const Matmul<__half>&, void*, std::size_t, cudaStream_t);
template <>
__attribute__((weak)) void matmul_wgmma_tma(const Matmul<__nv_bfloat16>&, void*, std::size_t, cudaStream_t);

/// matmul_wmma with its default fragments.
template <class T>
static void by_wmma(const Matmul<T>& product, void* workspace, std::size_t bytes, cudaStream_t stream) {
  matmul_wmma(product, workspace, bytes, stream);
}

/// Multiplies 16-bit elements by what the device has.
template <class T, class Call>
static void multiply_16_bits(const Call& call) {
  const int capability = matmul_capability();
  if (matmul_wgmma_tma<T> && capability == 90) return call(matmul_wgmma_tma<T>);  // code for sm_90a only
  if (capability >= 80) return call(matmul_mma_ldmatrix<T>);
  if constexpr (std::is_same_v<T, __half>)
    call(by_wmma<T>);
  else
    call(matmul_tiled<T>);
}

/// Whether blocks should share tiles: most multiprocessors would have no tile of `async`, and k is long.
template <class T>
static bool should_split(const Matmul<T>& p) {
  using Shape = AsyncShape<T>;
  const std::int64_t tiles = warplab::ceil_div(p.m, Shape::rows) * warplab::ceil_div(p.n, Shape::cols);
  return tiles < warplab::multiprocessors() && p.k >= 256;
}

template <class T>
void matmul_auto(const Matmul<T>& product, void* workspace, std::size_t workspace_bytes,
                 cudaStream_t stream) {
  if (!matmul_check(product)) return;
  const auto call = [&](auto launcher) { launcher(product, workspace, workspace_bytes, stream); };
  if constexpr (std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>)
    multiply_16_bits<T>(call);
  else if constexpr (std::is_same_v<T, signed char>)
    call(by_wmma<T>);
  else if constexpr (std::is_same_v<T, int>)
    call(matmul_vectorized<T>);
  else
    call(product.m == 1 || product.n == 1 ? matmul_vector<T>
         : should_split(product)          ? matmul_split_k<T>
                                          : matmul_async<T>);
}

MATMUL_INSTANTIATE_ALL(auto)
