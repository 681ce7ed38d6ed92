#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

// What rungs of lab 09 keep in the workspace: copies of A and B, then the sums of
// slices of k. Knows nothing of CUDA.

/// Copies of A (m, k) and B (k, n) whose rows start at multiples of 16 bytes,
/// each at a multiple of 256 bytes.
struct MatmulCopies {
  std::int64_t lda, ldb;  ///< elements between rows of the copies
  std::size_t a_bytes, b_bytes;
  MatmulCopies(std::int64_t m, std::int64_t n, std::int64_t k, std::size_t element)
      : lda(padded(k, element)),
        ldb(padded(n, element)),
        a_bytes(bytes(m, lda, element)),
        b_bytes(bytes(k, ldb, element)) {}

 private:
  static std::int64_t padded(std::int64_t width, std::size_t element) {
    const auto vector = static_cast<std::int64_t>(16 / element);
    return (width + vector - 1) / vector * vector;
  }
  static std::size_t bytes(std::int64_t rows, std::int64_t leading, std::size_t element) {
    return (static_cast<std::size_t>(rows) * static_cast<std::size_t>(leading) * element + 255) / 256 * 256;
  }
};

/// A workspace has room for the sums of so many slices of k. Only split_k makes more, where memory is left.
inline constexpr int matmul_max_slices = 64;

/// A workspace with which a launcher can do what is best for the shape: the copies, and sums of slices of up
/// to 256 MiB, or of one slice where that is more.
inline std::size_t matmul_workspace_bytes(std::int64_t m, std::int64_t n, std::int64_t k,
                                          std::size_t element) {
  const MatmulCopies copies(m, n, k, element);
  const std::size_t sum = element == 8 ? 8 : 4;
  const std::size_t slice = static_cast<std::size_t>(m) * static_cast<std::size_t>(n) * sum;
  const std::size_t slices =
      std::clamp<std::size_t>(matmul_max_slices * slice, slice, std::max(slice, std::size_t{256} << 20));
  return copies.a_bytes + copies.b_bytes + slices;
}
