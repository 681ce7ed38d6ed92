// 16 bytes per access, everywhere: a quarter of the instructions of the rung before (in int and float).
//
// A thread loads a micro-tile of V x V elements (V = 4 for int and float, 2 for double) as V vectors of 16
// bytes, one from each of V rows, turns it in registers, and puts V vectors into shared memory that lie
// along the columns. After the barrier these are read and stored as they are, 16 bytes at a time. A
// 16-byte access to shared memory is served eight lanes at a time, so eight lanes must fall into eight
// different groups of four banks: the swizzle of the rung before, on whole vectors. Memory pages are used
// well: a row of the tile is 256 bytes as it is read and as it is written, and blocks that run together
// lie below each other, so that what they write joins up. Larger tiles are as fast for large matrices; but
// 1024x1024 elements are only 128 tiles of 64x128, too few for the 132 multiprocessors of an H100.
// Cost per element: the bytes of a copy, and hardly more instructions. It runs nearly as fast as a copy.
// Stops being good: where rows do not start at multiples of 16 bytes. Then elements are moved singly, by
// the same threads, at strides of V: correct, but no faster than the tiles before.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "common/vector16.hpp"
#include "transpose.hpp"

constexpr int threads = 256;  // per block: a micro-tile each for 4-byte elements, 4 for double
constexpr int tile = 64;      // rows and columns

/// Moves the first `count` of V neighbouring elements. If `vectors`, count is either at least V, and they go
/// as one vector, or below 1, and nothing moves.
template <class T>
__device__ void move(const T* from, T* to, std::int64_t count, bool vectors) {
  using Vector = typename warplab::Vector16<T>::type;
  constexpr int width = 16 / sizeof(T);
  if (vectors) {
    if (count >= width) *reinterpret_cast<Vector*>(to) = *reinterpret_cast<const Vector*>(from);
  } else {
#pragma unroll
    for (int k = 0; k < width; ++k)
      if (k < count) to[k] = from[k];
  }
}

template <class T>
__global__ void __launch_bounds__(threads)
    transpose_vectorized_kernel(const T* __restrict__ in,  // (rows, cols)
                                T* __restrict__ out,       // (cols, rows)
                                int rows, int cols, bool aligned) {
  // BEGIN SOLUTION
  using Vector = typename warplab::Vector16<T>::type;
  constexpr int V = 16 / sizeof(T);  // elements in a vector
  constexpr int vectors = tile / V;  // in a row or column of the tile
  static_assert(vectors % 8 == 0 && vectors * vectors % threads == 0, "the swizzle permutes eight vectors");
  __shared__ Vector
      turned_tile[tile][vectors];  // (cols, vectors of rows); column c's v is at [c][v ^ c / V % 8]
  const std::int64_t first_row = std::int64_t{blockIdx.x} * tile;
  const std::int64_t first_col = (std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * tile;

#pragma unroll
  for (int m = threadIdx.x; m < vectors * vectors; m += threads) {
    const int r = m / vectors, c = m % vectors;  // of the micro-tile in the tile
    const std::int64_t row = first_row + r * V, col = first_col + c * V;
    alignas(16) T micro[V][V] = {};  // (rows, cols) of the micro-tile, in registers
#pragma unroll
    for (int i = 0; i < V; ++i)
      if (row + i < rows) move(in + (row + i) * cols + col, micro[i], cols - col, aligned);
#pragma unroll
    for (int j = 0; j < V; ++j) {
      alignas(16) T turned[V];  // column j of the micro-tile
#pragma unroll
      for (int i = 0; i < V; ++i) turned[i] = micro[i][j];
      turned_tile[c * V + j][r ^ c % 8] = *reinterpret_cast<const Vector*>(turned);
    }
  }
  __syncthreads();  // waits for the whole tile: a thread writes what others have turned

#pragma unroll
  for (int m = threadIdx.x; m < tile * vectors; m += threads) {
    const int c = m / vectors, v = m % vectors;
    const std::int64_t row = first_row + v * V, col = first_col + c;
    const Vector* turned = &turned_tile[c][v ^ c / V % 8];
    if (col < cols) move(reinterpret_cast<const T*>(turned), out + col * rows + row, rows - row, aligned);
  }
  // STUB // 1. For each of my micro-tiles: load V rows of it, turn it in registers, put V vectors into the tile,
  // STUB //    swizzled.
  // STUB // 2. Wait for the whole tile.
  // STUB // 3. Store the tile's vectors, neighbouring lanes side by side along a row of `out`.
  // END SOLUTION
}

template <class T>
void transpose_vectorized(const T* in, T* out, int rows, int cols, cudaStream_t stream) {
  if (!transpose_has_work(in, out, rows, cols)) return;
  const auto rows_start_at_16_bytes = [](const void* p, int row) {
    return warplab::starts_at_16_bytes(p) && row * sizeof(T) % 16 == 0;
  };
  const bool aligned = rows_start_at_16_bytes(in, cols) && rows_start_at_16_bytes(out, rows);
  const dim3 grid = transpose_grid(cols, rows, tile, tile);  // neighbours in x lie below each other
  // BEGIN SOLUTION
  transpose_vectorized_kernel<<<grid, threads, 0, stream>>>(in, out, rows, cols, aligned);
  // STUB (void)grid, (void)aligned;
  // STUB warplab::todo(
  // STUB     "transpose_vectorized: micro-tiles through registers, vectors through a swizzled tile; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void transpose_vectorized(const int*, int*, int, int, cudaStream_t);
template void transpose_vectorized(const float*, float*, int, int, cudaStream_t);
template void transpose_vectorized(const double*, double*, int, int, cudaStream_t);
