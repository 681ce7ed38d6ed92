// Functions of doubles whose coefficients a GPU reads from a table in global memory. The counts are those of
// the machine code that nvcc 13.0 makes of these kernels for sm_90, read with nvdisasm: per call three LDG of
// 16 bytes, in the first row of the table or the second, and its address by LDC.

#include <gtest/gtest.h>

#include <vector>

#include "tests/emulator/device_array.hpp"
#include "warplab_emulator/lens/lens_session.hpp"

using warplab::test::DeviceArray;
namespace lens = warplab::emulator::lens;

namespace {

/// Those of tables: the kernels load nothing else.
struct Loads {
  std::uint64_t requests, sectors, ideal_sectors, addresses;
  bool operator==(const Loads&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Loads& loads) {
  return out << loads.requests << " requests, " << loads.sectors << " sectors (ideal " << loads.ideal_sectors
             << "), " << loads.addresses << " words of constant memory";
}

warplab::lens::Launch launch_of(void (*kernel)(double*, double, int), double x, int n) {
  const DeviceArray<double> out(64);
  lens::start({.blocks = 0});
  kernel<<<1, 32>>>(out.data(), x, n);
  const std::vector<warplab::lens::Launch> launches = lens::take();
  EXPECT_EQ(launches.size(), 1u);
  if (launches.empty()) return {};
  EXPECT_TRUE(launches[0].findings.empty());
  EXPECT_EQ(launches[0].counts.constant.loaded, launches[0].counts.constant.addresses);
  return launches[0];
}

Loads loads_of(void (*kernel)(double*, double, int), double x = 0.3, int n = 10) {
  const warplab::lens::Counts counts = launch_of(kernel, x, n).counts;
  return {counts.global_load.requests, counts.global_load.sectors, counts.global_load.ideal_sectors,
          counts.constant.addresses};
}

}  // namespace

__global__ void sine(double* out, double, int) { out[threadIdx.x] = sin(threadIdx.x * 0.25); }
__global__ void sine_of_one(double* out, double x, int) { out[threadIdx.x] = sin(x) + threadIdx.x; }
__global__ void cosine_of_one(double* out, double x, int) { out[threadIdx.x] = std::cos(x) + threadIdx.x; }

TEST(LensTables, ASineReadsARowForEachParityOfItsQuarterTurns) {
  EXPECT_EQ(loads_of(sine), (Loads{3, 6, 6, 1}));
  EXPECT_EQ(loads_of(sine_of_one), (Loads{3, 3, 3, 1}));
  EXPECT_EQ(loads_of(cosine_of_one), (Loads{3, 3, 3, 1}));
}

__global__ void sine_and_cosine_by_parity(double* out, double, int) {
  out[threadIdx.x] = threadIdx.x % 2 == 0 ? 0.0 : sin(threadIdx.x * 1.5707963267948966);
}
__global__ void sines_of_half_turns(double* out, double, int) { out[threadIdx.x] = sinpi(threadIdx.x * 1.0); }
__global__ void sines_of_quarter_turns(double* out, double, int) {
  out[threadIdx.x] = sinpi(threadIdx.x * 0.5);
}
__global__ void cosines_of_quarter_turns(double* out, double, int) {
  out[threadIdx.x] = cospi(threadIdx.x * 0.5);
}
__global__ void sines_of_large_angles(double* out, double, int) {
  out[threadIdx.x] = sin(threadIdx.x * 1e12);
}

TEST(LensTables, TheRowIsThatOfTheNearestQuarterTurn) {
  EXPECT_EQ(loads_of(sine_and_cosine_by_parity), (Loads{3, 3, 3, 1}));
  EXPECT_EQ(loads_of(sines_of_half_turns), (Loads{3, 3, 3, 1}));
  EXPECT_EQ(loads_of(sines_of_quarter_turns), (Loads{3, 6, 6, 1}));
  EXPECT_EQ(loads_of(cosines_of_quarter_turns), (Loads{3, 6, 6, 1}));
  EXPECT_EQ(loads_of(sines_of_large_angles), (Loads{3, 6, 6, 1}));
}

__global__ void both(double* out, double x, int) { out[threadIdx.x] = sin(x) * cos(x); }
__global__ void the_same_twice(double* out, double x, int) {
  out[threadIdx.x] = sin(x);
  out[threadIdx.x + 32] = sin(x) + 1;
}
__global__ void two_ways(double* out, double x, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < n)
    x = sin(x);
  else
    x = sin(x + i);
  out[i] = x;
}

