// Control flow: branches, loops, ways out of them, and their nesting, with bounds that differ between lanes.
#include "tests/parity/parity.hpp"

using namespace warplab::parity;

static constexpr int count = 200;

// The branches below write to arrays of different types, so that no compiler can make one store of two.

__global__ void if_else(const int* in, int* evens, short* odds, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (in[i] % 2 == 0)
    evens[i] = in[i] / 2;
  else
    odds[i] = static_cast<short>(i);
}
PARITY_CASE(if_else, "branches") {
  const auto values = numbers<int>(count);
  const Array<int> in(values), evens(count, -1);
  const Array<short> odds(count, -1);
  if_else<<<2, 128>>>(in, evens, odds, count);
  expect_equal(evens, [&](std::size_t i) { return values[i] % 2 == 0 ? values[i] / 2 : -1; });
  expect_equal(odds,
               [&](std::size_t i) { return static_cast<short>(values[i] % 2 ? static_cast<int>(i) : -1); });
}

__global__ void if_else_same_store(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (in[i] % 2 == 0)
    out[i] = in[i] / 2;
  else
    out[i] = 3 * in[i] + 1;
}
PARITY_CASE(if_else_same_store, "branches") {
  const auto values = numbers<int>(count);
  const Array<int> in(values), out(count, -1);
  if_else_same_store<<<2, 128>>>(in, out, count);
  expect_equal(out, [&](std::size_t i) { return values[i] % 2 == 0 ? values[i] / 2 : 3 * values[i] + 1; });
}

__global__ void nested_if(const int* in, int* a, short* b, double* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int v = in[i];
    if (v > 20) {
      if (v > 60)
        a[i] = v;
      else if (v % 3 == 0)
        b[i] = static_cast<short>(v);
    } else {
      c[i] = v;
    }
  }
}
PARITY_CASE(nested_if, "branches") {
  const auto values = numbers<int>(count);
  const Array<int> in(values), a(count, -1);
  const Array<short> b(count, -1);
  const Array<double> c(count, -1);
  nested_if<<<3, 96>>>(in, a, b, c, count);
  expect_equal(a, [&](std::size_t i) { return values[i] > 60 ? values[i] : -1; });
  expect_equal(b, [&](std::size_t i) {
    const int v = values[i];
    return static_cast<short>(v > 20 && v <= 60 && v % 3 == 0 ? v : -1);
  });
  expect_equal(c, [&](std::size_t i) { return values[i] <= 20 ? values[i] : -1.0; });
}

__global__ void switch_fallthrough(const int* in, int* a, short* b, double* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  switch (in[i] % 5) {
    case 0:
      a[i] = 1;
      [[fallthrough]];
    case 1:
      b[i] = 2;
      break;
    case 3:
      c[i] = 3;
      break;
    default:
      break;
  }
}
PARITY_CASE(switch_fallthrough, "branches") {
  const auto values = numbers<int>(count);
  const Array<int> in(values), a(count, -1);
  const Array<short> b(count, -1);
  const Array<double> c(count, -1);
  switch_fallthrough<<<2, 128>>>(in, a, b, c, count);
  expect_equal(a, [&](std::size_t i) { return values[i] % 5 == 0 ? 1 : -1; });
  expect_equal(b, [&](std::size_t i) { return static_cast<short>(values[i] % 5 < 2 ? 2 : -1); });
  expect_equal(c, [&](std::size_t i) { return values[i] % 5 == 3 ? 3.0 : -1.0; });
}

__global__ void ternary_value(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] > 50 ? in[i] - 50 : 50 - in[i];
}
PARITY_CASE(ternary_value, "branches") {
  const auto values = numbers<int>(count);
  const Array<int> in(values), out(count, -1);
  ternary_value<<<2, 128>>>(in, out, count);
  expect_equal(out, [&](std::size_t i) { return values[i] > 50 ? values[i] - 50 : 50 - values[i]; });
}

__global__ void ternary_two_arrays(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i % 3 == 0 ? a[i] : b[i];
}
PARITY_CASE(ternary_two_arrays, "branches") {
  const auto a = numbers<int>(count), b = numbers<int>(count, 100, 2);
  const Array<int> in_a(a), in_b(b), out(count, -1);
  ternary_two_arrays<<<2, 128>>>(in_a, in_b, out, count);
  expect_equal(out, [&](std::size_t i) { return i % 3 == 0 ? a[i] : b[i]; });
}

__global__ void short_circuit(const int* a, const short* b, const double* c, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (a[i] > 30 && b[i] > 40) || c[i] < 20 ? 1 : 0;
}
PARITY_CASE(short_circuit, "branches") {
  const auto a = numbers<int>(count);
  const auto b = numbers<short>(count, 100, 2);
  const auto c = numbers<double>(count, 100, 3);
  const Array<int> in_a(a), out(count, -1);
  const Array<short> in_b(b);
  const Array<double> in_c(c);
  short_circuit<<<2, 128>>>(in_a, in_b, in_c, out, count);
  expect_equal(out, [&](std::size_t i) { return (a[i] > 30 && b[i] > 40) || c[i] < 20 ? 1 : 0; });
}

__global__ void early_return(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int v = in[i];
  if (v < 25) return;
  out[i] = v;
  if (v > 75) return;
  out[n + i] = 2 * v;
}
PARITY_CASE(early_return, "branches") {
  const auto values = numbers<int>(count);
  const Array<int> in(values), out(2 * count, -1);
  early_return<<<2, 128>>>(in, out, count);
  expect_equal(out, [&](std::size_t i) {
    const int v = values[i % count];
    if (i < count) return v < 25 ? -1 : v;
    return v < 25 || v > 75 ? -1 : 2 * v;
  });
}

// --- Loops: lane i goes round `trips[i]` times
// ------------------------------------------------------------------------

/// Runs kernel(trips, in, out, n) and expects expected(trips[i], the row of 16 numbers of lane i).
template <class Kernel, class Expected>
static void run_loop(Kernel kernel, Expected expected) {
  const auto trips = numbers<int>(count, 12, 5), values = numbers<int>(16 * count, 50);
  const Array<int> in_trips(trips), in(values), out(count, -1);
  kernel<<<3, 80>>>(in_trips, in, out, count);
  expect_equal(out, [&](std::size_t i) { return expected(trips[i], &values[16 * i]); });
}

static int sum_of(int trips, const int* row) {
  int sum = 0;
  for (int k = 0; k < trips; ++k) sum += row[k];
  return sum;
}

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

// --- Nested loops
// -------------------------------------------------------------------------------------------------------

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
