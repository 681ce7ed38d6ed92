// Integer intrinsics against their definitions.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

static std::vector<unsigned> words() {
  std::vector<unsigned> values{0u,          1u,          2u,          0x7fffffffu, 0x80000000u,
                               0x80000001u, 0xffffffffu, 0x00ff00ffu, 0xff80017fu};
  std::mt19937 random(7);
  while (values.size() < 257) values.push_back(random() >> (values.size() % 32));
  return values;
}

__global__ void count_bits(const unsigned* in, int* out, int n) {
  const int i = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
  if (i >= n) return;
  const unsigned x = in[i];
  const unsigned long long wide = static_cast<unsigned long long>(x) << 32 | in[n - 1 - i];
  int* row = out + 8 * i;
  row[0] = __popc(x);
  row[1] = __clz(static_cast<int>(x));
  row[2] = __ffs(static_cast<int>(x));
  row[3] = static_cast<int>(__brev(x));
  row[4] = __popcll(wide);
  row[5] = __clzll(static_cast<long long>(wide));
  row[6] = __ffsll(static_cast<long long>(wide));
  row[7] = static_cast<int>(__brevll(wide) >> 32) ^ static_cast<int>(__brevll(wide));
}

TEST(DeviceIntegers, BitCountsEqualLoopsOverTheBits) {
  const auto values = words();
  const int n = static_cast<int>(values.size());
  const DeviceArray<unsigned> in(values);
  const DeviceArray<int> out(8 * values.size());
  count_bits<<<3, 100>>>(in.data(), out.data(), n);
  const auto got = out.host();
  for (int i = 0; i < n; ++i) {
    const std::uint64_t narrow = values[i], wide = narrow << 32 | values[n - 1 - i];
    const std::uint64_t both[2] = {narrow, wide};
    for (int size = 0; size < 2; ++size) {
      const int bits = size == 0 ? 32 : 64;
      int count = 0, leading = bits, first = 0;
      std::uint64_t reversed = 0;
      for (int bit = 0; bit < bits; ++bit) {
        if (((both[size] >> bit) & 1) == 0) continue;
        ++count;
        leading = bits - 1 - bit;
        if (first == 0) first = bit + 1;
        reversed |= std::uint64_t{1} << (bits - 1 - bit);
      }
      const int* row = &got[8 * i + 4 * size];
      EXPECT_EQ(row[0], count) << both[size];
      EXPECT_EQ(row[1], leading) << both[size];
      EXPECT_EQ(row[2], first) << both[size];
      EXPECT_EQ(static_cast<unsigned>(row[3]),
                static_cast<unsigned>(reversed >> (bits - 32) ^ (size ? reversed : 0)))
          << both[size];
    }
  }
}

constexpr int integer_results = 26;

__global__ void integers(const unsigned* in, unsigned* out, int n) {
  const int i = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
  if (i >= n) return;
  const unsigned x = in[i], y = in[(i * 7 + 3) % n], z = in[(i * 11 + 5) % n];
  const int a = static_cast<int>(x), b = static_cast<int>(y);
  const unsigned long long p = static_cast<unsigned long long>(x) << 32 | y,
                           q = static_cast<unsigned long long>(z) << 32 | x;
  unsigned* row = out + integer_results * i;
  row[0] = __byte_perm(x, y, z);
  row[1] = __funnelshift_l(x, y, z);
  row[2] = __funnelshift_lc(x, y, z & 63u);
  row[3] = __funnelshift_r(x, y, z);
  row[4] = __funnelshift_rc(x, y, z & 63u);
  row[5] = static_cast<unsigned>(__mulhi(a, b));
  row[6] = __umulhi(x, y);
  row[7] = static_cast<unsigned>(__umul64hi(p, q) >> 7);
  row[8] = static_cast<unsigned>(__mul64hi(static_cast<long long>(p), static_cast<long long>(q)) >> 7);
  row[9] = static_cast<unsigned>(__mul24(a, b));
  row[10] = __umul24(x, y);
  row[11] = static_cast<unsigned>(__hadd(a, b));
  row[12] = static_cast<unsigned>(__rhadd(a, b));
  row[13] = __uhadd(x, y);
  row[14] = __urhadd(x, y);
  row[15] = __sad(a, b, z);
  row[16] = __usad(x, y, z);
  row[17] = static_cast<unsigned>(__dp4a(a, b, static_cast<int>(z)));
  row[18] = __dp4a(x, y, z);
  row[19] = static_cast<unsigned>(__dp2a_lo(a, b, static_cast<int>(z)));
  row[20] = __dp2a_hi(x, y, z);
  row[21] = __vadd4(x, y);
  row[22] = __vsubss2(x, y);
  row[23] = __vabsdiffu4(x, y);
  row[24] = __vcmpgts4(x, y);
  row[25] = __vavgs2(x, y);
}

