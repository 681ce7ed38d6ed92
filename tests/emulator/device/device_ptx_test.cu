// Inline PTX: arithmetic, conversions, memory and special registers, one statement per instruction. Ordinary
// CUDA for compute capability 9.0.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

namespace {

unsigned bits_of(float x) {
  unsigned bits;
  std::memcpy(&bits, &x, 4);
  return bits;
}

/// What a kernel of one thread writes.
template <class Kernel>
std::vector<unsigned> words_of(Kernel kernel, int count) {
  const DeviceArray<unsigned> out(count);
  kernel<<<1, 1>>>(out.data());
  return out.host();
}

}  // namespace

// --- Integers ---

__global__ void integers(unsigned* out) {
  const unsigned a = 0xfffffffdu, b = 7, c = 0x12345678u;
  int i = 0;
  asm volatile("add.u32 %0, %1, %2;" : "=r"(out[i++]) : "r"(a), "r"(b));
  asm volatile("sub.s32 %0, %1, %2;" : "=r"(out[i++]) : "r"(a), "r"(b));
  asm volatile("mul.lo.u32 %0, %1, %2;" : "=r"(out[i++]) : "r"(a), "r"(b));
  asm volatile("mul.hi.u32 %0, %1, %2;" : "=r"(out[i++]) : "r"(a), "r"(b));
  asm volatile("mul.hi.s32 %0, %1, %2;" : "=r"(out[i++]) : "r"(a), "r"(b));
  asm volatile("mad.lo.s32 %0, %1, %2, 5;" : "=r"(out[i++]) : "r"(a), "r"(b));
  asm volatile("div.s32 %0, %1, -2;" : "=r"(out[i++]) : "r"(b));
  asm volatile("rem.u32 %0, %1, 4;" : "=r"(out[i++]) : "r"(b));
  asm volatile("min.s32 %0, %1, %2;" : "=r"(out[i++]) : "r"(a), "r"(b));
  asm volatile("max.u32 %0, %1, %2;" : "=r"(out[i++]) : "r"(a), "r"(b));
  asm volatile("neg.s32 %0, %1;" : "=r"(out[i++]) : "r"(a));
  asm volatile("abs.s32 %0, %1;" : "=r"(out[i++]) : "r"(a));
  asm volatile("and.b32 %0, %1, 0xff00;" : "=r"(out[i++]) : "r"(c));
  asm volatile("or.b32 %0, %1, %2;" : "=r"(out[i++]) : "r"(c), "r"(b));
  asm volatile("xor.b32 %0, %1, %2;" : "=r"(out[i++]) : "r"(c), "r"(a));
  asm volatile("not.b32 %0, %1;" : "=r"(out[i++]) : "r"(c));
  asm volatile("shl.b32 %0, %1, 33;" : "=r"(out[i++]) : "r"(c));
  asm volatile("shr.u32 %0, %1, 4;" : "=r"(out[i++]) : "r"(a));
  asm volatile("shr.s32 %0, %1, 40;" : "=r"(out[i++]) : "r"(a));
  asm volatile("shf.l.wrap.b32 %0, %1, %2, 8;" : "=r"(out[i++]) : "r"(a), "r"(c));
  asm volatile("shf.r.clamp.b32 %0, %1, %2, 8;" : "=r"(out[i++]) : "r"(a), "r"(c));
  asm volatile("popc.b32 %0, %1;" : "=r"(out[i++]) : "r"(c));
  asm volatile("clz.b32 %0, %1;" : "=r"(out[i++]) : "r"(c));
  asm volatile("brev.b32 %0, %1;" : "=r"(out[i++]) : "r"(c));
  asm volatile("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(out[i++]) : "r"(a), "r"(b), "r"(c));
  asm volatile("prmt.b32 %0, %1, %2, 0x9407;" : "=r"(out[i++]) : "r"(a), "r"(c));
  asm volatile("bfe.u32 %0, %1, 8, 8;" : "=r"(out[i++]) : "r"(c));
  asm volatile("bfe.s32 %0, %1, 28, 12;" : "=r"(out[i++]) : "r"(a));
  asm volatile("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(out[i++]) : "r"(b), "r"(c));
  asm volatile("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(c), "r"(0x01020304u), "r"(b));
  asm volatile("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(a), "r"(0x01020304u), "r"(b));
}

TEST(DevicePtx, Integers) {
  const std::vector<unsigned> expected{
      4,           0xfffffff6u, 0xffffffebu, 6,           0xffffffffu,
      0xfffffff0u, 0xfffffffdu, 3,           0xfffffffdu, 0xfffffffdu,
      3,           3,           0x5600u,     0x1234567fu, 0xedcba985u,
      0xedcba987u, 0,           0x0fffffffu, 0xffffffffu, 0x345678ffu,
      0x78ffffffu, 13,          3,           0x1e6a2c48u, 0x1234567du,
      0,           0x56u,       0xffffffffu, 0x12345778u, 0x12 + 2 * 0x34 + 3 * 0x56 + 4 * 0x78 + 7,
      0xfffffff5u};  // 7 - 3 * 4 - 3 - 2 - 1
  std::vector<unsigned> got = words_of(integers, static_cast<int>(expected.size()));
  // prmt: nibble 7: byte 3 of c; 0: byte 0 of a; 4: byte 0 of c; 9: the sign of byte 1 of a.
  EXPECT_EQ(got[25], 0xff78fd12u);
  got[25] = 0;
  EXPECT_EQ(got, expected);
}

__global__ void highest_bits(unsigned* out) {
  const unsigned a = 0x00012345u, negative = 0xfffffdffu;
  const unsigned long long wide = 1ull << 40;
  int i = 0;
  asm volatile("bfind.u32 %0, %1;" : "=r"(out[i++]) : "r"(a));
  asm volatile("bfind.u32 %0, %1;" : "=r"(out[i++]) : "r"(0u));
  asm volatile("bfind.u32 %0, %1;" : "=r"(out[i++]) : "r"(negative));
  asm volatile("bfind.s32 %0, %1;" : "=r"(out[i++]) : "r"(negative));
  asm volatile("bfind.s32 %0, %1;" : "=r"(out[i++]) : "r"(0xffffffffu));
  asm volatile("bfind.u64 %0, %1;" : "=r"(out[i++]) : "l"(wide));
  asm volatile("bfind.s64 %0, %1;" : "=r"(out[i++]) : "l"(~wide));
  asm volatile("bfind.shiftamt.u32 %0, %1;" : "=r"(out[i++]) : "r"(a));
  asm volatile("bfind.shiftamt.u32 %0, %1;" : "=r"(out[i++]) : "r"(0u));
  asm volatile("bfind.shiftamt.s64 %0, %1;" : "=r"(out[i++]) : "l"(wide));
}

TEST(DevicePtx, BfindGivesTheHighestBitThatIsNotTheSign) {
  const unsigned none = 0xffffffffu;
  const std::vector<unsigned> expected{16, none, 31, 9, none, 40, 40, 31 - 16, none, 63 - 40};
  EXPECT_EQ(words_of(highest_bits, static_cast<int>(expected.size())), expected);
}

__global__ void bytes_and_halves(unsigned* out) {
  const unsigned a = 0x01f0807fu, b = 0x0220ff01u, c = 1000;  // bytes 1, -16, -128, 127 and 2, 32, -1, 1
  int i = 0;
  asm volatile("vadd4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(a), "r"(b), "r"(c));
  asm volatile("vadd4.u32.u32.u32.sat %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(a), "r"(b), "r"(c));
  asm volatile("vadd4.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(a), "r"(b), "r"(c));
  asm volatile("vadd4.u32.s32.u32.sat %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(a), "r"(b), "r"(c));
  asm volatile("vabsdiff4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(a), "r"(b), "r"(c));
  asm volatile("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(a), "r"(b), "r"(c));
  asm volatile("vsub4.s32.s32.s32.add %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(a), "r"(b), "r"(c));
  asm volatile("vmin4.s32.s32.s32 %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(a), "r"(b), "r"(c));
  asm volatile("vmax4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(a), "r"(b), "r"(c));
  asm volatile("vavrg4.s32.s32.s32 %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(a), "r"(b), "r"(c));
  asm volatile("vadd2.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(a), "r"(b), "r"(c));
  asm volatile("vmax2.s32.s32.s32.add %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(a), "r"(b), "r"(c));
}

TEST(DevicePtx, OperationsOnTheBytesAndHalvesOfAWord) {
  const unsigned difference = 1 + (0xf0 - 0x20) + (0xff - 0x80) + (0x7f - 1);
  const std::vector<unsigned> expected{
      0x03107f80u,
      0x03ffff80u,
      0x0310807fu,
      0x03107f80u,
      0x01d07f7eu,
      1000 + difference,
      1000 - 1 - 48 - 127 + 126,
      0x01f08001u,
      0x02f0ff7fu,
      0x0208bf40u,  // (1 + 2 + 1) / 2, (16 + 1) / 2, -129 / 2 downwards, (128 + 1) / 2
      0x04108000u,  // -0x7f81 - 0xff is less than the least
      1000 + 0x0220 - (0x10000 - 0xff01)};
  std::vector<unsigned> got = words_of(bytes_and_halves, static_cast<int>(expected.size()));
  EXPECT_EQ(got, expected);
}

__global__ void less_common_integers(unsigned* out) {
  const unsigned a = 0xfffffffdu, b = 0x44332211u, c = 0x88776655u, low = 0x80000000u;
  int i = 0;
  asm volatile("mad.hi.u32 %0, %1, %2, 5;" : "=r"(out[i++]) : "r"(a), "r"(7u));
  asm volatile("mad.hi.s32 %0, %1, %2, 5;" : "=r"(out[i++]) : "r"(a), "r"(7u));
  asm volatile("add.sat.s32 %0, %1, %1;" : "=r"(out[i++]) : "r"(low));
  asm volatile("sub.sat.s32 %0, %1, %2;" : "=r"(out[i++]) : "r"(5u), "r"(low));
  asm volatile("add.sat.s32 %0, %1, 4;" : "=r"(out[i++]) : "r"(a));
  asm volatile("sad.u32 %0, %1, %2, 10;" : "=r"(out[i++]) : "r"(3u), "r"(9u));
  asm volatile("sad.s32 %0, %1, %2, 10;" : "=r"(out[i++]) : "r"(9u), "r"(a));
  asm volatile("cnot.b32 %0, %1;" : "=r"(out[i++]) : "r"(0u));
  asm volatile("cnot.b32 %0, %1;" : "=r"(out[i++]) : "r"(a));
  asm volatile("dp2a.lo.u32.u32 %0, %1, %2, 1;" : "=r"(out[i++]) : "r"(0x00030002u), "r"(b));
  asm volatile("dp2a.hi.s32.u32 %0, %1, %2, 1;" : "=r"(out[i++]) : "r"(0xffff0002u), "r"(b));
  asm volatile("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(b), "r"(c), "r"(3));
  asm volatile("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(b), "r"(c), "r"(1));
  asm volatile("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(b), "r"(c), "r"(2));
  asm volatile("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(b), "r"(c), "r"(2));
  asm volatile("prmt.b32.ecr %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(b), "r"(c), "r"(2));
  asm volatile("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(out[i++]) : "r"(b), "r"(c), "r"(1));
}

TEST(DevicePtx, LessCommonIntegers) {
  const std::vector<unsigned> expected{6 + 5,
                                       4,
                                       0x80000000u,
                                       0x7fffffffu,
                                       1,
                                       16,
                                       22,
                                       1,
                                       0,
                                       1 + 2 * 0x11 + 3 * 0x22,
                                       1 + 2 * 0x33 - 0x44,
                                       0x77665544u,
                                       0x77881122u,
                                       0x33333333u,
                                       0x44333333u,
                                       0x33332211u,
                                       0x44334433u};
  EXPECT_EQ(words_of(less_common_integers, static_cast<int>(expected.size())), expected);
}

__global__ void wide_integers(unsigned long long* out) {
  const unsigned a = 0xfffffffdu, b = 7;
  const unsigned long long c = 0x123456789abcdef0ull;
  int i = 0;
  asm volatile("mul.wide.u32 %0, %1, %2;" : "=l"(out[i++]) : "r"(a), "r"(b));
  asm volatile("mul.wide.s32 %0, %1, %2;" : "=l"(out[i++]) : "r"(a), "r"(b));
  asm volatile("mad.wide.s32 %0, %1, %2, %3;" : "=l"(out[i++]) : "r"(a), "r"(b), "l"(c));
  asm volatile("add.u64 %0, %1, %2;" : "=l"(out[i++]) : "l"(c), "l"(c));
  asm volatile("shl.b64 %0, %1, 8;" : "=l"(out[i++]) : "l"(c));
  asm volatile("mov.b64 %0, {%1, %2};" : "=l"(out[i++]) : "r"(a), "r"(b));
  asm volatile("bfe.u64 %0, %1, 32, 16;" : "=l"(out[i++]) : "l"(c));
  asm volatile("cvt.u64.u32 %0, %1;" : "=l"(out[i++]) : "r"(a));
  asm volatile("cvt.s64.s32 %0, %1;" : "=l"(out[i++]) : "r"(a));
  asm volatile("brev.b64 %0, %1;" : "=l"(out[i++]) : "l"(1ull));
  unsigned low, high;
  asm volatile("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(c));
  out[i++] = low + high;
}

TEST(DevicePtx, WideIntegers) {
  const std::vector<unsigned long long> expected{0x6ffffffebull,
                                                 0xffffffffffffffebull,
                                                 0x123456789abcdedbull,
                                                 0x2468acf13579bde0ull,
                                                 0x3456789abcdef000ull,
                                                 0x7fffffffdull,
                                                 0x5678,
                                                 0xfffffffdull,
                                                 0xfffffffffffffffdull,
                                                 0x8000000000000000ull,
                                                 0x9abcdef0u + 0x12345678u};
  const DeviceArray<unsigned long long> out(static_cast<int>(expected.size()));
  wide_integers<<<1, 1>>>(out.data());
  EXPECT_EQ(out.host(), expected);
}

// --- Floating point ---

__global__ void floats(float* out) {
  const float a = 1.5f, b = -2.25f, tiny = 1e-40f;
  int i = 0;
  asm volatile("add.f32 %0, %1, %2;" : "=f"(out[i++]) : "f"(a), "f"(b));
  asm volatile("sub.rn.f32 %0, %1, %2;" : "=f"(out[i++]) : "f"(a), "f"(b));
  asm volatile("mul.f32 %0, %1, 0f40000000;" : "=f"(out[i++]) : "f"(a));
  asm volatile("mul.sat.f32 %0, %1, %1;" : "=f"(out[i++]) : "f"(a));
  asm volatile("mul.ftz.f32 %0, %1, %2;" : "=f"(out[i++]) : "f"(a), "f"(tiny));
  asm volatile("add.rz.f32 %0, %1, %2;" : "=f"(out[i++]) : "f"(1.0f), "f"(0x1.8p-24f));
  asm volatile("add.rp.f32 %0, %1, %2;" : "=f"(out[i++]) : "f"(1.0f), "f"(0x1p-30f));
  asm volatile("fma.rn.f32 %0, %1, %2, %1;" : "=f"(out[i++]) : "f"(a), "f"(b));
  asm volatile("div.rn.f32 %0, %1, %2;" : "=f"(out[i++]) : "f"(b), "f"(a));
  asm volatile("min.f32 %0, %1, %2;" : "=f"(out[i++]) : "f"(a), "f"(b));
  asm volatile("max.f32 %0, %1, %2;" : "=f"(out[i++]) : "f"(a), "f"(b));
  asm volatile("neg.f32 %0, %1;" : "=f"(out[i++]) : "f"(a));
  asm volatile("abs.f32 %0, %1;" : "=f"(out[i++]) : "f"(b));
  asm volatile("sqrt.rn.f32 %0, %1;" : "=f"(out[i++]) : "f"(2.25f));
  asm volatile("rcp.rn.f32 %0, %1;" : "=f"(out[i++]) : "f"(4.0f));
  asm volatile("cvt.rni.f32.f32 %0, %1;" : "=f"(out[i++]) : "f"(2.5f));
  asm volatile("cvt.rn.f32.s32 %0, %1;" : "=f"(out[i++]) : "r"(-7));
  asm volatile("mov.f32 %0, %1;" : "=f"(out[i++]) : "f"(a));
  float sum = a;
  asm("add.f32 %0, %0, %1;" : "+f"(sum) : "f"(a));
  out[i++] = sum;
  double d;
  asm volatile("cvt.f64.f32 %0, %1;" : "=d"(d) : "f"(a));
  asm volatile("fma.rn.f64 %0, %0, %0, %1;" : "+d"(d) : "d"(0.25));
  asm volatile("cvt.rn.f32.f64 %0, %1;" : "=f"(out[i++]) : "d"(d));
}

TEST(DevicePtx, Floats) {
  const std::vector<float> expected{-0.75f,  3.75f, 3,      1,    0,     1,     0x1.000002p0f,
                                    -1.875f, -1.5f, -2.25f, 1.5f, -1.5f, 2.25f, 1.5f,
                                    0.25f,   2,     -7,     1.5f, 3,     2.5f};
  const DeviceArray<float> out(static_cast<int>(expected.size()));
  floats<<<1, 1>>>(out.data());
  EXPECT_EQ(out.host(), expected);
}

__global__ void approximations(float* out) {
  const float x = 0.7f;
  asm volatile("ex2.approx.f32 %0, %1;" : "=f"(out[0]) : "f"(x));
  asm volatile("lg2.approx.f32 %0, %1;" : "=f"(out[1]) : "f"(x));
  asm volatile("rcp.approx.ftz.f32 %0, %1;" : "=f"(out[2]) : "f"(x));
  asm volatile("rsqrt.approx.f32 %0, %1;" : "=f"(out[3]) : "f"(x));
  asm volatile("sqrt.approx.f32 %0, %1;" : "=f"(out[4]) : "f"(x));
  asm volatile("sin.approx.f32 %0, %1;" : "=f"(out[5]) : "f"(x));
  asm volatile("cos.approx.f32 %0, %1;" : "=f"(out[6]) : "f"(x));
  asm volatile("tanh.approx.f32 %0, %1;" : "=f"(out[7]) : "f"(x));
  asm volatile("div.approx.f32 %0, %1, %2;" : "=f"(out[8]) : "f"(x), "f"(3.0f));
  asm volatile("div.full.f32 %0, %1, %2;" : "=f"(out[9]) : "f"(x), "f"(3.0f));
}

TEST(DevicePtx, Approximations) {
  const DeviceArray<float> out(10);
  approximations<<<1, 1>>>(out.data());
  const std::vector<float> got = out.host();
  const double x = 0.7f;
  const double expected[] = {std::exp2(x), std::log2(x), 1 / x,       1 / std::sqrt(x),
                             std::sqrt(x), std::sin(x),  std::cos(x), std::tanh(x),
                             x / 3,        x / 3};
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-3) << i;
}

__global__ void conversions(unsigned* out) {
  int i = 0;
  asm volatile("cvt.rzi.s32.f32 %0, %1;" : "=r"(out[i++]) : "f"(-2.7f));
  asm volatile("cvt.rni.u32.f32 %0, %1;" : "=r"(out[i++]) : "f"(3.5f));
  asm volatile("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(out[i++]) : "f"(1.0f), "f"(-2.0f));
  asm volatile("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(out[i++]) : "f"(1.0f), "f"(-2.0f));
  asm volatile("cvt.rna.tf32.f32 %0, %1;" : "=r"(out[i++]) : "f"(0x1.002p0f));
  asm volatile("cvt.sat.u8.s32 %0, %1;" : "=r"(out[i++]) : "r"(300));
  asm volatile("cvt.s32.s8 %0, %1;" : "=r"(out[i++]) : "r"(0x1ff));
  unsigned short half;
  asm volatile("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(1.5f));
  asm volatile("cvt.u32.u16 %0, %1;" : "=r"(out[i++]) : "h"(half));
  float back;
  asm volatile("cvt.f32.f16 %0, %1;" : "=f"(back) : "h"(half));
  out[i++] = __float_as_uint(back);
  const unsigned twos = 0x40004000u, threes = 0x42004200u;
  asm volatile("fma.rn.f16x2 %0, %1, %2, %1;" : "=r"(out[i++]) : "r"(twos), "r"(threes));
  asm volatile("add.f16x2 %0, %1, %2;" : "=r"(out[i++]) : "r"(twos), "r"(threes));
  asm volatile("mul.rn.bf16x2 %0, %1, %2;" : "=r"(out[i++]) : "r"(twos), "r"(twos));
  asm volatile("max.f16x2 %0, %1, %2;" : "=r"(out[i++]) : "r"(twos), "r"(threes));
}

TEST(DevicePtx, Conversions) {
  const std::vector<unsigned> expected{
      0xfffffffeu,   4,           0x3c00c000u, 0x3f80c000u, bits_of(0x1.004p0f), 255, 0xffffffffu, 0x3e00u,
      bits_of(1.5f), 0x48004800u, 0x45004500u, 0x40804080u, 0x42004200u};
  EXPECT_EQ(words_of(conversions, static_cast<int>(expected.size())), expected);
}

__global__ void signed_zeros_and_nans(unsigned* out) {
  const float zero = 0.0f, minus = -0.0f, nan = __uint_as_float(0x7f800001u);
  float found[5];
  asm volatile("max.f32 %0, %1, %2;" : "=f"(found[0]) : "f"(zero), "f"(minus));
  asm volatile("max.f32 %0, %1, %2;" : "=f"(found[1]) : "f"(minus), "f"(zero));
  asm volatile("min.f32 %0, %1, %2;" : "=f"(found[2]) : "f"(zero), "f"(minus));
  asm volatile("min.f32 %0, %1, %2;" : "=f"(found[3]) : "f"(minus), "f"(zero));
  asm volatile("max.f32 %0, %1, %2;" : "=f"(found[4]) : "f"(nan), "f"(minus));
  int i = 0;
  for (const float x : found) out[i++] = __float_as_uint(x);
  asm volatile("min.f16x2 %0, %1, %2;" : "=r"(out[i++]) : "r"(0x80000000u), "r"(0x00008000u));
  unsigned short half;
  asm volatile("cvt.rn.sat.f16.f32 %0, %1;" : "=h"(half) : "f"(nan));
  out[i++] = half;
  unsigned tf32;
  asm volatile("cvt.rna.tf32.f32 %0, %1;" : "=r"(tf32) : "f"(nan));
  out[i++] = tf32;  // of this NaN every bit that says so is cut off
}

TEST(DevicePtx, SignedZerosAndNaNs) {
  const std::vector<unsigned> expected{0,           0,           0x80000000u, 0x80000000u,
                                       0x80000000u, 0x80008000u, 0,           0x7f800000u};
  EXPECT_EQ(words_of(signed_zeros_and_nans, static_cast<int>(expected.size())), expected);
}

// --- Predicates, scopes and labels ---

__global__ void predicates(unsigned* out) {
  asm volatile(
      "{\n"
      "  .reg .pred p, q;            // a comment\n"
      "  .reg .b32 t<2>;\n"
      "  setp.lt.s32 p|q, %4, %5;    /* p: a < b */\n"
      "  selp.b32 %0, 1, 2, p;\n"
      "  mov.u32 %1, 5;\n"
      "  @q mov.u32 %1, 6;\n"
      "  @!q add.u32 %1, %1, 10;\n"
      "  setp.eq.and.u32 q, %4, %4, p;\n"
      "  selp.u32 %2, 7, 8, q;\n"
      "  mov.u32 t0, 0;\n"
      "  mov.u32 t1, 0;\n"
      "AGAIN:\n"
      "  add.u32 t1, t1, t0;\n"
      "  add.u32 t0, t0, 1;\n"
      "  setp.le.u32 p, t0, 10;\n"
      "  @p bra AGAIN;\n"
      "  mov.u32 %3, t1;\n"
      "}"
      : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
      : "r"(-3), "r"(4));
  const float nan = nanf("");
  asm volatile("{ .reg .pred p; setp.ne.f32 p, %1, %1; selp.u32 %0, 1, 0, p; }" : "=r"(out[4]) : "f"(nan));
  asm volatile("{ .reg .pred p; setp.neu.f32 p, %1, %1; selp.u32 %0, 1, 0, p; }" : "=r"(out[5]) : "f"(nan));
  asm volatile("{ .reg .pred p; setp.nan.f32 p, %1, %1; selp.u32 %0, 1, 0, p; }" : "=r"(out[6]) : "f"(nan));
  asm volatile("{ .reg .pred p; setp.ge.u64 p, %1, 5; selp.u32 %0, 1, 0, p; }" : "=r"(out[7]) : "l"(4ull));
}

TEST(DevicePtx, PredicatesScopesAndLabels) {
  EXPECT_EQ(words_of(predicates, 8), (std::vector<unsigned>{1, 15, 7, 55, 0, 1, 1, 0}));
}

#define TEST_PROPERTY(property, result, x)                                             \
  asm volatile("{ .reg .pred p; testp." property ".f32 p, %1; selp.u32 %0, 1, 0, p; }" \
               : "=r"(result)                                                          \
               : "f"(x))

__global__ void comparisons(unsigned* out) {
  const float nan = nanf(""), minus_zero = -0.0f;
  int i = 0;
  asm volatile("set.lt.u32.s32 %0, %1, 4;" : "=r"(out[i++]) : "r"(-3));
  asm volatile("set.gt.s32.f32 %0, %1, %1;" : "=r"(out[i++]) : "f"(nan));
  asm volatile("set.gtu.s32.f32 %0, %1, %1;" : "=r"(out[i++]) : "f"(nan));
  float one;
  asm volatile("set.eq.f32.u32 %0, %1, 4;" : "=f"(one) : "r"(4));
  out[i++] = __float_as_uint(one);
  asm volatile("slct.u32.s32 %0, 7, 8, %1;" : "=r"(out[i++]) : "r"(0));
  asm volatile("slct.u32.s32 %0, 7, 8, %1;" : "=r"(out[i++]) : "r"(-1));
  asm volatile("slct.u32.f32 %0, 7, 8, %1;" : "=r"(out[i++]) : "f"(minus_zero));
  asm volatile("slct.u32.f32 %0, 7, 8, %1;" : "=r"(out[i++]) : "f"(nan));
  TEST_PROPERTY("finite", out[i++], 1.0f);
  TEST_PROPERTY("finite", out[i++], nan);
  TEST_PROPERTY("infinite", out[i++], -INFINITY);
  TEST_PROPERTY("number", out[i++], INFINITY);
  TEST_PROPERTY("notanumber", out[i++], nan);
  TEST_PROPERTY("normal", out[i++], 1e-40f);
  TEST_PROPERTY("subnormal", out[i++], 1e-40f);
  float least, most, signed_one;
  asm volatile("min.f32 %0, %1, %2;" : "=f"(least) : "f"(nan), "f"(1.0f));
  asm volatile("max.NaN.f32 %0, %1, %2;" : "=f"(most) : "f"(1.0f), "f"(nan));
  asm volatile("copysign.f32 %0, %1, %2;" : "=f"(signed_one) : "f"(minus_zero), "f"(1.0f));
  out[i++] = __float_as_uint(least);
  out[i++] = isnan(most);
  out[i++] = __float_as_uint(signed_one);
}

TEST(DevicePtx, ComparisonsAndChoices) {
  const unsigned all = 0xffffffffu;
  const std::vector<unsigned> expected{all, 0, all, bits_of(1), 7, 8, 7,          8, 1,
                                       0,   1, 1,   1,          0, 1, bits_of(1), 1, bits_of(-1)};
  EXPECT_EQ(words_of(comparisons, static_cast<int>(expected.size())), expected);
}

#define TEST_SPACE(space, result, pointer)                                         \
  asm volatile("{ .reg .pred p; isspacep." space " p, %1; selp.u32 %0, 1, 0, p; }" \
               : "=r"(result)                                                      \
               : "l"(pointer))

__global__ void spaces(unsigned* out) {
  __shared__ unsigned tile[2];
  tile[threadIdx.x] = 1;
  unsigned found[6];
  TEST_SPACE("shared", found[0], tile);
  TEST_SPACE("shared::cta", found[1], tile + 1);
  TEST_SPACE("shared::cluster", found[2], tile);
  TEST_SPACE("global", found[3], tile);
  TEST_SPACE("shared", found[4], out);
  TEST_SPACE("global", found[5], out);
  for (int i = 0; i < 6; ++i) out[i] = found[i];
}

TEST(DevicePtx, TellsWhichMemoryAPointerIsOf) {
  EXPECT_EQ(words_of(spaces, 6), (std::vector<unsigned>{1, 1, 1, 0, 0, 1}));
}

// --- Memory ---

__global__ void memory(unsigned* data, unsigned* out) {
  __shared__ __align__(16) unsigned tile[8];
  const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  unsigned a, b, c, d;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(data));
  asm volatile("st.shared.v2.b32 [%0], {%1, %2};" ::"r"(shared), "r"(a), "r"(b) : "memory");
  asm volatile("st.shared.v4.b32 [%0+16], {%1, %2, %1, %2};" ::"r"(shared), "r"(c), "r"(d) : "memory");
  asm volatile("st.shared.u8 [%0 + 9], %1;" ::"r"(shared), "r"(0xabcdefu) : "memory");
  asm volatile("st.shared.u16 [%0 + 10], %1;" ::"r"(shared), "h"(static_cast<unsigned short>(0x1234))
               : "memory");
  asm volatile("st.shared.u8 [%0 + 8], %1;" ::"r"(shared), "r"(0x80u) : "memory");
  out[0] = tile[0] + tile[1];
  out[1] = tile[2];
  asm volatile("ld.shared.u32 %0, [%1+20];" : "=r"(out[2]) : "r"(shared));
  asm volatile("ld.shared.s8 %0, [%1+8];" : "=r"(out[3]) : "r"(shared));
  asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1+4];" : "=r"(out[4]) : "l"(data));
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(out[5]) : "l"(data + 2));
  asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(out[6]) : "l"(data + 3));
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(out[7]) : "l"(data));
  asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(out + 8), "r"(88u) : "memory");
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(out + 9), "r"(99u) : "memory");
  asm volatile("atom.global.add.u32 %0, [%1], 5;" : "=r"(out[10]) : "l"(data + 4) : "memory");
  asm volatile("red.global.add.u32 [%0], %1;" ::"l"(data + 4), "r"(6u) : "memory");
  asm volatile("red.shared.max.u32 [%0], 1000;" ::"r"(shared) : "memory");
  asm volatile("atom.shared.cas.b32 %0, [%1], 1000, 2000;" : "=r"(out[11]) : "r"(shared) : "memory");
  out[12] = tile[0];
  float before;
  asm volatile("atom.global.add.f32 %0, [%1], 0f3F800000;" : "=f"(before) : "l"(out + 13) : "memory");
  out[1] += before != 0.0f;
  unsigned long long address;
  asm volatile("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(tile));
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(out[14]) : "l"(address));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(data));
  asm volatile("ld.u32 %0, [%1];" : "=r"(out[15]) : "l"(tile + 1));
  asm volatile("membar.gl;" ::: "memory");
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

TEST(DevicePtx, LoadsStoresAndAtomics) {
  const DeviceArray<unsigned> data(std::vector<unsigned>{10, 20, 30, 40, 50});
  const DeviceArray<unsigned> out(std::vector<unsigned>(16, 0u));
  memory<<<1, 1>>>(data.data(), out.data());
  EXPECT_EQ(out.host(), (std::vector<unsigned>{30, 0x1234ef80u, 40, 0xffffff80u, 20, 30, 40, 10, 88, 99, 50,
                                               1000, 2000, bits_of(1), 2000, 20}));
  EXPECT_EQ(data.host()[4], 61u);
}

__global__ void copies(const unsigned* data, unsigned* out, int bytes) {
  __shared__ __align__(16) unsigned tile[16];
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(data) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.ca.shared.global [%0+16], [%1], 16, %2;" ::"r"(to), "l"(data), "r"(bytes)
               : "memory");
  asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2;" ::"r"(to + 32), "l"(data + 1), "n"(4)
               : "memory");
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %2, 0; @p cp.async.ca.shared.global [%0], [%1], 8; }" ::"r"(to + 40),
      "l"(data + 2), "r"(1)
      : "memory");
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  out[0] = tile[3];
  asm volatile("cp.async.wait_all;" ::: "memory");
  for (int i = 0; i < 4; ++i) out[1 + i] = tile[4 + i];
  out[5] = tile[8];
  out[6] = tile[10] + tile[11];
}

TEST(DevicePtx, AsynchronousCopies) {
  const DeviceArray<unsigned> data(std::vector<unsigned>{0x01010101, 0x02020202, 0x03030303, 0x04040404}),
      out(7);
  copies<<<1, 1>>>(data.data(), out.data(), 6);
  EXPECT_EQ(out.host(),
            (std::vector<unsigned>{0x04040404, 0x01010101, 0x00000202, 0, 0, 0x02020202, 0x07070707}));
  copies<<<1, 1>>>(data.data(), out.data(), 0);
  EXPECT_EQ(out.host()[1], 0u);
}

// nvcc writes negative offsets so.
__global__ void steps_back(int* data) {
  int x;
  asm volatile("ld.global.u32 %0, [%1+-4];" : "=r"(x) : "l"(data + 1));
  asm volatile("st.global.u32 [%0 + -%2], %1;" ::"l"(data + 3), "r"(x + 1), "n"(4) : "memory");
  asm volatile("st.global.u32 [%0++4], %1;" ::"l"(data), "r"(x + 2) : "memory");
}

TEST(DevicePtx, AnAddressMayHaveANegativeOffset) {
  const DeviceArray<int> data(std::vector<int>{5, 0, 0});
  steps_back<<<1, 1>>>(data.data());
  EXPECT_EQ(data.host(), (std::vector<int>{5, 7, 6}));
}

// --- Special registers ---

__global__ void specials(unsigned* out) {
  unsigned values[15];
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(values[0]));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(values[1]));
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(values[2]));
  asm volatile("mov.u32 %0, %%tid.y;" : "=r"(values[3]));
  asm volatile("mov.u32 %0, %%ntid.x;" : "=r"(values[4]));
  asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(values[5]));
  asm volatile("mov.u32 %0, %%nctaid.x;" : "=r"(values[6]));
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(values[7]));
  asm volatile("mov.u32 %0, %%lanemask_ge;" : "=r"(values[8]));
  unsigned sm, sms;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  asm volatile("mov.u32 %0, %%nsmid;" : "=r"(sms));
  values[9] = sm < sms;
  values[14] = sms;
  unsigned long long first, second;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(first));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(second));
  values[10] = second >= first;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(first));
  values[11] = first != 0;
  asm volatile("mov.u32 %0, WARP_SZ;" : "=r"(values[12]));
  asm volatile("mul.lo.u32 %0, %1, WARP_SZ;" : "=r"(values[13]) : "r"(values[2]));
  if (blockIdx.x == 1 && threadIdx.x == 1 && threadIdx.y == 3)
    for (int i = 0; i < 15; ++i) out[i] = values[i];
}

TEST(DevicePtx, SpecialRegisters) {
  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  const DeviceArray<unsigned> out(15);
  specials<<<2, dim3(12, 4)>>>(out.data());
  EXPECT_EQ(out.host(), (std::vector<unsigned>{5, 1, 1, 3, 12, 1, 2, 31, 0xffffffe0u, 1, 1, 1, 32, 32,
                                               static_cast<unsigned>(multiprocessors)}));
}

__global__ void shared_sizes(unsigned* out) {
  extern __shared__ unsigned dynamic[];
  __shared__ unsigned tile[25];
  dynamic[threadIdx.x] = tile[threadIdx.x] = threadIdx.x;
  __syncthreads();  // for the other thread's elements
  unsigned sizes[3];
  asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(sizes[0]));
  asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(sizes[1]));
  asm volatile("mov.u32 %0, %%aggr_smem_size;" : "=r"(sizes[2]));
  const unsigned other = threadIdx.x ^ 1;
  if (threadIdx.x == 1)
    for (int i = 0; i < 3; ++i) out[i] = sizes[i] + dynamic[other] + tile[other];
}

// Measured on an H200: dynamic memory begins at a multiple of 16 bytes, the total is one of 128, and the
// aggregate has 1024 more that are reserved.
TEST(DevicePtx, SizesOfSharedMemory) {
  const DeviceArray<unsigned> out(3);
  shared_sizes<<<1, 2, 200>>>(out.data());
  EXPECT_EQ(out.host(), (std::vector<unsigned>{200, 384, 1024 + 112 + 200}));
  shared_sizes<<<1, 2, 28>>>(out.data());
  EXPECT_EQ(out.host(), (std::vector<unsigned>{28, 256, 1024 + 112 + 28}));
}

__global__ void halves_of_clocks(unsigned long long nanoseconds, unsigned long long* out) {
  unsigned long long begin, now, clock_begin, clock_end;
  unsigned low, high, clock_high;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(low));
  asm volatile("mov.u32 %0, %%globaltimer_hi;" : "=r"(high));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock_begin));
  asm volatile("mov.u32 %0, %%clock_hi;" : "=r"(clock_high));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock_end));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - begin < nanoseconds);
  out[0] = low - static_cast<unsigned>(begin) <= static_cast<unsigned>(now - begin);
  out[1] = begin >> 32 <= high && high <= now >> 32;
  out[2] = clock_begin >> 32 <= clock_high && clock_high <= clock_end >> 32;
}

