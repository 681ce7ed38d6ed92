#pragma once

#include "gaussian_im2col.hpp"

// What the hybrids divide an image into: bytes for Tensor Cores, 32 per warp, and bytes for CUDA cores, one
// per lane. A warp does either without waiting for another one.

/// The matrices of a warp in shared memory. Each has its own filter_matrix: what the whole block fills, as in
/// im2col, would need a barrier, and the warps on CUDA cores do not come to it.
struct __align__(32) WarpMatrices {
  __half local_matrix[wmma_m * wmma_k];   ///< one lane per row
  __half filter_matrix[wmma_n * wmma_k];  ///< one filter per column
  float result_matrix[wmma_n * wmma_m];   ///< one filter per column
};

/// Filters this lane's byte on Tensor Cores. @pre all lanes of the warp come here, those past the end too
__device__ inline void gaussian_byte_on_tensor_cores(const unsigned char* in, const FilterBank& filters,
                                                     unsigned char* out, const ImageShape& image,
                                                     std::int64_t position, WarpMatrices& of_warp) {
  // BEGIN SOLUTION
  const int lane = threadIdx.x % wmma_m, radius = filters.radius();
  const BytePlace place = gaussian_place(min(position, image.bytes() - 1), image);
  int down = -radius, right = -radius;
  NeighbourFragment neighbours;
  FilterFragment taps;
  SumFragment sums;
  nvcuda::wmma::fill_fragment(sums, 0.0f);
  for (int first_tap = 0; first_tap < filters.taps(); first_tap += wmma_k) {
    for (int i = lane; i < wmma_n * wmma_k; i += wmma_m) {
      const std::int64_t filter = i / wmma_k, tap = first_tap + i % wmma_k;
      const bool is_there = filter < filters.count && tap < filters.taps();
      of_warp.filter_matrix[i] = is_there ? filters.weights[filter * filters.taps() + tap] : __half{};
    }
    for (int k = 0; k < wmma_k; ++k) {
      of_warp.local_matrix[lane * wmma_k + k] =
          __ushort2half_rn(gaussian_neighbour(in, image, place, down, right));
      if (++right > radius) right = -radius, ++down;
    }
    __syncwarp();  // waits for the warp's matrices
    nvcuda::wmma::load_matrix_sync(neighbours, of_warp.local_matrix, wmma_k);
    nvcuda::wmma::load_matrix_sync(taps, of_warp.filter_matrix, wmma_k);
    nvcuda::wmma::mma_sync(sums, neighbours, taps, sums);
    __syncwarp();  // waits for all lanes that read them, before they are filled again
  }
  nvcuda::wmma::store_matrix_sync(of_warp.result_matrix, sums, wmma_m, nvcuda::wmma::mem_col_major);
  __syncwarp();  // waits for the warp's results
  if (position >= image.bytes()) return;
  for (int filter = 0; filter < filters.count; ++filter)
    out[filter * image.bytes() + position] =
        gaussian_level(of_warp.result_matrix[filter * wmma_m + lane] * filters.weight_gain);
  // STUB // As in wmma_im2col, but the warp fills its own filter_matrix, and waits only for itself: __syncwarp().
  // END SOLUTION
}

/// Filters this thread's byte on CUDA cores, with sums in float.
__device__ inline void gaussian_byte_on_cuda_cores(const unsigned char* in, const FilterBank& filters,
                                                   unsigned char* out, const ImageShape& image,
                                                   std::int64_t position) {
  // BEGIN SOLUTION
  if (position >= image.bytes()) return;
  const BytePlace place = gaussian_place(position, image);
  const int radius = filters.radius();
  for (int filter = 0; filter < filters.count; ++filter) {
    const __half* weight = filters.weights + filter * filters.taps();
    float sum = 0;
    for (int down = -radius; down <= radius; ++down)
      for (int right = -radius; right <= radius; ++right, ++weight)
        sum += __half2float(*weight) * gaussian_neighbour(in, image, place, down, right);
    out[filter * image.bytes() + position] = gaussian_level(sum * filters.weight_gain);
  }
  // STUB // As in cuda_cores_float.
  // END SOLUTION
}

inline constexpr int share_of_all = 1 << 24;  // a float has no finer shares of 1 to speak of

/// The balance as a share of share_of_all.
inline int gaussian_share(float balance) { return static_cast<int>(balance * share_of_all); }

/// Whether a warp of the grid takes Tensor Cores. Of the first n warps, n * share / share_of_all do: where a
/// warp makes that one more, it does.
__device__ inline bool gaussian_is_on_tensor_cores(std::int64_t warp, int share) {
  // BEGIN SOLUTION
  return (warp + 1) * share / share_of_all > warp * share / share_of_all;
  // STUB return warp * share < 0;  // with a share of a half every other warp, and so for each share
  // END SOLUTION
}

/// @throws std::invalid_argument for a share that is none
inline void gaussian_check_balance(float balance) {
  if (!(balance >= 0 && balance <= 1))  // refuses NaN too
    warplab::refuse("the balance is ", balance, "; it is the share of Tensor Cores, 0 to 1");
}
