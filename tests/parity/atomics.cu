// Atomic operations on global and shared memory, with and without their result.
#include "tests/parity/parity.hpp"

using namespace warplab::parity;

__global__ void count_matches(const int* in, unsigned* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 30) atomicAdd(count, 1u);
}
PARITY_CASE(count_matches, "atomics") {
  const auto values = numbers<int>(300);
  const Array<int> in(values);
  const Array<unsigned> count(1, 0);
  count_matches<<<3, 128>>>(in, count, 300);
  expect_equal(count, [&](std::size_t) {
    unsigned right = 0;
    for (const int value : values) right += value > 30;
    return right;
  });
}

__global__ void atomic_sum_float(const float* in, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, in[i]);
}
PARITY_CASE(atomic_sum_float, "atomics") {
  const auto values = numbers<float>(300);
  const Array<float> in(values), sum(1, 0);
  atomic_sum_float<<<3, 128>>>(in, sum, 300);
  expect_equal(sum, [&](std::size_t) {
    float right = 0;
    for (const float value : values) right += value;
    return right;
  });
}

__global__ void atomic_add_spread(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[i * 3], in[i]);
}
PARITY_CASE(atomic_add_spread, "atomics") {
  const auto values = numbers<int>(100);
  const Array<int> in(values), out(300, 7);
  atomic_add_spread<<<2, 64>>>(in, out, 100);
  expect_equal(out, [&](std::size_t i) { return i % 3 ? 7 : 7 + values[i / 3]; });
}

__global__ void histogram_global(const int* in, unsigned* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i]], 1u);
}
template <class Kernel>
static void run_histogram(Kernel kernel) {
  const auto values = numbers<int>(500, 50);
  const Array<int> in(values);
  const Array<unsigned> bins(50, 0);
  kernel<<<4, 128>>>(in, bins, 500);
  std::vector<unsigned> right(50);
  for (const int value : values) ++right[value];
  expect_equal(bins, [&](std::size_t i) { return right[i]; });
}
PARITY_CASE(histogram_global, "atomics") { run_histogram(histogram_global); }

