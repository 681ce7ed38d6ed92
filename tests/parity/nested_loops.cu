// Loops in loops, in branches and one after another, with bounds that differ between lanes at every level.
#include "tests/parity/loop_inputs.hpp"

using namespace warplab::parity;

__global__ void nested_uniform(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = trips[i];
#pragma unroll 1
  for (int a = 0; a < 3; ++a)
#pragma unroll 1
    for (int b = 0; b < 4; ++b) sum += in[16 * i + 4 * a + b];
  out[i] = sum;
}
PARITY_CASE(nested_uniform, "nested loops") {
  run_loop(nested_uniform, [](int trips, const int* row) { return trips + sum_of(12, row); });
}

__global__ void nested_divergent(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int outer = trips[i] % 4;
  int sum = 0;
#pragma unroll 1
  for (int a = 0; a < outer; ++a) {
    const int inner = in[16 * i + a] % 5;
#pragma unroll 1
    for (int b = 0; b < inner; ++b) sum += in[16 * i + 4 * a + b];
  }
  out[i] = sum;
}
PARITY_CASE(nested_divergent, "nested loops") {
  run_loop(nested_divergent, [](int trips, const int* row) {
    int sum = 0;
    for (int a = 0; a < trips % 4; ++a) sum += sum_of(row[a] % 5, row + 4 * a);
    return sum;
  });
}

__global__ void nested_triangle(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int outer = trips[i] % 6;
  int sum = 0;
#pragma unroll 1
  for (int a = 0; a < outer; ++a)
#pragma unroll 1
    for (int b = 0; b <= a; ++b) sum += in[16 * i + a + b];
  out[i] = sum;
}
PARITY_CASE(nested_triangle, "nested loops") {
  run_loop(nested_triangle, [](int trips, const int* row) {
    int sum = 0;
    for (int a = 0; a < trips % 6; ++a) sum += sum_of(a + 1, row + a);
    return sum;
  });
}

__global__ void nested_break(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int outer = trips[i] % 4;
  int sum = 0;
#pragma unroll 1
  for (int a = 0; a < outer; ++a) {
#pragma unroll 1
    for (int b = 0; b < 4; ++b) {
      const int v = in[16 * i + 4 * a + b];
      if (v > 35) break;
      sum += v;
    }
    sum += in[16 * i + a];
  }
  out[i] = sum;
}
PARITY_CASE(nested_break, "nested loops") {
  run_loop(nested_break, [](int trips, const int* row) {
    int sum = 0;
    for (int a = 0; a < trips % 4; ++a) {
      for (int b = 0; b < 4 && row[4 * a + b] <= 35; ++b) sum += row[4 * a + b];
      sum += row[a];
    }
    return sum;
  });
}

__global__ void break_out_of_both(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int outer = trips[i] % 4;
  int sum = 0;
#pragma unroll 1
  for (int a = 0; a < outer; ++a)
#pragma unroll 1
    for (int b = 0; b < 4; ++b) {
      const int v = in[16 * i + 4 * a + b];
      if (v > 45) goto done;
      sum += v;
    }
done:
  out[i] = sum;
}
PARITY_CASE(break_out_of_both, "nested loops") {
  run_loop(break_out_of_both, [](int trips, const int* row) {
    int sum = 0;
    for (int k = 0; k < trips % 4 * 4 && row[k] <= 45; ++k) sum += row[k];
    return sum;
  });
}

__global__ void nested_continue(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int outer = trips[i] % 4;
  int sum = 0;
#pragma unroll 1
  for (int a = 0; a < outer; ++a) {
    if (in[16 * i + a] % 3 == 0) continue;
    const int inner = (i + a) % 5;
#pragma unroll 1
    for (int b = 0; b < inner; ++b) {
      if (b == a) continue;
      sum += in[16 * i + 4 * a + b];
    }
  }
  out[i] = sum;
}
PARITY_CASE(nested_continue, "nested loops") {
  const auto trips = numbers<int>(count, 12, 5), values = numbers<int>(16 * count, 50);
  const Array<int> in_trips(trips), in(values), out(count, -1);
  nested_continue<<<3, 80>>>(in_trips, in, out, count);
  expect_equal(out, [&](std::size_t i) {
    const int* row = &values[16 * i];
    int sum = 0;
    for (int a = 0; a < trips[i] % 4; ++a)
      for (int b = 0; row[a] % 3 != 0 && b < static_cast<int>(i + a) % 5; ++b)
        if (b != a) sum += row[4 * a + b];
    return sum;
  });
}

__global__ void nested_while(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int left = trips[i], sum = 0;
#pragma unroll 1
  while (left > 0) {
    int part = in[16 * i + left] % 4;
#pragma unroll 1
    do {
      sum += in[16 * i + part];
    } while (part-- > 0);
    left -= 3;
  }
  out[i] = sum;
}
PARITY_CASE(nested_while, "nested loops") {
  run_loop(nested_while, [](int trips, const int* row) {
    int sum = 0;
    for (int left = trips; left > 0; left -= 3)
      for (int part = row[left] % 4; part >= -1; --part)
        if (part >= 0) sum += row[part];
    return sum;
  });
}

__global__ void three_deep(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int outer = trips[i] % 3;
  int sum = 0;
#pragma unroll 1
  for (int a = 0; a <= outer; ++a)
#pragma unroll 1
    for (int b = 0; b < (i + a) % 3; ++b)
#pragma unroll 1
      for (int c = b; c < 3; ++c) sum += in[16 * i + a + b + c];
  out[i] = sum;
}
PARITY_CASE(three_deep, "nested loops") {
  const auto trips = numbers<int>(count, 12, 5), values = numbers<int>(16 * count, 50);
  const Array<int> in_trips(trips), in(values), out(count, -1);
  three_deep<<<3, 80>>>(in_trips, in, out, count);
  expect_equal(out, [&](std::size_t i) {
    int sum = 0;
    for (int a = 0; a <= trips[i] % 3; ++a)
      for (int b = 0; b < static_cast<int>(i + a) % 3; ++b)
        for (int c = b; c < 3; ++c) sum += values[16 * i + a + b + c];
    return sum;
  });
}

__global__ void loops_one_after_another(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int last = trips[i];
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < last; ++k) sum += in[16 * i + k];
#pragma unroll 1
  for (int k = last; k < 16; k += 2) sum -= in[16 * i + k];
  out[i] = sum;
}
PARITY_CASE(loops_one_after_another, "nested loops") {
  run_loop(loops_one_after_another, [](int trips, const int* row) {
    int sum = sum_of(trips, row);
    for (int k = trips; k < 16; k += 2) sum -= row[k];
    return sum;
  });
}

__global__ void loop_in_a_branch(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int last = trips[i];
  int sum = 0;
  if (i % 2 == 0) {
#pragma unroll 1
    for (int k = 0; k < last; ++k) sum += in[16 * i + k];
  } else {
#pragma unroll 1
    for (int k = 15; k > last; k -= 3) sum -= in[16 * i + k];
  }
  out[i] = sum;
}
PARITY_CASE(loop_in_a_branch, "nested loops") {
  const auto trips = numbers<int>(count, 12, 5), values = numbers<int>(16 * count, 50);
  const Array<int> in_trips(trips), in(values), out(count, -1);
  loop_in_a_branch<<<3, 80>>>(in_trips, in, out, count);
  expect_equal(out, [&](std::size_t i) {
    if (i % 2 == 0) return sum_of(trips[i], &values[16 * i]);
    int sum = 0;
    for (int k = 15; k > trips[i]; k -= 3) sum -= values[16 * i + k];
    return sum;
  });
}
