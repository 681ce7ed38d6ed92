// Two 16-bit numbers per word: what common/packed_bytes.hpp makes of four bytes and of their neighbours.
#include "common/packed_bytes.hpp"

#include "tests/emulator/device_array.hpp"

using warplab::PackedBytes;
using warplab::test::DeviceArray;

/// The four numbers in the order of memory.
static std::vector<unsigned> numbers(PackedBytes p) {
  return {p.even & 0xffff, p.odd & 0xffff, p.even >> 16, p.odd >> 16};
}

__global__ void unpack_and_pack(const unsigned* words, PackedBytes* unpacked, unsigned* packed) {
  const unsigned i = threadIdx.x;
  unpacked[i] = warplab::unpack(words[i]);
  packed[i] = warplab::pack(unpacked[i]);
}

TEST(PackedBytes, KeepTheOrderOfMemoryThereAndBack) {
  const std::vector<unsigned> words{0x04030201, 0xfffefdfc, 0, 0x80ff007f};
  const DeviceArray<unsigned> in(words), packed(words.size());
  const DeviceArray<PackedBytes> unpacked(words.size());
  unpack_and_pack<<<1, 4>>>(in.data(), unpacked.data(), packed.data());
  EXPECT_EQ(numbers(unpacked.host()[0]), (std::vector<unsigned>{1, 2, 3, 4}));
  EXPECT_EQ(numbers(unpacked.host()[1]), (std::vector<unsigned>{0xfc, 0xfd, 0xfe, 0xff}));
  EXPECT_EQ(packed.host(), words);
}

__global__ void pack_large(const PackedBytes* in, unsigned* out) { out[0] = warplab::pack(in[0]); }

TEST(PackedBytes, PackTakesTheLowBytes) {
  const DeviceArray<PackedBytes> in({{0x03020100 + 1, 0xff04ff05}});
  const DeviceArray<unsigned> out(1);
  pack_large<<<1, 1>>>(in.data(), out.data());
  EXPECT_EQ(out.host()[0], 0x04020501u);
}

__global__ void shift_all(PackedBytes before, PackedBytes here, PackedBytes after, PackedBytes* out) {
  out[0] = warplab::shifted<-4>(before, here, after);
  out[1] = warplab::shifted<-3>(before, here, after);
  out[2] = warplab::shifted<-2>(before, here, after);
  out[3] = warplab::shifted<-1>(before, here, after);
  out[4] = warplab::shifted<0>(before, here, after);
  out[5] = warplab::shifted<1>(before, here, after);
  out[6] = warplab::shifted<2>(before, here, after);
  out[7] = warplab::shifted<3>(before, here, after);
  out[8] = warplab::shifted<4>(before, here, after);
}

TEST(PackedBytes, ShiftedReachesAcrossTheWordsBeforeAndAfter) {
  // Numbers 0 to 11 in three words, each with 1000 added so that all 16 bits travel.
  const auto word = [](unsigned first) {
    const unsigned n = 1000 + first;
    return PackedBytes{n | (n + 2) << 16, (n + 1) | (n + 3) << 16};
  };
  const DeviceArray<PackedBytes> out(9);
  shift_all<<<1, 1>>>(word(0), word(4), word(8), out.data());
  for (unsigned i = 0; i < 9; ++i)
    EXPECT_EQ(numbers(out.host()[i]), (std::vector<unsigned>{1000 + i, 1001 + i, 1002 + i, 1003 + i}))
        << "offset " << static_cast<int>(i) - 4;
}
