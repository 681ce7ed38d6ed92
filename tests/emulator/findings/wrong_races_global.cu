// Races between blocks, and what looks like synchronisation but is none.

#include "tests/emulator/findings/case.hpp"

namespace {

// CASE stencil_in_place: a block reads what its neighbour overwrites
__global__ void stencil(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  if (i > 0 && i < n - 1) sum = x[i - 1] + x[i] + x[i + 1];  // FINDS race
  __syncthreads();
  if (i > 0 && i < n - 1) x[i] = sum / 3.0f;  // FINDS race
}
CASE(stencil_in_place) {
  Buffer<float> x(512, 1.0f);
  stencil<<<4, 128>>>(x, 512);
}

// CASE check_then_add: the number that a plain read saw may be old when the atomic adds
__global__ void take_a_place(const int* in, int* taken, int* places) {
  if (*taken >= 100) return;  // FINDS race
  const int place = atomicAdd(taken, 1);
  places[place] = in[blockIdx.x * blockDim.x + threadIdx.x];
}
CASE(check_then_add) {
  Buffer<int> in(128, 3), taken(1, 0), places(256, 0);
  take_a_place<<<2, 64>>>(in, taken, places);
}

// CASE swap_of_another_value: the swap does not look again at what the read saw
__global__ void first_to_come(const int* in, int* owner, int* seen) {
  const int before = *owner;  // FINDS race
  atomicCAS(owner, -1, in[0]);
  seen[blockIdx.x * blockDim.x + threadIdx.x] = before;
}
CASE(swap_of_another_value) {
  Buffer<int> in(1, 7), owner(1, 0), seen(128, 0);
  first_to_come<<<2, 64>>>(in, owner, seen);
}

// CASE block_index_missing: every block writes the same elements
__global__ void square(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[threadIdx.x] = in[i] * in[i];  // FINDS race
}
CASE(block_index_missing) {
  std::vector<int> host(256);
  for (int i = 0; i < 256; ++i) host[i] = i;
  Buffer<int> in(256, 0), out(256, 0);
  check(cudaMemcpy(in, host.data(), 256 * sizeof(int), cudaMemcpyHostToDevice));
  square<<<2, 128>>>(in, out);
}

// CASE sum_without_atomics: all threads add to one number
__global__ void total(const float* in, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) *sum += in[i];  // FINDS race
}
CASE(sum_without_atomics) {
  Buffer<float> in(256, 1.0f), sum(1, 0.0f);
  total<<<4, 64>>>(in, sum, 256);
}

// CASE lock_without_fence: the lock is handed on before what it guards
__device__ int mutex = 0;
__global__ void guarded(int* value) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&mutex, 0, 1) != 0) {
    }
    *value = *value + 1;  // FINDS race
    atomicExch(&mutex, 0);
  }
}
CASE(lock_without_fence) {
  Buffer<int> value(1, 0);
  guarded<<<8, 32>>>(value);
}

// CASE flag_without_fence: the flag may arrive before the data
__global__ void hand_over(int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      *data = 42;  // FINDS race
      *flag = 1;
    }
  } else if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    *out = *data;  // FINDS race
  }
}
CASE(flag_without_fence) {
  Buffer<int> data(1, 0), flag(1, 0), out(1, 0);
  hand_over<<<2, 32>>>(data, flag, out);
}

// CASE plain_flag: a flag that is neither volatile nor atomic
__global__ void plain_flag(int* flags, int* seen) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    __threadfence();
    flags[0] = 1;  // FINDS race
  } else {
    seen[blockIdx.x] = flags[0];  // FINDS race
  }
}
CASE(plain_flag) {
  Buffer<int> flags(1, 0), seen(4, 0);
  plain_flag<<<4, 32>>>(flags, seen);
}