__global__ void histogram_shared(const int* in, unsigned* bins, int n) {
  __shared__ unsigned counts[50];
  if (threadIdx.x < 50) counts[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[in[i]], 1u);
  __syncthreads();
  if (threadIdx.x < 50) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
PARITY_CASE(histogram_shared, "atomics") { run_histogram(histogram_shared); }

__global__ void weighted_histogram_shared(const int* in, int* bins, int n) {
  __shared__ int sums[50];
  if (threadIdx.x < 50) sums[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&sums[in[i]], i);
  __syncthreads();
  if (threadIdx.x < 50) atomicAdd(&bins[threadIdx.x], sums[threadIdx.x]);
}
PARITY_CASE(weighted_histogram_shared, "atomics") {
  const auto values = numbers<int>(500, 50);
  const Array<int> in(values), bins(50, 0);
  weighted_histogram_shared<<<4, 128>>>(in, bins, 500);
  std::vector<int> right(50);
  for (int i = 0; i < 500; ++i) right[values[i]] += i;
  expect_equal(bins, [&](std::size_t i) { return right[i]; });
}

__global__ void atomic_tickets(unsigned* counters, unsigned* tickets, int n) {
  const int i = threadIdx.x;
  if (i < n) tickets[i] = atomicAdd(&counters[i % 7], 1u);
}
PARITY_CASE(atomic_tickets, "atomics") {
  const Array<unsigned> counters(7, 0), tickets(60, 99);
  atomic_tickets<<<1, 64>>>(counters, tickets, 60);
  std::vector<unsigned> seen(7);  // the order within a counter is open, the set of tickets is not
  const auto got = tickets.host();
  for (int i = 0; i < 60; ++i) seen[i % 7] |= 1u << got[i];
  for (int c = 0; c < 7; ++c)
    if (seen[c] != (1u << (c < 4 ? 9 : 8)) - 1) throw std::runtime_error("a ticket was given twice or never");
}

__global__ void atomic_extremes(const int* in, int* least, int* most, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicMin(&least[i % 16], in[i]);
  atomicMax(&most[i % 16], in[i]);
}
PARITY_CASE(atomic_extremes, "atomics") {
  const auto values = numbers<int>(200);
  const Array<int> in(values), least(16, 1000), most(16, -1000);
  atomic_extremes<<<2, 128>>>(in, least, most, 200);
  const auto extreme = [&](std::size_t bin, bool largest) {
    int found = largest ? -1000 : 1000;
    for (std::size_t i = bin; i < 200; i += 16) found = (values[i] > found) == largest ? values[i] : found;
    return found;
  };
  expect_equal(least, [&](std::size_t bin) { return extreme(bin, false); });
  expect_equal(most, [&](std::size_t bin) { return extreme(bin, true); });
}

__global__ void atomic_claim(const int* slot, int* owner, int* won, int n) {
  const int i = threadIdx.x;
  if (i < n) won[i] = atomicCAS(&owner[slot[i]], -1, slot[i]) == -1;
}
PARITY_CASE(atomic_claim, "atomics") {
  const auto slots = numbers<int>(90, 20);
  const Array<int> slot(slots), owner(20, -1), won(90, 9);
  atomic_claim<<<1, 96>>>(slot, owner, won, 90);
  const auto result = won.host();
  std::vector<int> winners(20), wanted(20);
  for (int i = 0; i < 90; ++i) winners[slots[i]] += result[i], wanted[slots[i]] = 1;
  if (winners != wanted) throw std::runtime_error("a slot has no owner, or two");
}

__global__ void atomic_exchange_bits(unsigned* words, unsigned* bits, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicExch(&words[i], 5u + i);
  atomicOr(&bits[i / 32], 1u << i % 32);
}
PARITY_CASE(atomic_exchange_bits, "atomics") {
  const Array<unsigned> words(100, 0), bits(4, 0);
  atomic_exchange_bits<<<1, 128>>>(words, bits, 100);
  expect_equal(words, [](std::size_t i) { return 5u + static_cast<unsigned>(i); });
  expect_equal(bits, [](std::size_t i) { return i < 3 ? ~0u : 15u; });
}

__global__ void atomic_double_sums(const double* in, double* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&sums[i / 10], in[i]);
}
PARITY_CASE(atomic_double_sums, "atomics") {
  const auto values = numbers<double>(200);
  const Array<double> in(values), sums(20, 0);
  atomic_double_sums<<<2, 128>>>(in, sums, 200);
  expect_equal(sums, [&](std::size_t s) {
    double sum = 0;
    for (int k = 0; k < 10; ++k) sum += values[10 * s + k];
    return sum;
  });
}

__global__ void atomic_in_a_branch(const int* in, int* even, int* odd, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (in[i] % 2 == 0)
    atomicAdd(&even[in[i]], i);
  else
    atomicMax(&odd[in[i]], i);
}
PARITY_CASE(atomic_in_a_branch, "atomics") {
  const auto values = numbers<int>(150, 40);
  const Array<int> in(values), even(40, 0), odd(40, -1);
  atomic_in_a_branch<<<2, 96>>>(in, even, odd, 150);
  std::vector<int> sums(40), last(40, -1);
  for (int i = 0; i < 150; ++i)
    if (values[i] % 2 == 0)
      sums[values[i]] += i;
    else
      last[values[i]] = i;
  expect_equal(even, [&](std::size_t i) { return sums[i]; });
  expect_equal(odd, [&](std::size_t i) { return last[i]; });
}

__global__ void shared_float_sums(const float* in, float* out) {
  __shared__ float sums[32];
  sums[threadIdx.x] = 0;
  __syncwarp();
  atomicAdd(&sums[threadIdx.x / 4], in[threadIdx.x]);
  __syncwarp();
  out[threadIdx.x] = sums[threadIdx.x];
}
PARITY_CASE(shared_float_sums, "atomics") {
  const auto values = numbers<float>(32);
  const Array<float> in(values), out(32, -1);
  shared_float_sums<<<1, 32>>>(in, out);
  expect_equal(out, [&](std::size_t i) {
    return i < 8 ? values[4 * i] + values[4 * i + 1] + values[4 * i + 2] + values[4 * i + 3] : 0.0f;
  });
}
