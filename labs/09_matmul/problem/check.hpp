#pragma once

#include <cstdint>
#include <vector>

#include "common/host/compare.hpp"
#include "common/host/host_array.hpp"

namespace warplab {

/// The size and the factors of a product. Host code.
struct MatmulShape {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t pad = 0;  ///< elements between the end of a row and the next one, in all four matrices
  double alpha = 1, beta = 0;
  double products() const { return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
};

/// Products beyond these many multiply-adds are verified by Freivalds' check.
inline constexpr double matmul_max_whole = 0x1p28;

/// Writes into the gaps between the rows of D what must still be there after a call.
void matmul_mark_gaps(HostArray& d, const MatmulShape& shape);

/// What matmul_compare() needs of the oracle. For a small product: D. For a large one: D x for 8 random
/// vectors x, (m, 8), and some whole rows of D. Then the norms of the inputs.
/// @param in A (m, k + pad), B (k, n + pad), C (m, n + pad), or C without rows where beta is 0
std::vector<HostArray> matmul_expected(const MatmulShape& shape, const std::vector<HostArray>& in);

/// Whether D is right. Integers must be equal. Floating point may differ by
/// ((1 + u)^roundings - 1) (|alpha| |A| |B| + |beta| |C|), where |A| |B| is bounded by the norms of A's rows
/// and B's columns. Of a large product the sampled rows are compared so, and D x for each x:
/// D. R. Freivalds, "Probabilistic machines can use less running time", IFIP Congress 1977.
/// @param d (m, n + pad). @param u the unit roundoff of sums; 0 for integers
Comparison matmul_compare(const MatmulShape& shape, const std::vector<HostArray>& in,
                          const std::vector<HostArray>& expected, const HostArray& d, double roundings,
                          double u);

/// The CPU baseline into d. @return false if there is none for these threads
bool matmul_cpu(const MatmulShape& shape, const std::vector<HostArray>& in, HostArray& d, int threads);

}  // namespace warplab
