#pragma once

#include <cstdint>

// How the queues of lab 13 are sized. Knows nothing of CUDA: the kernels, the problem and the tests use it.

/// Threads of a block that compute: 8 warps.
inline constexpr int tma_queues_consumers = 256;
/// Rows of a matrix that a block takes at a time: a queue brings them together.
inline constexpr int tma_queues_rows = 8;
/// Columns of the right-hand matrix that a block takes at a time.
inline constexpr int tma_queues_columns = 16;
inline constexpr int tma_queues_max_slots = 8;
inline constexpr int tma_queues_max_tile = 8192;

/// The kernels of the ACTA paper's table I.
enum class QueueKernel { elementwise_k, elementwise, sum_vectors, dot_product, matrix_vector, matrix_matrix };
inline constexpr int tma_queues_kernels = 6;
inline constexpr const char* tma_queues_kernel_names[] = {"elementwise_k", "elementwise",   "sum_vectors",
                                                          "dot_product",   "matrix_vector", "matrix_matrix"};

/// z (m, n) of rows of k elements; vectors have m = n = 1.
struct QueueExtents {
  std::int64_t m, k, n;
};
/// The kernels' sizes in table I.
inline constexpr QueueExtents tma_queues_table_sizes[] = {{1, 16'777'216, 1}, {1, 16'777'216, 1},
                                                          {1, 16'777'216, 1}, {1, 2'097'152, 1},
                                                          {2048, 2048, 1},    {512, 2048, 128}};
/// What the rung stencil does has the next number.
inline constexpr int tma_queues_stencil_number = 6;

/// A queue's size: `slots` tiles, each with `tile` elements of every vector that it brings.
struct QueueShape {
  int tile;
  int slots;
  int blocks = 0;  ///< per multiprocessor; 0: as many as fit
};

/// a / b rounded up, for a >= 0 and b > 0.
constexpr std::int64_t tma_queues_share(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0); }

/// Elements from one row of a matrix to the next in this lab's cases: each row
/// begins at a multiple of 16 bytes.
constexpr std::int64_t tma_queues_leading(std::int64_t length) { return (length + 3) / 4 * 4; }

/// The slots of a stationary queue: a tile each, where they take no more than `room` bytes, else as many as a
/// streaming queue has.
constexpr int tma_queues_stationary_slots(QueueShape shape, std::int64_t length, int rows,
                                          std::int64_t room) {
  const std::int64_t tiles = tma_queues_share(length, shape.tile);
  return tiles * shape.tile * rows * 4 <= room ? static_cast<int>(tiles > 0 ? tiles : 1) : shape.slots;
}
