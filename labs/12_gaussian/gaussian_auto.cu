// Which rung is the fastest depends on the filters: on their size, on how many they are, and above all on
// whether they are products of a row and a column. This one measures nothing; it knows what was measured.
//
// Filters with factors take two passes: up to 7x7, which costs little more than moving the bytes, on
// CUDA cores; then on Tensor Cores, by mma where there is an sm_90 and where registers suffice.
// Filters without factors take Tensor Cores too, by wgmma where there is an sm_90; small ones elsewhere
// take CUDA cores. More filters than a matrix has columns come eight at a time.
// Source: the ladder in README.md, and results/.
#include <algorithm>

#include "common/device_attribute.hpp"
#include "gaussian.hpp"

// A program for other GPUs, or for none, has no code for sm_90.
__attribute__((weak)) void gaussian_toeplitz_wgmma(const unsigned char*, const FilterBank&, unsigned char*,
                                                   void*, ImageShape, cudaStream_t);
__attribute__((weak)) void gaussian_separable_mma(const unsigned char*, const FilterBank&, unsigned char*,
                                                  ImageShape, cudaStream_t);

// The largest sides for which each is the fastest (an H100, images of 6000x4000 pixels of 4 bytes), or for
// which it has registers.
constexpr int separable_beside_mma = 7, separable_beside_wmma = 11, largest_mma = 257, tiled_beside_async = 9;

/// Whether the device runs code for sm_90 (sm_90a is for this very family).
inline bool device_is_sm_90() { return warplab::device_attribute(cudaDevAttrComputeCapabilityMajor) == 9; }

/// At most as many filters as a matrix has columns.
static void choose(const unsigned char* in, const FilterBank& filters, unsigned char* out, void* workspace,
                   ImageShape image, bool sm_90, cudaStream_t stream) {
  const int side = filters.side;
  const bool mma = sm_90 && gaussian_separable_mma && side <= largest_mma;
  const bool wgmma = sm_90 && gaussian_toeplitz_wgmma;
  if (filters.across && filters.down) {
    const bool few_taps = side <= (mma ? separable_beside_mma : separable_beside_wmma);
    if (few_taps)
      gaussian_separable(in, filters, out, image, stream);
    else if (mma)
      gaussian_separable_mma(in, filters, out, image, stream);
    else
      gaussian_separable_wmma(in, filters, out, image, stream);
  } else if (!wgmma && side <= tiled_beside_async) {
    gaussian_tiled(in, filters, out, image, stream);
  } else if (wgmma) {
    gaussian_toeplitz_wgmma(in, filters, out, workspace, image, stream);
  } else {
    gaussian_toeplitz_async(in, filters, out, workspace, image, stream);
  }
}

void gaussian_auto(const unsigned char* in, const FilterBank& filters, unsigned char* out, void* workspace,
                   ImageShape image, cudaStream_t stream) {
  if (!gaussian_has_work(in, out, filters, image)) return;
  const bool sm_90 = device_is_sm_90();
  for (int first = 0; first < filters.count; first += max_tensor_filters) {
    FilterBank part = filters;
    part.count = std::min(filters.count - first, max_tensor_filters);
    part.weights += first * filters.taps();
    if (part.across) part.across += std::int64_t{first} * filters.side;
    if (part.down) part.down += std::int64_t{first} * filters.side;
    choose(in, part, out + first * image.bytes(), workspace, image, sm_90, stream);
  }
}
