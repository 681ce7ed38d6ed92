// Correct: barrier objects, asynchronous copies and cuda::atomic. None of these may be complained about.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>

#include "tests/emulator/findings/case.hpp"

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace {

namespace cg = cooperative_groups;

// CASE barrier_object: arrive, do something else, wait
__global__ void with_barrier(const int* in, int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ Barrier barrier;
  __shared__ int values[128];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  for (int turn = 0; turn < 3; ++turn) {
    values[threadIdx.x] = in[threadIdx.x] + turn;
    Barrier::arrival_token token = barrier.arrive();
    const int mine = in[127 - threadIdx.x];
    barrier.wait(std::move(token));
    out[threadIdx.x] = values[127 - threadIdx.x] - mine;
    barrier.arrive_and_wait();
  }
}
CASE(barrier_object) {
  Buffer<int> in(128, 1), out(128, 0);
  with_barrier<<<1, 128>>>(in, out);
}

// CASE producers_and_consumers: one warp fills a buffer, another empties it
__global__ void producers(int* out, int turns) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ Barrier full, empty;
  __shared__ int buffer[32];
  if (threadIdx.x == 0) {
    init(&full, 64);
    init(&empty, 64);
  }
  __syncthreads();
  int sum = 0;
  for (int turn = 0; turn < turns; ++turn) {
    if (threadIdx.x < 32) {
      if (turn > 0) empty.arrive_and_wait();
      buffer[threadIdx.x] = turn + static_cast<int>(threadIdx.x);
      (void)full.arrive();
    } else {
      full.arrive_and_wait();
      sum += buffer[63 - threadIdx.x];
      if (turn < turns - 1) (void)empty.arrive();
    }
  }
  if (threadIdx.x >= 32) out[threadIdx.x - 32] = sum;
}
CASE(producers_and_consumers) {
  Buffer<int> out(32, 0);
  producers<<<1, 64>>>(out, 5);
}

// CASE copied_by_the_group: memcpy_async of a block, waited for
__global__ void copy_tile(const float* in, float* out) {
  __shared__ float tile[256];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in + blockIdx.x * 256, sizeof(float) * 256);
  cg::wait(block);
  out[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}
CASE(copied_by_the_group) {
  Buffer<float> in(512, 1.0f), out(512, 0.0f);
  copy_tile<<<2, 256>>>(in, out);
}

// CASE pipeline_of_two: the next tile is on its way while this one is used
__global__ void pipelined(const float* in, float* out, int tiles) {
  __shared__ float tile[2][64];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const auto fetch = [&](int t) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[t & 1][threadIdx.x], in + t * 64 + threadIdx.x, sizeof(float), pipe);
    pipe.producer_commit();
  };
  fetch(0);
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      fetch(t + 1);
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    } else {
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    }
    __syncthreads();
    sum += tile[t & 1][63 - threadIdx.x];
    __syncthreads();
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}
CASE(pipeline_of_two) {
  Buffer<float> in(256, 1.0f), out(64, 0.0f);
  pipelined<<<1, 64>>>(in, out, 4);
}

// CASE turned_by_copies: copies of 4 bytes go down columns, and all of a warp's meet in one bank
__global__ void turn_by_copies(const float* in, float* out) {
  __shared__ float tile[32][32];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  cuda::memcpy_async(&tile[x][y], in + 32 * y + x, sizeof(float), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  __syncthreads();
  out[32 * y + x] = tile[y][x];
}
CASE(turned_by_copies) {
  Buffer<float> in(1024, 1.0f), out(1024, 0.0f);
  turn_by_copies<<<1, dim3(32, 32)>>>(in, out);
}

// CASE release_and_acquire: a cuda::atomic_ref with memory orders in place of fences
__global__ void message(int* data, int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42;
    ready.store(1, cuda::memory_order_release);
  } else {
    while (ready.load(cuda::memory_order_acquire) == 0) {
    }
    out[blockIdx.x] = *data;
  }
}
CASE(release_and_acquire) {
  Buffer<int> data(1, 0), flag(1, 0), out(4, 0);
  message<<<4, 32>>>(data, flag, out);
}

}  // namespace
