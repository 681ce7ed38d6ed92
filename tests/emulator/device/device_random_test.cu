// cuRAND's device side against numbers that others computed: Random123's published vectors of Philox, and
// what NVIDIA's own headers (CUDA 13.0) give, compiled for a CPU.

#include <curand_kernel.h>

#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

namespace {

__global__ void philox_of(const uint4* counters, const uint2* keys, uint4* out) {
  out[threadIdx.x] = curand_Philox4x32_10(counters[threadIdx.x], keys[threadIdx.x]);
}

TEST(DeviceRandom, PhiloxGivesThePublishedVectors) {
  // kat_vectors of Random123: philox4x32, 10 rounds
  const DeviceArray<uint4> counters{{0, 0, 0, 0},
                                    {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                                    {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}};
  const DeviceArray<uint2> keys{{0, 0}, {0xffffffff, 0xffffffff}, {0xa4093822, 0x299f31d0}};
  const DeviceArray<uint4> out(3);
  philox_of<<<1, 3>>>(counters.data(), keys.data(), out.data());
  const uint4 expected[3] = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                             {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                             {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
  const auto got = out.host();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(got[i].x, expected[i].x) << i;
    EXPECT_EQ(got[i].y, expected[i].y) << i;
    EXPECT_EQ(got[i].z, expected[i].z) << i;
    EXPECT_EQ(got[i].w, expected[i].w) << i;
  }
}

/// Six numbers, one after a jump, one after three sequences more.
template <class State>
__global__ void walk(unsigned long long sequence, unsigned long long offset, unsigned* out) {
  State state;
  curand_init(1234, sequence, offset, &state);
  for (int i = 0; i < 6; ++i) out[i] = curand(&state);
  skipahead(12345678901ull, &state);
  out[6] = curand(&state);
  skipahead_sequence(3, &state);
  out[7] = curand(&state);
}

template <class State>
std::vector<unsigned> walked(unsigned long long sequence, unsigned long long offset) {
  const DeviceArray<unsigned> out(8);
  walk<State><<<1, 1>>>(sequence, offset, out.data());
  return out.host();
}

TEST(DeviceRandom, SequencesOffsetsAndJumpsAreThoseOfCurand) {
  using Numbers = std::vector<unsigned>;
  EXPECT_EQ(walked<curandStateXORWOW_t>(77, 5), (Numbers{0xf5279357, 0x5f87c5b3, 0xd46780b3, 0x1885f496,
                                                         0x69f38a7a, 0xe0a526af, 0xff630f9e, 0xb947c369}));
  EXPECT_EQ(walked<curandStateXORWOW_t>(~0ull, 1000000007),
            (Numbers{0x31db1120, 0xee16dbfb, 0x4cf3a9cd, 0xadd64d83, 0x77182e80, 0x0b761ea0, 0xaec95140,
                     0x7ba83aa6}));
  EXPECT_EQ(walked<curandStatePhilox4_32_10_t>(77, 5),
            (Numbers{0x48493028, 0x2f37d10d, 0xfb38f548, 0x7cd12696, 0x1f992270, 0x2e3323a8, 0xec634856,
                     0x5e812b62}));
  EXPECT_EQ(walked<curandStatePhilox4_32_10_t>(~0ull, 1000000007),
            (Numbers{0x45d3438b, 0x6b654d4a, 0x073833a1, 0x81bee152, 0xaf51cbb1, 0x522d4669, 0x72776553,
                     0xab6f27e3}));
}

/// The numbers that follow those of walk(), of all kinds, so that what is left over of a pair is seen.
template <class State>
__global__ void distribute(double* out) {
  State state;
  curand_init(1234, 77, 5, &state);
  for (int i = 0; i < 6; ++i) curand(&state);
  skipahead(12345678901ull, &state);
  curand(&state);
  skipahead_sequence(3, &state);
  curand(&state);
  *out++ = curand_uniform_double(&state);
  *out++ = curand_uniform(&state);
  for (int i = 0; i < 3; ++i) *out++ = curand_normal(&state);
  *out++ = curand_log_normal(&state, 0.5f, 0.25f);
  *out++ = curand_normal(&state);
  for (int i = 0; i < 3; ++i) *out++ = curand_normal_double(&state);
  for (int i = 0; i < 3; ++i) *out++ = curand_log_normal_double(&state, 0.5, 0.25);
}

template <class State>
void expect_distributed(const std::vector<double>& expected) {
  const DeviceArray<double> out(expected.size());
  distribute<State><<<1, 1>>>(out.data());
  const auto got = out.host();
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(got[i], expected[i], (i > 0 && i < 7 ? 2e-6 : 1e-13)) << "number " << i;
}

TEST(DeviceRandom, UniformAndNormalNumbersAreThoseOfCurand) {
  expect_distributed<curandStateXORWOW_t>({0.16271433884528191, 0.661791563, -0.2999335, -0.825852, -1.986294,
                                           1.238794, 1.295058, -1.0328256979609, -0.609382518535,
                                           0.0412207061030884, 2.77033428851334, 1.50257965627001,
                                           1.14706182397067});
  expect_distributed<curandStatePhilox4_32_10_t>({0.098338128067553043, 0.0767059922, 1.056311, -0.1771461,
                                                  1.187595, 1.922648, 0.6009186, -0.338983396848193,
                                                  -0.0152190347164226, -0.0788764873254147, 1.39842091296519,
                                                  1.27620092534254, 1.94382780401846});
}

__global__ void estimate_pi(unsigned* inside, int draws) {
  curandState state;
  curand_init(7, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
  unsigned own = 0;
  for (int i = 0; i < draws; ++i) {
    const float x = curand_uniform(&state), y = curand_uniform(&state);
    own += x * x + y * y <= 1.0f;
  }
  atomicAdd(inside, own);
}

TEST(DeviceRandom, ManyThreadsEstimatePi) {
  const DeviceArray<unsigned> inside(1);
  estimate_pi<<<16, 256>>>(inside.data(), 100);
  // 409,600 points: five standard deviations of the estimate are 0.013.
  EXPECT_NEAR(4.0 * inside.host()[0] / (16 * 256 * 100), 3.14159265, 0.013);
}

}  // namespace