TEST(DevicePtx, TheGlobalTimerCountsNanoseconds) {
  const DeviceArray<unsigned long long> out(3);
  const auto begin = std::chrono::steady_clock::now();
  halves_of_clocks<<<1, 1>>>(50'000'000, out.data());
  EXPECT_EQ(out.host(), (std::vector<unsigned long long>{1, 1, 1}));
  const auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_GT(took, std::chrono::milliseconds(45));
  EXPECT_LT(took, std::chrono::seconds(20));
}

// Values that only templates know, and a macro that makes a statement.
#define ADD_IMMEDIATE(to, from, value) asm volatile("add.u32 %0, %1, %2;" : "=r"(to) : "r"(from), "n"(value))
template <int value>
__device__ unsigned plus(unsigned x) {
  unsigned result;
  ADD_IMMEDIATE(result, x, value * 2);
  return result;
}
__global__ void templates(unsigned* out) {
  out[threadIdx.x] = threadIdx.x < 2 ? plus<3>(threadIdx.x) : plus<-4>(threadIdx.x);
}

TEST(DevicePtx, ImmediatesFromTemplates) {
  const DeviceArray<unsigned> out(4);
  templates<<<1, 4>>>(out.data());
  EXPECT_EQ(out.host(), (std::vector<unsigned>{6, 7, 0xfffffffau, 0xfffffffbu}));
}

// %= is a number of its own for each statement, so that labels of two do not meet.
__global__ void branches(unsigned* out) {
  unsigned x = threadIdx.x;
  asm volatile(
      "{\n .reg .pred p;\n setp.lt.u32 p, %0, 2;\n @p bra DONE_%=;\n add.u32 %0, %0, 10;\n DONE_%=:\n}"
      : "+r"(x));
  asm volatile(
      "{\n .reg .pred p;\n setp.lt.u32 p, %0, 3;\n @p bra DONE_%=;\n add.u32 %0, %0, 100;\n DONE_%=:\n}"
      : "+r"(x));
  out[threadIdx.x] = x;
}

TEST(DevicePtx, NumbersOfStatements) {
  const DeviceArray<unsigned> out(4);
  branches<<<1, 4>>>(out.data());
  EXPECT_EQ(out.host(), (std::vector<unsigned>{0, 1, 112, 113}));
}
