// Loops and the ways out of them, with bounds that differ between lanes.
#include "tests/parity/loop_inputs.hpp"

using namespace warplab::parity;

__global__ void for_loop(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int last = trips[i];
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < last; ++k) sum += in[16 * i + k];
  out[i] = sum;
}
PARITY_CASE(for_loop, "loops") { run_loop(for_loop, sum_of); }

__global__ void while_loop(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int left = trips[i], sum = 0;
#pragma unroll 1
  while (left > 0) sum += in[16 * i + --left];
  out[i] = sum;
}
PARITY_CASE(while_loop, "loops") { run_loop(while_loop, sum_of); }

__global__ void do_while_loop(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int last = trips[i];
  int k = 0, sum = 0;
#pragma unroll 1
  do {
    sum += in[16 * i + k];
    ++k;
  } while (k < last);
  out[i] = sum;
}
PARITY_CASE(do_while_loop, "loops") {
  run_loop(do_while_loop, [](int trips, const int* row) { return sum_of(trips > 0 ? trips : 1, row); });
}

__global__ void loop_with_break(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int last = trips[i];
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < last; ++k) {
    const int v = in[16 * i + k];
    if (v > 40) break;
    sum += v;
  }
  out[i] = sum;
}
PARITY_CASE(loop_with_break, "loops") {
  run_loop(loop_with_break, [](int trips, const int* row) {
    int sum = 0;
    for (int k = 0; k < trips && row[k] <= 40; ++k) sum += row[k];
    return sum;
  });
}

__global__ void loop_with_break_after_store(const int* trips, int* inout, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int last = trips[i];
  int k = 0;
#pragma unroll 1
  for (; k < last; ++k) {
    const int v = inout[16 * i + k];
    if (v % 7 == 3) {
      inout[16 * i + k] = 0;
      break;
    }
    inout[16 * i + k] = v + 1;
  }
  out[i] = k;
}
PARITY_CASE(loop_with_break_after_store, "loops") {
  const auto trips = numbers<int>(count, 12, 5), values = numbers<int>(16 * count, 50);
  const Array<int> in_trips(trips), inout(values), out(count, -1);
  loop_with_break_after_store<<<3, 80>>>(in_trips, inout, out, count);
  auto right = values;
  std::vector<int> stopped(count);
  for (int i = 0; i < count; ++i) {
    int k = 0;
    for (; k < trips[i]; ++k) {
      int& v = right[16 * i + k];
      if (v % 7 == 3) {
        v = 0;
        break;
      }
      ++v;
    }
    stopped[i] = k;
  }
  expect_equal(inout, [&](std::size_t i) { return right[i]; });
  expect_equal(out, [&](std::size_t i) { return stopped[i]; });
}

__global__ void loop_with_continue(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int last = trips[i];
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < last; ++k) {
    if ((i + k) % 3 == 0) continue;
    sum += in[16 * i + k];
  }
  out[i] = sum;
}
PARITY_CASE(loop_with_continue, "loops") {
  const auto trips = numbers<int>(count, 12, 5), values = numbers<int>(16 * count, 50);
  const Array<int> in_trips(trips), in(values), out(count, -1);
  loop_with_continue<<<3, 80>>>(in_trips, in, out, count);
  expect_equal(out, [&](std::size_t i) {
    int sum = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(trips[i]); ++k)
      if ((i + k) % 3 != 0) sum += values[16 * i + k];
    return sum;
  });
}

__global__ void loop_with_branch(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int last = trips[i];
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < last; ++k) {
    const int v = in[16 * i + k];
    if (v % 2 == 0) sum += in[16 * i + 15 - k];
    sum += v;
  }
  out[i] = sum;
}
PARITY_CASE(loop_with_branch, "loops") {
  run_loop(loop_with_branch, [](int trips, const int* row) {
    int sum = 0;
    for (int k = 0; k < trips; ++k) sum += row[k] + (row[k] % 2 == 0 ? row[15 - k] : 0);
    return sum;
  });
}

