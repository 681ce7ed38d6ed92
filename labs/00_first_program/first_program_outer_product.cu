// Two dimensions: the multiplication table of two vectors, of any size.
//
// A block can have two dimensions, and so can a grid. Then a thread has a column from x and a row from y.
// The memory has only one dimension: element (r, c) of a matrix with `cols` columns is at r * cols + c. x is
// the column, since threads with neighbouring x are in one warp, and neighbouring columns are neighbours in
// memory. Both extents of the grid are rounded up, so the guard needs both indices.
// Cost: 4 bytes written per element.
// Where it stops being good: very flat matrices, where most threads of a block are outside.
// Source: NVIDIA, CUDA C++ Programming Guide, Thread Hierarchy.
#include "device_array.hpp"
#include "first_program.hpp"

// BEGIN SOLUTION
static __global__ void outer_product_kernel(const int* column, int rows, const int* row, int cols, int* out) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) {
    const int at = r * cols + c;
    out[at] = column[r] * row[c];
  }
}
// END SOLUTION

cudaError_t first_program_outer_product(const int* column, int rows, const int* row, int cols, int* out) {
  if (rows == 0 || cols == 0) return cudaSuccess;
  const std::size_t count = static_cast<std::size_t>(rows) * cols;
  DeviceArray<int> device_column, device_row, device_out;
  RETURN_IF_ERROR(device_column.copy_from(column, rows));
  RETURN_IF_ERROR(device_row.copy_from(row, cols));
  RETURN_IF_ERROR(device_out.allocate(count));
  // BEGIN SOLUTION
  const dim3 block(16, 16);  // x: columns, y: rows
  const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  outer_product_kernel<<<grid, block>>>(device_column.data(), rows, device_row.data(), cols,
                                        device_out.data());
  // STUB RETURN_IF_ERROR(todo("first_program_outer_product: a kernel with two indices, and a launch with two dim3"));
  // END SOLUTION
  RETURN_IF_ERROR(cudaGetLastError());
  return device_out.copy_to(out, count);
}

int main() {
  const int column[] = {1, 2, 3}, row[] = {1, 10, 100, 1000};
  int out[3 * 4] = {};
  const cudaError_t error = first_program_outer_product(column, 3, row, 4, out);
  std::printf("outer product: %s\n", cudaGetErrorString(error));
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) std::printf("%5d%c", out[r * 4 + c], c < 3 ? ' ' : '\n');
}
