// Branches: if, switch, ?:, && and ||, return.
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