__global__ void loop_with_goto(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int last = trips[i];
  int k = 0, sum = 0;
again:
  if (k < last) {
    const int v = in[16 * i + k];
    sum += v;
    k += 1 + v % 2;
    goto again;
  }
  out[i] = sum;
}
PARITY_CASE(loop_with_goto, "loops") {
  run_loop(loop_with_goto, [](int trips, const int* row) {
    int sum = 0;
    for (int k = 0; k < trips; k += 1 + row[k] % 2) sum += row[k];
    return sum;
  });
}

__global__ void return_from_a_loop(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int last = trips[i];
#pragma unroll 1
  for (int k = 0; k < last; ++k)
    if (in[16 * i + k] > 42) {
      out[i] = k;
      return;
    }
  out[i] = 100 + last;
}
PARITY_CASE(return_from_a_loop, "loops") {
  run_loop(return_from_a_loop, [](int trips, const int* row) {
    for (int k = 0; k < trips; ++k)
      if (row[k] > 42) return k;
    return 100 + trips;
  });
}

__global__ void switch_in_a_loop(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int last = trips[i];
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < last; ++k) {
    switch ((i + k) % 4) {
      case 0:
        sum += in[16 * i + k];
        break;
      case 1:
        sum -= in[16 * i + 15 - k];
        break;
      case 2:
        continue;
      default:
        sum *= 2;
    }
    sum += 1;
  }
  out[i] = sum;
}
PARITY_CASE(switch_in_a_loop, "loops") {
  const auto trips = numbers<int>(count, 12, 5), values = numbers<int>(16 * count, 50);
  const Array<int> in_trips(trips), in(values), out(count, -1);
  switch_in_a_loop<<<3, 80>>>(in_trips, in, out, count);
  expect_equal(out, [&](std::size_t i) {
    int sum = 0;
    for (int k = 0; k < trips[i]; ++k) {
      const int kind = static_cast<int>(i + k) % 4;
      if (kind == 2) continue;
      if (kind == 0) sum += values[16 * i + k];
      if (kind == 1) sum -= values[16 * i + 15 - k];
      if (kind == 3) sum *= 2;
      sum += 1;
    }
    return sum;
  });
}

__global__ void binary_search(const int* sorted, const int* wanted, int* out, int n, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int value = wanted[i];
  int low = 0, high = size;
#pragma unroll 1
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sorted[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  out[i] = low;
}
PARITY_CASE(binary_search, "loops") {
  std::vector<int> sorted(77);
  for (int i = 0; i < 77; ++i) sorted[i] = 3 * i;
  const auto wanted = numbers<int>(count, 240);
  const Array<int> in(sorted), want(wanted), out(count, -1);
  binary_search<<<3, 80>>>(in, want, out, count, 77);
  expect_equal(out, [&](std::size_t i) {
    int low = 0;
    while (low < 77 && sorted[low] < wanted[i]) ++low;
    return low;
  });
}

__global__ void follow_links(const int* next, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at = i, steps = 0;
#pragma unroll 1
  while (at % 9 != 0) {
    at = next[at];
    ++steps;
  }
  out[i] = steps;
}
PARITY_CASE(follow_links, "loops") {
  std::vector<int> next(count);
  for (int i = 0; i < count; ++i) next[i] = (i * 7 + 5) % count;
  const auto steps = [&](int at) {
    int taken = 0;
    while (at % 9 != 0 && taken < 1000) at = next[at], ++taken;
    return taken;
  };
  for (int i = 0; i < count; ++i)
    if (steps(i) == 1000) next[i] = 0;  // no endless rounds
  for (int i = 0; i < count; ++i)
    if (steps(i) == 1000) throw std::runtime_error("the links go round for ever");
  const Array<int> in(next), out(count, -1);
  follow_links<<<3, 80>>>(in, out, count);
  expect_equal(out, [&](std::size_t i) { return steps(static_cast<int>(i)); });
}