TEST(LensTables, EachCallReadsForItself) {
  EXPECT_EQ(loads_of(both), (Loads{6, 6, 6, 2}));
  EXPECT_EQ(loads_of(the_same_twice), (Loads{3, 3, 3, 1}));
  EXPECT_EQ(loads_of(two_ways), (Loads{6, 9, 9, 2}));
}

__global__ void nobody_needs_it(double* out, double x, int) {
  const double y = sin(x);
  (void)y;
  out[threadIdx.x] = x;
}
__global__ void of_a_constant(double* out, double, int) { out[threadIdx.x] = sin(0.5); }
__global__ void without_tables(double* out, double x, int) {
  double s, c;
  sincos(x, &s, &c);
  double sum = s + c;
  sincospi(x, &s, &c);
  const auto f = static_cast<float>(x);
  out[threadIdx.x] = sum + s + c + tan(x) + exp(x) + sin(f) + std::cos(f) + sinpif(f) + cospi(f);
}

TEST(LensTables, OtherFunctionsReadNone) {
  EXPECT_EQ(loads_of(nobody_needs_it), (Loads{0, 0, 0, 0}));
  EXPECT_EQ(loads_of(of_a_constant), (Loads{0, 0, 0, 0}));
  EXPECT_EQ(loads_of(without_tables), (Loads{0, 0, 0, 0}));
}

__global__ void in_a_loop(double* out, double x, int n) {
  for (int i = 0; i < n; ++i) x += sin(x * i) * cos(x);
  out[threadIdx.x] = x;
}
__global__ void in_a_branch_of_a_loop(double* out, double x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double v = fabs(x * threadIdx.x - i);
    if (v > 2.5 || v < 1e-9) continue;
    sum += cos(v) * exp(v) + exp(v * sum);
  }
  out[threadIdx.x] = sum;
}
__global__ void before_a_loop_in_a_loop(double* out, double x, int n) {
  for (int i = 0; i < n; ++i) {
    x += sin(x * i);
    for (int j = 0; j < n; ++j) x = x * x + j;
  }
  out[threadIdx.x] = x;
}
__global__ void in_the_inner_loop(double* out, double x, int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) x += sin(x * 0);
    out[threadIdx.x] = x;
  }
}

TEST(LensTables, ALoopLoadsTheAddressOnce) {
  EXPECT_EQ(loads_of(in_a_loop).requests, 60u);
  EXPECT_EQ(loads_of(in_a_loop).addresses, 1u);
  EXPECT_EQ(loads_of(in_a_branch_of_a_loop).requests, 30u);
  EXPECT_EQ(loads_of(in_a_branch_of_a_loop).addresses, 10u);
  EXPECT_EQ(loads_of(before_a_loop_in_a_loop).requests, 30u);
  EXPECT_EQ(loads_of(before_a_loop_in_a_loop).addresses, 10u);
  EXPECT_EQ(loads_of(in_the_inner_loop).requests, 300u);
  EXPECT_EQ(loads_of(in_the_inner_loop).addresses, 10u);
}

TEST(LensTables, TheLineOfTheCallHasThem) {
  const warplab::lens::Launch launch = launch_of(sine, 0, 0);
  ASSERT_EQ(launch.lines.size(), 1u);
  EXPECT_TRUE(launch.lines[0].file.ends_with("lens_tables_test.cu")) << launch.lines[0].file;
  EXPECT_EQ(launch.lines[0].counts.global_load.sectors, 6u);
  EXPECT_EQ(launch.lines[0].counts.constant.loaded, 1u);
}

// Bounds of time have them as work of the function, whatever its argument.
TEST(LensTables, TheyAreNotAmongTheSectorsThatBoundsAreMadeOf) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "arithmetic is counted on x86-64 only";
#endif
  const warplab::lens::Launch launch = launch_of(sine, 0, 0);
  ASSERT_TRUE(launch.work.has_value());
  EXPECT_EQ(launch.work->table_loads, 3u);
  EXPECT_EQ(launch.work->read_sectors, 0u);
  EXPECT_EQ(launch.work->load_quarters, 0u);
}