// A byte or a half-word of a word, as a number.
static int lane_of(unsigned word, int lane, int bits, bool is_signed) {
  const int value = static_cast<int>((word >> (lane * bits)) & ((1u << bits) - 1));
  return is_signed && value >= 1 << (bits - 1) ? value - (1 << bits) : value;
}

/// What intrinsics on bytes and half-words of words compute.
struct PackedResults {
  std::int64_t dp4, udp4, dp2, udp2;
  unsigned sum4 = 0, difference4 = 0, greater4 = 0, saturated2 = 0, average2 = 0;
};

static PackedResults packed_results(unsigned x, unsigned y, unsigned z) {
  PackedResults r{static_cast<int>(z), z, static_cast<int>(z), z};
  for (int lane = 0; lane < 4; ++lane) {
    const int sx = lane_of(x, lane, 8, true), sy = lane_of(y, lane, 8, true);
    const int vx = lane_of(x, lane, 8, false), vy = lane_of(y, lane, 8, false);
    r.dp4 += sx * sy;
    r.udp4 += vx * vy;
    r.sum4 |= (static_cast<unsigned>(vx + vy) & 255u) << (8 * lane);
    r.difference4 |= static_cast<unsigned>(std::abs(vx - vy)) << (8 * lane);
    r.greater4 |= (sx > sy ? 255u : 0u) << (8 * lane);
  }
  for (int lane = 0; lane < 2; ++lane) {
    const int sx = lane_of(x, lane, 16, true), sy = lane_of(y, lane, 16, true);
    r.dp2 += sx * lane_of(y, lane, 8, true);
    r.udp2 += static_cast<std::int64_t>(lane_of(x, lane, 16, false)) * lane_of(y, 2 + lane, 8, false);
    r.saturated2 |= (static_cast<unsigned>(std::clamp(sx - sy, -32768, 32767)) & 0xffffu) << (16 * lane);
    // Halves are rounded away from zero.
    const double average = (sx + sy) / 2.0;
    const int rounded =
        average > 0 ? static_cast<int>(std::floor(average + 0.5)) : static_cast<int>(std::floor(average));
    r.average2 |= (static_cast<unsigned>(rounded) & 0xffffu) << (16 * lane);
  }
  return r;
}

/// The bytes of `pair` that `selectors` names.
static unsigned permuted(std::uint64_t pair, unsigned selectors) {
  unsigned word = 0;
  for (int byte = 0; byte < 4; ++byte) {
    const unsigned selector = (selectors >> (4 * byte)) & 7u;
    word |= (static_cast<unsigned>(pair >> (8 * selector)) & 255u) << (8 * byte);
  }
  return word;
}

