// Structures: arrays of them and structures of arrays, fields, whole copies.
#include "tests/parity/parity.hpp"

using namespace warplab::parity;

struct Point {
  float x, y, z;
};
struct Quad {
  int a, b, c, d;
};
struct alignas(16) AlignedQuad {
  int a, b, c, d;
};
struct Triple {
  double a, b, c;
};
struct alignas(16) Octet {
  float value[8];
};
struct alignas(8) Pair {
  int a, b;
};
struct Mixed {
  unsigned char flag;
  int number;
  double value, weight;
};

// The arrays are of the structure's scalars, so that they are compared as such.
template <class S, class T>
static S* as(const Array<T>& array) {
  return reinterpret_cast<S*>(static_cast<T*>(array));
}

template <class S, class T, class Kernel>
static void run_whole_copy(Kernel kernel) {
  constexpr std::size_t count = 150;
  const auto values = numbers<T>(count * sizeof(S) / sizeof(T));
  const Array<T> in(values), out(values.size(), T(101));
  kernel<<<3, 64>>>(as<S>(in), as<S>(out), static_cast<int>(count));
  expect_equal(out, [&](std::size_t i) { return values[i]; });
}

__global__ void copy_point(const Point* in, Point* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
PARITY_CASE(copy_point, "whole structures") { run_whole_copy<Point, float>(copy_point); }

__global__ void copy_pair_aligned(const Pair* in, Pair* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
PARITY_CASE(copy_pair_aligned, "whole structures") { run_whole_copy<Pair, int>(copy_pair_aligned); }

__global__ void copy_quad(const Quad* in, Quad* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
PARITY_CASE(copy_quad, "whole structures") { run_whole_copy<Quad, int>(copy_quad); }

__global__ void copy_quad_aligned(const AlignedQuad* in, AlignedQuad* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
PARITY_CASE(copy_quad_aligned, "whole structures") { run_whole_copy<AlignedQuad, int>(copy_quad_aligned); }

__global__ void copy_triple(const Triple* in, Triple* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
PARITY_CASE(copy_triple, "whole structures") { run_whole_copy<Triple, double>(copy_triple); }

__global__ void copy_octet_aligned(const Octet* in, Octet* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
PARITY_CASE(copy_octet_aligned, "whole structures") { run_whole_copy<Octet, float>(copy_octet_aligned); }

__global__ void copy_float3(const float3* in, float3* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
PARITY_CASE(copy_float3, "whole structures") { run_whole_copy<float3, float>(copy_float3); }

__global__ void copy_double2(const double2* in, double2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
PARITY_CASE(copy_double2, "whole structures") { run_whole_copy<double2, double>(copy_double2); }

__global__ void copy_uchar4(const uchar4* in, uchar4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
PARITY_CASE(copy_uchar4, "whole structures") { run_whole_copy<uchar4, unsigned char>(copy_uchar4); }

__global__ void copy_mixed(const Mixed* in, Mixed* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
PARITY_CASE(copy_mixed, "whole structures") {
  std::vector<Mixed> values(100);
  for (int i = 0; i < 100; ++i) values[i] = {static_cast<unsigned char>(i), i * 3, i * 0.5, i * 0.25};
  const Array<Mixed> in(values), out(100, Mixed{0, 0, 0, 0});
  copy_mixed<<<2, 64>>>(in, out, 100);
  const auto result = out.host();
  for (int i = 0; i < 100; ++i)
    if (result[i].flag != values[i].flag || result[i].number != values[i].number ||
        result[i].value != values[i].value || result[i].weight != values[i].weight)
      throw std::runtime_error("structure " + std::to_string(i) + " is not the one that was copied");
}

__global__ void field_of_structures(const Point* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i].y;
}
PARITY_CASE(field_of_structures, "structures and arrays") {
  const auto values = numbers<float>(600);
  const Array<float> in(values), out(200, -1);
  field_of_structures<<<2, 128>>>(as<Point>(in), out, 200);
  expect_equal(out, [&](std::size_t i) { return values[3 * i + 1]; });
}

__global__ void sum_array_of_structures(const Point* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i].x + in[i].y + in[i].z;
}
PARITY_CASE(sum_array_of_structures, "structures and arrays") {
  const auto values = numbers<float>(600);
  const Array<float> in(values), out(200, -1);
  sum_array_of_structures<<<2, 128>>>(as<Point>(in), out, 200);
  expect_equal(out, [&](std::size_t i) { return values[3 * i] + values[3 * i + 1] + values[3 * i + 2]; });
}

__global__ void sum_structure_of_arrays(const float* x, const float* y, const float* z, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + y[i] + z[i];
}
PARITY_CASE(sum_structure_of_arrays, "structures and arrays") {
  const auto x = numbers<float>(200), y = numbers<float>(200, 100, 2), z = numbers<float>(200, 100, 3);
  const Array<float> in_x(x), in_y(y), in_z(z), out(200, -1);
  sum_structure_of_arrays<<<2, 128>>>(in_x, in_y, in_z, out, 200);
  expect_equal(out, [&](std::size_t i) { return x[i] + y[i] + z[i]; });
}

__global__ void update_field(Point* points, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) points[i].x += points[i].z;
}
PARITY_CASE(update_field, "structures and arrays") {
  const auto values = numbers<float>(600);
  const Array<float> inout(values);
  update_field<<<2, 128>>>(as<Point>(inout), 200);
  expect_equal(inout, [&](std::size_t i) { return i % 3 == 0 ? values[i] + values[i + 2] : values[i]; });
}

__device__ Point scaled(Point p, float by) { return {p.x * by, p.y * by, p.z * by}; }
__global__ void structure_by_value(const Point* in, Point* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = scaled(in[i], 2);
}
PARITY_CASE(structure_by_value, "structures and arrays") {
  const auto values = numbers<float>(600);
  const Array<float> in(values), out(600, -1);
  structure_by_value<<<2, 128>>>(as<Point>(in), as<Point>(out), 200);
  expect_equal(out, [&](std::size_t i) { return 2 * values[i]; });
}

__global__ void float4_components(const float4* in, float4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = in[i];
  out[i] = make_float4(v.w, v.z, v.y, v.x);
}
PARITY_CASE(float4_components, "structures and arrays") {
  const auto values = numbers<float>(400);
  const Array<float> in(values), out(400, -1);
  float4_components<<<2, 64>>>(as<float4>(in), as<float4>(out), 100);
  expect_equal(out, [&](std::size_t i) { return values[i / 4 * 4 + 3 - i % 4]; });
}

__global__ void structure_argument(AlignedQuad by_value, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = by_value.a + by_value.d * i;
}
PARITY_CASE(structure_argument, "structures and arrays") {
  const Array<int> out(100, -1);
  structure_argument<<<2, 64>>>(AlignedQuad{1, 2, 3, 4}, out, 100);
  expect_equal(out, [](std::size_t i) { return 1 + 4 * static_cast<int>(i); });
}
