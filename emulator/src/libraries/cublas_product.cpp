#include "emulator/src/libraries/cublas_product.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <vector>

#include "emulator/src/base/pool.hpp"

namespace warplab::emulator {
namespace {

constexpr std::size_t panel_rows = 64;   // of op(A), side by side for each term of the sums
constexpr std::size_t tile_columns = 4;  // of C, which share what is read of a panel

double to_double(float x) { return x; }
double to_double(double x) { return x; }
double to_double(__half x) { return __half2float(x); }
double to_double(__nv_bfloat16 x) { return __bfloat162float(x); }

template <class T>
T from_double(double x) {
  if constexpr (__is_same(T, __half))
    return __float2half(static_cast<float>(x));
  else if constexpr (__is_same(T, __nv_bfloat16))
    return __float2bfloat16(static_cast<float>(x));
  else
    return static_cast<T>(x);
}

/// Calls `body` with a null pointer to the type.
template <class Body>
void with_type(cudaDataType type, Body&& body) {
  if (type == CUDA_R_64F) return body(static_cast<double*>(nullptr));
  if (type == CUDA_R_16F) return body(static_cast<__half*>(nullptr));
  if (type == CUDA_R_16BF) return body(static_cast<__nv_bfloat16*>(nullptr));
  body(static_cast<float*>(nullptr));
}

/// What `(row, column)` of op(matrix) is, as a Sum.
template <class T, class Sum>
Sum element(const Matrix& matrix, std::size_t row, std::size_t column) {
  const std::size_t ld = static_cast<std::size_t>(matrix.ld);
  const std::size_t at = matrix.transposed ? column + row * ld : row + column * ld;
  return static_cast<Sum>(to_double(static_cast<const T*>(matrix.data)[at]));
}

/// Copies of op(A), in panels of rows, and of op(B), column by column.
template <class Sum>
struct Packed {
  explicit Packed(const MatrixProduct& p)
      : m(static_cast<std::size_t>(p.m)), n(static_cast<std::size_t>(p.n)), k(static_cast<std::size_t>(p.k)) {
    panels = (m + panel_rows - 1) / panel_rows;
    a.resize(panels * panel_rows * k);
    b.resize(k * n);
    with_type(p.a.type, [&]<class T>(T*) {
      for (std::size_t term = 0; term < k; ++term)
        for (std::size_t row = 0; row < m; ++row)
          a[(row / panel_rows * k + term) * panel_rows + row % panel_rows] = element<T, Sum>(p.a, row, term);
    });
    with_type(p.b.type, [&]<class T>(T*) {
      for (std::size_t column = 0; column < n; ++column)
        for (std::size_t term = 0; term < k; ++term)
          b[column * k + term] = element<T, Sum>(p.b, term, column);
    });
  }

  std::size_t m, n, k, panels = 0;
  std::vector<Sum> a, b;
};

/// The sums of a panel's rows in columns `first` and those after it.
template <class Sum>
using Tile = std::array<std::array<Sum, panel_rows>, tile_columns>;

template <class Sum>
void add_up(const Packed<Sum>& packed, std::size_t panel, std::size_t first, std::size_t columns,
            Tile<Sum>& tile) {
  tile = {};
  const Sum* const a = packed.a.data() + panel * packed.k * panel_rows;
  for (std::size_t column = 0; column < columns; ++column) {
    const Sum* const b = packed.b.data() + (first + column) * packed.k;
    std::array<Sum, panel_rows> sums{};
    for (std::size_t term = 0; term < packed.k; ++term)
      for (std::size_t row = 0; row < panel_rows; ++row) sums[row] += a[term * panel_rows + row] * b[term];
    tile[column] = sums;
  }
}

template <class T, class Sum>
void store(const MatrixProduct& p, std::size_t panel, std::size_t first, std::size_t columns,
           const Tile<Sum>& tile) {
  T* const c = static_cast<T*>(const_cast<void*>(p.c.data));
  const std::size_t begin = panel * panel_rows;
  const std::size_t rows = std::min(panel_rows, static_cast<std::size_t>(p.m) - begin);
  for (std::size_t column = 0; column < columns; ++column)
    for (std::size_t row = 0; row < rows; ++row) {
      T& to = c[begin + row + (first + column) * static_cast<std::size_t>(p.c.ld)];
      const double before = p.beta == 0 ? 0 : p.beta * to_double(to);
      to = from_double<T>(static_cast<Sum>(p.alpha * tile[column][row] + before));
    }
}

template <class Sum>
void multiply_in(const MatrixProduct& p) {
  const Packed<Sum> packed(p);
  const std::size_t tiles = (packed.n + tile_columns - 1) / tile_columns;
  std::atomic<std::size_t> next{0};
  const std::function<void()> work = [&] {  // kept until the helpers have returned
    Tile<Sum> tile;
    for (std::size_t i; (i = next++) < tiles * packed.panels;) {
      const std::size_t panel = i / tiles, first = i % tiles * tile_columns;
      const std::size_t columns = std::min(tile_columns, packed.n - first);
      add_up(packed, panel, first, columns, tile);
      with_type(p.c.type, [&]<class T>(T*) { store<T>(p, panel, first, columns, tile); });
    }
  };
  call_for_help(work);
  work();
  await_helpers();
}

}  // namespace

std::size_t bytes_of(cudaDataType type) {
  const bool known = type == CUDA_R_32F || type == CUDA_R_64F || type == CUDA_R_16F || type == CUDA_R_16BF;
  std::size_t bytes = 0;
  if (known) with_type(type, [&]<class T>(T*) { bytes = sizeof(T); });
  return bytes;
}

double value_of(const void* from, cudaDataType type) {
  double value = 0;
  with_type(type, [&]<class T>(T*) { value = to_double(*static_cast<const T*>(from)); });
  return value;
}

void multiply(const MatrixProduct& product) {
  if (product.in_double)
    multiply_in<double>(product);
  else
    multiply_in<float>(product);
}

}  // namespace warplab::emulator
