// Correct: locks, flags, tickets and counters. None of these may be complained about.

#include "tests/emulator/findings/case.hpp"

namespace {

struct Lock {
  int* word;
  __device__ void take() const {
    while (atomicCAS(word, 0, 1) != 0) {
    }
    __threadfence();
  }
  __device__ void release() const {
    __threadfence();
    atomicExch(word, 0);
  }
};

// CASE spin_lock: one thread of each block adds to a plain number under a lock
__global__ void add_locked(Lock lock, int* value) {
  if (threadIdx.x == 0) {
    lock.take();
    *value += static_cast<int>(blockIdx.x);
    lock.release();
  }
}
CASE(spin_lock) {
  Buffer<int> word(1, 0), value(1, 0);
  add_locked<<<20, 32>>>(Lock{word}, value);
}

// CASE lock_for_a_block: all threads of the block work while thread 0 holds the lock
__global__ void add_vectors(Lock lock, float* sums, const float* in) {
  if (threadIdx.x == 0) lock.take();
  __syncthreads();
  sums[threadIdx.x] += in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) lock.release();
}
CASE(lock_for_a_block) {
  Buffer<int> word(1, 0);
  Buffer<float> sums(64, 0.0f), in(64 * 6, 1.0f);
  add_vectors<<<6, 64>>>(Lock{word}, sums, in);
}

// CASE lock_for_each_warp: the first lane of each warp takes a lock in shared memory
__global__ void warps_in_turn(int* out) {
  __shared__ int word;
  __shared__ int list[8];
  __shared__ int length;
  if (threadIdx.x == 0) word = length = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&word, 0, 1) != 0) {
    }
    __threadfence_block();
    list[length++] = static_cast<int>(threadIdx.x) / 32;
    __threadfence_block();
    atomicExch(&word, 0);
  }
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = list[threadIdx.x];
}
CASE(lock_for_each_warp) {
  Buffer<int> out(8, 0);
  warps_in_turn<<<2, 256>>>(out);
}

// CASE ticket_lock: first come, first served
__global__ void with_ticket(unsigned* next, volatile unsigned* serving, int* log) {
  if (threadIdx.x == 0) {
    const unsigned ticket = atomicAdd(next, 1u);
    while (*serving != ticket) {
    }
    __threadfence();
    log[ticket] = ticket == 0 ? 1 : log[ticket - 1] + 1;
    __threadfence();
    *serving = ticket + 1;
  }
}
CASE(ticket_lock) {
  Buffer<unsigned> next(1, 0), serving(1, 0);
  Buffer<int> log(12, 0);
  with_ticket<<<12, 32>>>(next, serving, log);
}

// CASE last_block: the block that finishes last adds up what the others wrote
__device__ unsigned finished = 0;
__global__ void sum_all(const int* in, int* sums, int* out) {
  __shared__ int local[128];
  __shared__ bool last;
  local[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  for (unsigned half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) local[threadIdx.x] += local[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = local[0];
    __threadfence();
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) sum += sums[i];
  atomicAdd(out, sum);
  if (threadIdx.x == 0) finished = 0;
}
CASE(last_block) {
  Buffer<int> in(128 * 40, 1), sums(40, 0), out(1, 0);
  sum_all<<<40, 128>>>(in, sums, out);
}

// CASE look_back: each block waits for the sum of the blocks before it (decoupled look-back, one step)
__global__ void prefix(const int* in, int* sums, volatile int* ready, int* tickets, int* out) {
  __shared__ int before, index;
  if (threadIdx.x == 0) index = atomicAdd(tickets, 1);
  __syncthreads();
  const int i = index * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x);
  if (threadIdx.x == 0) {
    int own = 0;
    for (unsigned k = 0; k < blockDim.x; ++k) own += in[index * blockDim.x + k];
    before = 0;
    if (index > 0) {
      while (ready[index - 1] == 0) {
      }
      __threadfence();
      before = sums[index - 1];
    }
    sums[index] = before + own;
    __threadfence();
    ready[index] = 1;
  }
  __syncthreads();
  out[i] = before + in[i];
}
CASE(look_back) {
  Buffer<int> in(32 * 10, 1), sums(10, 0), ready(10, 0), tickets(1, 0), out(32 * 10, 0);
  prefix<<<10, 32>>>(in, sums, ready, tickets, out);
}