static std::array<unsigned, integer_results> expected_integers(unsigned x, unsigned y, unsigned z) {
  __extension__ typedef __int128 Wide;
  __extension__ typedef unsigned __int128 UnsignedWide;
  const std::int64_t a = static_cast<int>(x), b = static_cast<int>(y), ux = x, uy = y;
  const std::uint64_t p = static_cast<std::uint64_t>(x) << 32 | y,
                      q = static_cast<std::uint64_t>(z) << 32 | x;
  const std::uint64_t pair = static_cast<std::uint64_t>(y) << 32 | x;
  const unsigned clamped = std::min(z & 63u, 32u);
  const auto low24 = [](std::int64_t v) { return ((v & 0xffffff) ^ 0x800000) - 0x800000; };
  const PackedResults packed = packed_results(x, y, z);
  return {permuted(pair, z),
          static_cast<unsigned>((pair << (z % 32)) >> 32),
          static_cast<unsigned>((pair << clamped) >> 32),
          static_cast<unsigned>(pair >> (z % 32)),
          static_cast<unsigned>(pair >> clamped),
          static_cast<unsigned>((a * b) >> 32),
          static_cast<unsigned>((static_cast<std::uint64_t>(x) * y) >> 32),
          static_cast<unsigned>(static_cast<std::uint64_t>((static_cast<UnsignedWide>(p) * q) >> 64) >> 7),
          static_cast<unsigned>(
              static_cast<std::int64_t>(
                  (static_cast<Wide>(static_cast<std::int64_t>(p)) * static_cast<std::int64_t>(q)) >> 64) >>
              7),
          static_cast<unsigned>(low24(a) * low24(b)),
          static_cast<unsigned>((ux & 0xffffff) * (uy & 0xffffff)),
          static_cast<unsigned>((a + b) >> 1),
          static_cast<unsigned>((a + b + 1) >> 1),
          static_cast<unsigned>((ux + uy) >> 1),
          static_cast<unsigned>((ux + uy + 1) >> 1),
          static_cast<unsigned>(std::abs(a - b) + z),
          static_cast<unsigned>(std::abs(ux - uy) + z),
          static_cast<unsigned>(packed.dp4),
          static_cast<unsigned>(packed.udp4),
          static_cast<unsigned>(packed.dp2),
          static_cast<unsigned>(packed.udp2),
          packed.sum4,
          packed.saturated2,
          packed.difference4,
          packed.greater4,
          packed.average2};
}

TEST(DeviceIntegers, IntegerIntrinsicsEqualTheirDefinitions) {
  const auto values = words();
  const int n = static_cast<int>(values.size());
  const DeviceArray<unsigned> in(values), out(integer_results * values.size());
  integers<<<3, 100>>>(in.data(), out.data(), n);
  const auto got = out.host();
  for (int i = 0; i < n; ++i) {
    const unsigned x = values[i], y = values[(i * 7 + 3) % n], z = values[(i * 11 + 5) % n];
    const auto expected = expected_integers(x, y, z);
    for (int what = 0; what < integer_results; ++what)
      ASSERT_EQ(got[integer_results * i + what], expected[what])
          << "result " << what << " of " << std::hex << x << ", " << y << ", " << z;
  }
}

// --- DPX ---

__global__ void sums_and_extremes(const int* in, int* out, int n) {
  const int i = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
  if (i >= n) return;
  const int a = in[i], b = in[(i + 1) % n], c = in[(i + 7) % n];
  const auto x = static_cast<unsigned>(a), y = static_cast<unsigned>(b), z = static_cast<unsigned>(c);
  int* row = out + 10 * i;
  bool first = false;
  row[0] = __vimax3_s32(a, b, c);
  row[1] = static_cast<int>(__vimin3_u32(x, y, z));
  row[2] = __viaddmax_s32(a, b, c);
  row[3] = __viaddmin_s32_relu(a, b, c);
  row[4] = __vimax_s32_relu(a, b);
  row[5] = static_cast<int>(__vimax3_s16x2(x, y, z));
  row[6] = static_cast<int>(__viaddmin_u16x2(x, y, z));
  row[7] = static_cast<int>(__vimin3_s16x2_relu(x, y, z));
  row[8] = __vibmin_s32(a, b, &first);
  row[9] = first;
}

