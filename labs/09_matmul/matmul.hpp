#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

// Lab 09: D = alpha A B + beta C. All matrices are row-major in device memory.
//
//   T                an element of A and B: signed char, unsigned char, int, __half, __nv_bfloat16, float or
//                    double. matmul_types.hpp lists which rung takes which
//   MatmulSum<T>     what products are added up in, and an element of C and D
//   workspace        device memory, aligned to 256 bytes, of any content; only some rungs use it
//   stream           where the work is queued; the launcher returns without waiting for it
//
// A launcher allocates nothing. It throws std::invalid_argument for a negative extent, for rows that
// overlap, and for what its own comment names. Pointers and leading dimensions need no more than T's own
// alignment. D may be C, but shares no element with A or B. Sums of int wrap modulo 2^32.

/// The type in which products of T are added up.
template <class T>
struct MatmulSumOf {
  using type = int;  // of bytes and of int
};
template <>
struct MatmulSumOf<float> {
  using type = float;
};
template <>
struct MatmulSumOf<double> {
  using type = double;
};
template <>
struct MatmulSumOf<__half> {
  using type = float;
};
template <>
struct MatmulSumOf<__nv_bfloat16> {
  using type = float;
};
template <class T>
using MatmulSum = typename MatmulSumOf<T>::type;

/// One product to compute.
template <class T>
struct Matmul {
  using Sum = MatmulSum<T>;
  const T* a;                       ///< (m, k), rows lda elements apart
  const T* b;                       ///< (k, n), rows ldb elements apart
  const Sum* c;                     ///< (m, n), rows ldc elements apart; not read if beta is 0
  Sum* d;                           ///< (m, n), rows ldd elements apart; between rows nothing is written
  int m, n, k;                      ///< each from 0; with k = 0, D = beta C
  std::int64_t lda, ldb, ldc, ldd;  ///< lda >= k; ldb, ldc, ldd >= n
  Sum alpha, beta;
};

/// Which fragments the rung wmma multiplies: 16x16, 32x8 or 8x32 elements of D, 16 products deep.
struct MatmulFragment {
  int rows = 16, cols = 16;
  bool half_sums = false;  ///< adds up in __half; for T = __half only
};

/// One thread per element; the lanes of a warp go down a column.
template <class T>
void matmul_naive(const Matmul<T>&, void* workspace, std::size_t workspace_bytes, cudaStream_t stream);

/// One thread per element; the lanes of a warp go along a row.
template <class T>
void matmul_coalesced(const Matmul<T>&, void* workspace, std::size_t workspace_bytes, cudaStream_t stream);

/// Tiles of 32x32 in shared memory.
template <class T>
void matmul_tiled(const Matmul<T>&, void* workspace, std::size_t workspace_bytes, cudaStream_t stream);

/// Eight elements of a column per thread: an element of B is loaded once for eight products.
template <class T>
void matmul_registers_1d(const Matmul<T>&, void* workspace, std::size_t workspace_bytes, cudaStream_t stream);

/// 8x8 elements per thread, from tiles of 128x8 and 8x128.
template <class T>
void matmul_registers_2d(const Matmul<T>&, void* workspace, std::size_t workspace_bytes, cudaStream_t stream);

/// The same in accesses of 16 bytes, with A transposed on its way into shared memory.
template <class T>
void matmul_vectorized(const Matmul<T>&, void* workspace, std::size_t workspace_bytes, cudaStream_t stream);

/// Copies the next tiles while it multiplies these.
template <class T>
void matmul_async(const Matmul<T>&, void* workspace, std::size_t workspace_bytes, cudaStream_t stream);

/// Tensor Cores by nvcuda::wmma, fragments from tiles in shared memory.
/// @throws std::invalid_argument for a fragment that wmma does not have
template <class T>
void matmul_wmma(const Matmul<T>&, void* workspace, std::size_t workspace_bytes, cudaStream_t stream,
                 MatmulFragment fragment = {});

/// Tensor Cores by mma.sync, from swizzled shared memory by ldmatrix.
template <class T>
void matmul_mma_ldmatrix(const Matmul<T>&, void* workspace, std::size_t workspace_bytes, cudaStream_t stream);

/// Several blocks share the sum over k of one tile.
template <class T>
void matmul_split_k(const Matmul<T>&, void* workspace, std::size_t workspace_bytes, cudaStream_t stream);

/// For one row or one column of D, where nothing is used twice. Right for every shape.
template <class T>
void matmul_vector(const Matmul<T>&, void* workspace, std::size_t workspace_bytes, cudaStream_t stream);

/// Warpgroup products of tiles that the tensor memory accelerator brings; sm_90 only.
template <class T>
void matmul_wgmma_tma(const Matmul<T>&, void* workspace, std::size_t workspace_bytes, cudaStream_t stream);

/// Chooses one of the others by type and shape.
template <class T>
void matmul_auto(const Matmul<T>&, void* workspace, std::size_t workspace_bytes, cudaStream_t stream);

/// What a library does: cublasGemmEx.
template <class T>
void matmul_cublas(const Matmul<T>&, void* workspace, std::size_t workspace_bytes, cudaStream_t stream);

/// At the end of a rung's file: MATMUL_INSTANTIATE(naive, float) defines matmul_naive<float>.
#define MATMUL_INSTANTIATE(rung, T) \
  template void matmul_##rung(const Matmul<T>&, void*, std::size_t, cudaStream_t);
#define MATMUL_INSTANTIATE_WORDS(rung) \
  MATMUL_INSTANTIATE(rung, int)        \
  MATMUL_INSTANTIATE(rung, float)      \
  MATMUL_INSTANTIATE(rung, double)
#define MATMUL_INSTANTIATE_ALL(rung)      \
  MATMUL_INSTANTIATE_WORDS(rung)          \
  MATMUL_INSTANTIATE(rung, __half)        \
  MATMUL_INSTANTIATE(rung, __nv_bfloat16) \
  MATMUL_INSTANTIATE(rung, signed char)