// CASE last_block_without_fence: the last block may not see the sums of the others
__device__ unsigned finished = 0;
__global__ void sum_in_last_block(const int* in, volatile int* sums, int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = in[blockIdx.x] + 1;
    int* const plain = const_cast<int*>(sums) + gridDim.x + blockIdx.x;
    *plain = in[blockIdx.x];  // FINDS race
    last = atomicAdd(&finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = sums[gridDim.x + threadIdx.x];  // FINDS race
}
CASE(last_block_without_fence) {
  Buffer<int> in(8, 1), sums(16, 0), out(8, 0);
  sum_in_last_block<<<8, 32>>>(in, sums, out);
}

// CASE atomic_against_plain: the check of a bound beside atomic updates of it
__global__ void find_max(const int* in, int* best, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (in[i] > *best)         // FINDS race
    atomicMax(best, in[i]);  // FINDS race
}
CASE(atomic_against_plain) {
  std::vector<int> host(256);
  for (int i = 0; i < 256; ++i) host[i] = (i * 37) % 256;
  Buffer<int> in(256, 0), best(1, 250);
  check(cudaMemcpy(in, host.data(), 256 * sizeof(int), cudaMemcpyHostToDevice));
  find_max<<<4, 64>>>(in, best, 256);
}

// CASE shift_in_place: each element moves to where another block still reads
template <class T>
__global__ void shift(T* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n - 1; i += gridDim.x * blockDim.x)
    x[i] = x[i + 1];  // FINDS race
}
CASE(shift_in_place) {
  std::vector<double> host(600);
  for (int i = 0; i < 600; ++i) host[i] = i;
  Buffer<double> x(600, 0.0);
  check(cudaMemcpy(x, host.data(), 600 * sizeof(double), cudaMemcpyHostToDevice));
  shift<<<3, 64>>>(static_cast<double*>(x), 600);
}

// CASE lock_released_plainly: the unlocking write is not an atomic
__global__ void unlock_plainly(int* lock, int* value) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {  // FINDS race
    }
    atomicAdd(value, 1);
    __threadfence();
    *lock = 0;  // FINDS race
  }
}
CASE(lock_released_plainly) {
  Buffer<int> lock(1, 0), value(1, 0);
  unlock_plainly<<<6, 32>>>(lock, value);
}

// CASE barrier_joins_one_block: __syncthreads() is taken for a barrier of the grid
__global__ void two_phases(int* x, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  x[i] = i;  // FINDS race
  __syncthreads();
  out[i] = x[n - 1 - i];  // FINDS race
}
CASE(barrier_joins_one_block) {
  Buffer<int> x(128, 0), out(128, 0);
  two_phases<<<2, 64>>>(x, out);
}

// CASE global_scratch_in_a_block: threads of one block exchange through global memory without a barrier
__global__ void exchange(float* scratch, float* out) {
  float* const mine = scratch + blockIdx.x * blockDim.x;
  mine[threadIdx.x] = threadIdx.x;                                                  // FINDS race
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine[blockDim.x - 1 - threadIdx.x];  // FINDS race
}
CASE(global_scratch_in_a_block) {
  Buffer<float> scratch(256, 0.0f), out(256, 0.0f);
  exchange<<<2, 128>>>(scratch, out);
}

// CASE pixels_overlap: each thread writes one pixel too many
__global__ void paint(unsigned char* image, int width) {
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int k = 0; k <= 2; ++k)
    if (x + k < width) image[x + k] = static_cast<unsigned char>(x);  // FINDS race
}
CASE(pixels_overlap) {
  Buffer<unsigned char> image(256, 0);
  paint<<<2, 64>>>(image, 256);
}

// CASE barrier_without_fences: one thread signs in for the block, but nobody has fenced
__global__ void sum_without_fences(float* parts, unsigned* tickets, float* out) {
  __shared__ bool last;
  parts[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(tickets, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  float sum = 0.0f;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += parts[b * blockDim.x + threadIdx.x];  // FINDS race
  atomicAdd(out, sum);
}
CASE(barrier_without_fences) {
  Buffer<float> parts(4 * 64, 0.0f), out(1, 0.0f);
  Buffer<unsigned> tickets(1, 0u);
  sum_without_fences<<<4, 64>>>(parts, tickets, out);
}

}  // namespace
