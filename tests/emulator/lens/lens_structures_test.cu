// How the lens counts copies of structures with padding. What is expected is what the machine code that nvcc
// 13.0 makes of these kernels for sm_90 has, read with nvdisasm. The structures differ in size, by which the
// lens knows them.

#include <curand_kernel.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/emulator/device_array.hpp"
#include "warplab_emulator/lens/lens_session.hpp"

using warplab::test::DeviceArray;
namespace lens = warplab::emulator::lens;

struct Ended {  // 24 bytes, of them 4 at the end
  double a, b;
  int c;
};
struct Parted {  // 32 bytes, of them 4 between b and c
  double a;
  int b;
  double c, d;
};
struct Nested {  // 40 bytes, of them 4 at the end of `ended`
  Ended ended;
  double d, e;
};
struct Narrow {  // 16 bytes, as float4 has, of them 4 between a and b
  int a;
  double b;
};

template <class T>
__global__ void move(const T* in, T* out) {
  out[threadIdx.x] = in[threadIdx.x];
}
template <class T>
__global__ void move_through_shared_memory(const T* in, T* out) {
  __shared__ T tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
template <class T>
__global__ void change(const T* in, T* out) {
  T value = in[threadIdx.x];
  value.a += 1;
  out[threadIdx.x] = value;
}
__global__ void change_nested(const Nested* in, Nested* out) {
  Nested value = in[threadIdx.x];
  value.d += 1;
  out[threadIdx.x] = value;
}
__global__ void move_narrow(const Narrow* in, Narrow* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void change_narrow(const Narrow* in, Narrow* out) {
  Narrow value = in[threadIdx.x];
  value.b += 1;
  out[threadIdx.x] = value;
}
__global__ void exchange(Parted* in, Parted* out) {
  const Parted value = in[threadIdx.x];
  in[threadIdx.x] = out[threadIdx.x];
  out[threadIdx.x] = value;
}
__device__ Ended squares(int i) {
  Ended value;
  value.a = i;
  value.b = i * i;
  value.c = i > 3;
  return value;
}
__global__ void make_ended(const Ended*, Ended* out) { out[threadIdx.x] = squares(threadIdx.x); }
__global__ void make_parted(const Parted*, Parted* out) {
  Parted value = {};
  value.b = threadIdx.x;
  out[threadIdx.x] = value;
}
__global__ void make_nested(const Nested*, Nested* out) {
  Nested value;
  value.ended = squares(threadIdx.x);
  value.d = value.e = threadIdx.x;
  out[threadIdx.x] = value;
}
__global__ void store_parameter(Ended value, Ended* out) { out[threadIdx.x] = value; }
struct Triple {  // 12 bytes
  int a, b, c;
};
struct Row {  // 64 bytes
  float values[16];
};
template <class T>
__global__ void take_one(const T* in, T* out) {
  T own[16];
  for (int i = 0; i < 16; ++i) own[i] = in[i];
  out[threadIdx.x] = own[(threadIdx.x * 5 + 3) % 16];
}
__global__ void draw(curandState* states, unsigned* out) {
  curandState state = states[threadIdx.x];
  out[threadIdx.x] = curand(&state);
  states[threadIdx.x] = state;
}

namespace {

struct Cost {
  std::uint64_t requests, ideal_sectors;
  bool operator==(const Cost&) const = default;
};
struct Traffic {
  Cost load, store;
};

template <class First, class Second, class Parameter>
Traffic traffic_of(void (*kernel)(First, Second*), const Parameter& first) {
  const DeviceArray<Second> out(32);
  cudaMemset(out.data(), 0, 32 * sizeof(Second));
  lens::start({.blocks = 0});
  kernel<<<1, 32>>>(first, out.data());
  const std::vector<warplab::lens::Launch> launches = lens::take();
  EXPECT_EQ(launches.size(), 1u);
  if (launches.empty()) return {};
  const auto cost = [](const auto& global) { return Cost{global.requests, global.ideal_sectors}; };
  return {cost(launches[0].counts.global_load), cost(launches[0].counts.global_store)};
}
template <class First, class Second>
Traffic traffic_of(void (*kernel)(First*, Second*)) {
  const DeviceArray<std::remove_const_t<First>> in(32);
  cudaMemset(in.data(), 0, 32 * sizeof(First));
  return traffic_of(kernel, in.data());
}

/// What goes to local memory.
template <class T>
std::pair<std::uint64_t, std::uint64_t> local_requests_of(void (*kernel)(const T*, T*)) {
  const DeviceArray<T> in(32), out(32);
  cudaMemset(in.data(), 0, 32 * sizeof(T));
  lens::start({.blocks = 0});
  kernel<<<1, 32>>>(in.data(), out.data());
  const std::vector<warplab::lens::Launch> launches = lens::take();
  EXPECT_EQ(launches.size(), 1u);
  if (launches.empty()) return {};
  return {launches[0].counts.local_load.requests, launches[0].counts.local_store.requests};
}

template <class First, class Second>
Cost load_of(void (*kernel)(First*, Second*)) {
  return traffic_of(kernel).load;
}
template <class First, class Second>
Cost store_of(void (*kernel)(First*, Second*)) {
  return traffic_of(kernel).store;
}

std::ostream& operator<<(std::ostream& out, const Cost& cost) {
  return out << cost.requests << " requests, ideally " << cost.ideal_sectors << " sectors";
}

TEST(LensStructures, MovedFromMemoryToMemoryTheyTakeTheirPaddingAlong) {
  for (const Cost& cost : {load_of(move<Ended>), store_of(move<Ended>)}) EXPECT_EQ(cost, (Cost{3, 24}));
  for (const Cost& cost : {load_of(move<Parted>), store_of(move<Parted>)}) EXPECT_EQ(cost, (Cost{4, 32}));
  const Traffic through = traffic_of(move_through_shared_memory<Parted>);
  EXPECT_EQ(through.load, (Cost{4, 32}));
  EXPECT_EQ(through.store, (Cost{4, 32}));
}

TEST(LensStructures, LoadedAndStoredTheyLeaveOutWhatIsBetweenMembers) {
  for (const Cost& cost : {load_of(change<Parted>), store_of(change<Parted>)}) EXPECT_EQ(cost, (Cost{4, 28}));
  for (const Cost& cost : {load_of(change<Ended>), store_of(change<Ended>)}) EXPECT_EQ(cost, (Cost{3, 24}));
  for (const Cost& cost : {load_of(change_nested), store_of(change_nested)}) EXPECT_EQ(cost, (Cost{5, 40}));
  const Traffic exchanged = traffic_of(exchange);
  EXPECT_EQ(exchanged.load, (Cost{8, 28 + 32}));
  EXPECT_EQ(exchanged.store, (Cost{8, 28 + 32}));
}

TEST(LensStructures, MadeByAThreadTheyHaveNoPadding) {
  EXPECT_EQ(store_of(make_ended), (Cost{3, 20}));
  EXPECT_EQ(store_of(make_parted), (Cost{4, 28}));
  EXPECT_EQ(store_of(make_nested), (Cost{5, 36}));
}

TEST(LensStructures, AParameterIsLoaded) {
  EXPECT_EQ(traffic_of(store_parameter, Ended{1, 2, 3}).store, (Cost{3, 24}));
}

TEST(LensStructures, OfSixteenBytesGoInTwoHalvesUnlessTheyAreAligned) {
  for (const Cost& cost : {load_of(move_narrow), store_of(move_narrow)}) EXPECT_EQ(cost, (Cost{2, 16}));
  for (const Cost& cost : {load_of(change_narrow), store_of(change_narrow)}) EXPECT_EQ(cost, (Cost{2, 12}));
  for (const Cost& cost : {load_of(move<float4>), store_of(move<float4>)}) EXPECT_EQ(cost, (Cost{1, 16}));
}

// Four words at once where they lie in an aligned piece: of a structure, or of two one after the other.
TEST(LensStructures, InLocalMemoryTheyTakeAllOfTheirWords) {
  EXPECT_EQ(local_requests_of(take_one<Row>), std::pair(4ul, 16 * 4ul));
  EXPECT_EQ(local_requests_of(take_one<Triple>), std::pair(3ul, 12ul));
}

TEST(LensStructures, TheStateOfAGenerator) {
  const Traffic traffic = traffic_of(draw);
  EXPECT_EQ(traffic.load, (Cost{6, 44}));
  EXPECT_EQ(traffic.store, (Cost{6 + 1, 44 + 4}));
}

}  // namespace
