// A pipeline that all threads of the block share.
// clang-format off
//! solves transpose/tiled_padded
//! of
#include <cstdint>
//! becomes
#include <cooperative_groups.h>

#include <cstdint>
#include <cuda/pipeline>
//! of
  const int x = threadIdx.x, y = threadIdx.y;

  if (first_row + y < rows && first_col + x < cols) tile[y][x] = in[(first_row + y) * cols + first_col + x];
  __syncthreads();  // waits for the whole tile: a thread writes what another has read

  if (first_col + y < cols && first_row + x < rows) out[(first_col + y) * rows + first_row + x] = tile[x][y];
//! becomes
  const int x = threadIdx.x, y = threadIdx.y;
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  pipe.producer_acquire();
  if (first_row + y < rows && first_col + x < cols)
    cuda::memcpy_async(&tile[y][x], &in[(first_row + y) * cols + first_col + x], sizeof(T), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  if (first_col + y < cols && first_row + x < rows) out[(first_col + y) * rows + first_row + x] = tile[x][y];
  pipe.consumer_release();