TEST(DeviceIntegers, SumsAndExtremesOfDynamicProgramming) {
  std::vector<int> values;
  for (const unsigned word : words()) values.push_back(static_cast<int>(word));
  const int n = static_cast<int>(values.size());
  const DeviceArray<int> in(values), out(static_cast<std::size_t>(10 * n));
  sums_and_extremes<<<(n + 63) / 64, 64>>>(in.data(), out.data(), n);
  const std::vector<int> got = out.host();
  const auto half = [](int word, int which) {
    return static_cast<std::int16_t>(static_cast<unsigned>(word) >> 16 * which);
  };
  const auto pair = [](int low, int high) {
    return static_cast<int>((static_cast<unsigned>(low) & 0xffffu) | static_cast<unsigned>(high) << 16);
  };
  for (int i = 0; i < n; ++i) {
    const int a = values[static_cast<std::size_t>(i)], b = values[static_cast<std::size_t>((i + 1) % n)],
              c = values[static_cast<std::size_t>((i + 7) % n)];
    const auto wrapped = static_cast<int>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
    int most[2], least[2], sum[2];
    for (int h = 0; h < 2; ++h) {
      most[h] = std::max({half(a, h), half(b, h), half(c, h)});
      least[h] = std::max<int>(0, std::min({half(a, h), half(b, h), half(c, h)}));
      sum[h] = std::min<int>(static_cast<std::uint16_t>(half(a, h) + half(b, h)),
                             static_cast<std::uint16_t>(half(c, h)));
    }
    const std::vector<int> expected{
        std::max({a, b, c}),
        static_cast<int>(
            std::min({static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(c)})),
        std::max(wrapped, c),
        std::max(0, std::min(wrapped, c)),
        std::max({0, a, b}),
        pair(most[0], most[1]),
        pair(sum[0], sum[1]),
        pair(least[0], least[1]),
        std::min(a, b),
        a <= b};
    EXPECT_EQ(std::vector<int>(got.begin() + 10 * i, got.begin() + 10 * (i + 1)), expected) << i;
  }
}

__global__ void extremes_with_choice(const unsigned* in, uint2* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const unsigned a = in[i], b = in[(i + 1) % n];
  uint2* const row = out + 4 * i;
  bool high[4], low[4];
  row[0].x = __vibmax_s16x2(a, b, &high[0], &low[0]);
  row[1].x = __vibmax_u16x2(a, b, &high[1], &low[1]);
  row[2].x = __vibmin_s16x2(a, b, &high[2], &low[2]);
  row[3].x = __vibmin_u16x2(a, b, &high[3], &low[3]);
  for (int k = 0; k < 4; ++k) row[k].y = 2u * high[k] + low[k];
}

// The word of the extremes of both halves, and whether each is a's: the high one counts 2.
template <class T, class NotWorse>
static std::pair<unsigned, unsigned> chosen(unsigned a, unsigned b, NotWorse not_worse) {
  unsigned word = 0, first = 0;
  for (const int shift : {0, 16}) {
    const bool takes_a = not_worse(static_cast<T>(a >> shift), static_cast<T>(b >> shift));
    word |= ((takes_a ? a : b) >> shift & 0xffffu) << shift;
    first += takes_a ? (shift == 0 ? 1u : 2u) : 0u;
  }
  return {word, first};
}

TEST(DeviceIntegers, ExtremesOfHalvesSayWhoseTheyAre) {
  std::vector<unsigned> values = words();
  values.insert(values.end(), {0x00050005u, 0x00050005u, 0xffff0001u, 0x0001ffffu, 0x80007fffu, 0x7fff8000u});
  const auto n = values.size();
  const DeviceArray<unsigned> in(values);
  const DeviceArray<uint2> out(4 * n);
  extremes_with_choice<<<static_cast<unsigned>(n + 63) / 64, 64>>>(in.data(), out.data(),
                                                                   static_cast<int>(n));
  const std::vector<uint2> got = out.host();
  for (std::size_t i = 0; i < n; ++i) {
    const unsigned a = values[i], b = values[(i + 1) % n];
    const std::pair<unsigned, unsigned> expected[] = {chosen<std::int16_t>(a, b, std::greater_equal<>()),
                                                      chosen<std::uint16_t>(a, b, std::greater_equal<>()),
                                                      chosen<std::int16_t>(a, b, std::less_equal<>()),
                                                      chosen<std::uint16_t>(a, b, std::less_equal<>())};
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(got[4 * i + k].x, expected[k].first) << k << " of " << a << " and " << b;
      EXPECT_EQ(got[4 * i + k].y, expected[k].second) << k << " of " << a << " and " << b;
    }
  }
}