// CASE packed_look_back: value and state in one 64-bit word need no fence
__global__ void packed_prefix(volatile unsigned long long* state, unsigned* tickets, unsigned* out) {
  if (threadIdx.x != 0) return;
  const unsigned index = atomicAdd(tickets, 1u);
  unsigned sum = index + 1;
  if (index > 0) {
    unsigned long long word;
    do word = state[index - 1];
    while (word >> 32 == 0);
    sum += static_cast<unsigned>(word);
  }
  state[index] = 1ull << 32 | sum;
  out[index] = sum;
}
CASE(packed_look_back) {
  Buffer<unsigned long long> state(16, 0);
  Buffer<unsigned> tickets(1, 0), out(16, 0);
  packed_prefix<<<16, 32>>>(state, tickets, out);
}

// CASE volatile_flag_between_warps: one warp produces, the other one waits for its flag
__global__ void hand_over(int* out) {
  __shared__ int data[32];
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    data[threadIdx.x] = static_cast<int>(threadIdx.x) * 3;
    __syncwarp();
    if (threadIdx.x == 0) {
      __threadfence_block();
      flag = 1;
    }
  } else {
    if (threadIdx.x == 32)
      while (flag == 0) {
      }
    __syncwarp();
    __threadfence_block();
    out[threadIdx.x - 32] = data[threadIdx.x - 32];
  }
}
CASE(volatile_flag_between_warps) {
  Buffer<int> out(32, 0);
  hand_over<<<3, 64>>>(out);
}

// CASE atomic_counters: a histogram in shared memory that is added to one in global memory
__global__ void histogram(const unsigned char* in, unsigned* bins, int n) {
  __shared__ unsigned local[64];
  for (unsigned b = threadIdx.x; b < 64; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[in[i] & 63], 1u);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < 64; b += blockDim.x)
    if (local[b] != 0) atomicAdd(&bins[b], local[b]);
}
CASE(atomic_counters) {
  Buffer<unsigned char> in(5000, 9);
  Buffer<unsigned> bins(64, 0);
  histogram<<<4, 96>>>(in, bins, 5000);
}

// CASE compare_and_swap_add: the guide's atomicAdd for doubles: a plain read, then a swap that looks again
__device__ double add_by_swaps(double* address, double value) {
  auto* const word = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
__global__ void sum_doubles(const double* in, double* sum) {
  add_by_swaps(sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
}
CASE(compare_and_swap_add) {
  Buffer<double> in(256, 0.5), sum(1, 0.0);
  sum_doubles<<<4, 64>>>(in, sum);
}

// CASE same_value_flag: many threads write the same value
__global__ void any_above(const int* in, int limit, int* found) {
  __shared__ int here;
  if (threadIdx.x == 0) here = 0;
  __syncthreads();
  if (in[blockIdx.x * blockDim.x + threadIdx.x] > limit) here = 1;
  __syncthreads();
  if (here) *found = 1;
}
CASE(same_value_flag) {
  Buffer<int> in(512, 3), found(1, 0);
  any_above<<<4, 128>>>(in, 2, found);
}

// CASE atomic_flag_in_shared: a producer warp releases each stage by an atomic
__global__ void stages(int* out) {
  __shared__ int value, stage;
  if (threadIdx.x == 0) stage = 0;
  __syncthreads();
  for (int s = 1; s <= 4; ++s) {
    if (threadIdx.x == 0) {
      value = s * 10;
      __threadfence_block();
      atomicExch(&stage, s);
    }
    if (threadIdx.x == 32) {
      while (atomicAdd(&stage, 0) < s) {
      }
      __threadfence_block();
      out[s - 1] = value;
    }
    __syncthreads();
  }
}
CASE(atomic_flag_in_shared) {
  Buffer<int> out(4, 0);
  stages<<<1, 64>>>(out);
}

// CASE two_swaps: both first reads come before both loops of compare-and-swap
__global__ void add_to_both(unsigned* a, unsigned* b) {
  unsigned x = *a, y = *b, old;
  while ((old = atomicCAS(a, x, x + 1)) != x) x = old;
  while ((old = atomicCAS(b, y, y + 1)) != y) y = old;
}
CASE(two_swaps) {
  Buffer<unsigned> sums(2, 0u);
  add_to_both<<<4, 64>>>(sums, sums + 1);
}

}  // namespace
