// Buffers with guard zones, and the copy kernel that others are measured against.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/checksum_kernel.hpp"
#include "common/copy_kernel.hpp"
#include "common/cuda_check.hpp"
#include "common/device_buffer.hpp"
#include "common/host/index_text.hpp"
#include "common/host/poison.hpp"
#include "common/host/random.hpp"
#include "common/pinned_buffer.hpp"

namespace warplab {
namespace {

std::vector<std::byte> on_host(const DeviceBuffer& buffer) {
  std::vector<std::byte> bytes(buffer.size_bytes());
  if (!bytes.empty())
    CUDA_CHECK(cudaMemcpy(bytes.data(), buffer.data(), bytes.size(), cudaMemcpyDeviceToHost));
  return bytes;
}

TEST(Poison, IsNaNForEveryFloatingType) {
  const std::uint64_t both = std::uint64_t{poison_word} << 32 | poison_word;
  float f;
  double d;
  std::memcpy(&f, &poison_word, sizeof f);
  std::memcpy(&d, &both, sizeof d);
  EXPECT_TRUE(std::isnan(f));
  EXPECT_TRUE(std::isnan(d));
  EXPECT_EQ(poison_word & 0x7C00, 0x7C00u);  // a half with all exponent bits set ...
  EXPECT_NE(poison_word & 0x03FF, 0u);       // ... and a mantissa: NaN
}

TEST(DeviceBuffer, IsPoisonedAndWholeAtEverySize) {
  for (std::size_t bytes : {0, 1, 4, 255, 4096, 1'000'003}) {
    const DeviceBuffer buffer(bytes);
    EXPECT_NE(buffer.data(), nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 256, 0u);
    const std::vector<std::byte> content = on_host(buffer);
    EXPECT_EQ(first_not_poison(content), bytes);
    EXPECT_EQ(buffer.check_guards(), std::nullopt);
  }
}

TEST(DeviceBuffer, NamesTheSideAndTheOffsetOfAWriteOutside) {
  DeviceBuffer buffer(1000);
  auto* data = static_cast<std::byte*>(buffer.data());
  CUDA_CHECK(cudaMemset(data, 0, 1000));
  EXPECT_EQ(buffer.check_guards(), std::nullopt);
  CUDA_CHECK(cudaMemset(data + 1012, 0, 4));
  EXPECT_EQ(buffer.check_guards(), "something was written 12 bytes past the end of the buffer (1000 bytes)");
  buffer.poison();
  EXPECT_EQ(buffer.check_guards(), std::nullopt);
  CUDA_CHECK(cudaMemset(data - 4, 0, 4));
  EXPECT_EQ(buffer.check_guards(),
            "something was written 1 bytes before the start of the buffer (1000 bytes)");
}

// A kernel without a guard adds, or copies, what lies after its inputs to what lies after its output.
TEST(DeviceBuffer, ShowsWhatIsCopiedFromGuardToGuard) {
  DeviceBuffer in(1000), out(1000);
  CUDA_CHECK(cudaMemcpy(static_cast<std::byte*>(out.data()) + 1000, static_cast<std::byte*>(in.data()) + 1000,
                        4, cudaMemcpyDeviceToDevice));
  EXPECT_EQ(out.check_guards(), "something was written just past the end of the buffer (1000 bytes)");
}

TEST(DeviceBuffer, MovesItsMemory) {
  DeviceBuffer a(64);
  void* const data = a.data();
  DeviceBuffer b = std::move(a);
  EXPECT_EQ(b.data(), data);
  EXPECT_EQ(a.data(), nullptr);  // NOLINT: what a moved-from buffer is
  EXPECT_EQ(a.size_bytes(), 0u);
  DeviceBuffer c;
  c = std::move(b);
  EXPECT_EQ(c.data(), data);
  EXPECT_EQ(c.size_bytes(), 64u);
}

TEST(PinnedBuffer, IsPoisonedAndGuarded) {
  PinnedBuffer buffer(100);
  auto* data = static_cast<std::byte*>(buffer.data());
  EXPECT_EQ(first_not_poison({data, 100}), 100u);
  std::fill(data, data + 100, std::byte{0});
  EXPECT_EQ(buffer.check_guards(), std::nullopt);
  data[100] = std::byte{0};
  EXPECT_EQ(buffer.check_guards(), "something was written just past the end of the buffer (100 bytes)");
  PinnedBuffer moved = std::move(buffer);
  EXPECT_EQ(moved.data(), data);
}

TEST(CopyKernel, CopiesEveryByteAndNoOther) {
  for (std::size_t bytes :
       {0, 1, 15, 16, 17, 16 * 1023, 16 * 1024, 16 * 1024 + 5, 16 * 4096 + 16, 1'000'003}) {
    HostArray source(DType::u8, {static_cast<std::int64_t>(bytes)});
    fill_random(source, bytes);
    DeviceBuffer in(bytes), out(bytes);
    if (bytes) CUDA_CHECK(cudaMemcpy(in.data(), source.bytes().data(), bytes, cudaMemcpyHostToDevice));
    copy_vectorised(in.data(), out.data(), bytes, nullptr);
    CUDA_CHECK(cudaDeviceSynchronize());
    const std::vector<std::byte> copied = on_host(out);
    EXPECT_TRUE(std::equal(copied.begin(), copied.end(), source.bytes().begin())) << bytes;
    EXPECT_EQ(out.check_guards(), std::nullopt) << bytes;
  }
}

TEST(CopyKernel, RefusesAMisalignedAddress) {
  DeviceBuffer in(64), out(64);
  EXPECT_THROW(copy_vectorised(static_cast<std::byte*>(in.data()) + 4, out.data(), 16, nullptr),
               std::invalid_argument);
}

TEST(ChecksumKernel, TellsOfEveryByteAndOfItsPlaceAtEveryAddressAndSize) {
  constexpr std::size_t most = 100;
  const DeviceBuffer memory(most + 16);
  auto* const begin = static_cast<unsigned char*>(memory.data());
  std::vector<unsigned char> bytes(most + 16);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * i + 3);
  const auto upload = [&] {
    CUDA_CHECK(cudaMemcpy(begin, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
  };
  for (const std::size_t from : {0, 1, 5, 8, 15})
    for (const std::size_t count : {0, 1, 3, 8, 9, 31, 64, 100}) {
      upload();
      const std::uint64_t before = checksum_of(begin + from, count, nullptr);
      EXPECT_EQ(checksum_of(begin + from, count, nullptr), before);
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] ^= 0x10;
        upload();
        EXPECT_EQ(checksum_of(begin + from, count, nullptr) != before, i >= from && i < from + count)
            << i << " of " << count << " from " << from;
        bytes[i] ^= 0x10;
      }
      if (count < 64) continue;
      std::swap_ranges(bytes.begin() + 16, bytes.begin() + 24, bytes.begin() + 32);  // two words
      upload();
      EXPECT_NE(checksum_of(begin + from, count, nullptr), before);
      std::swap_ranges(bytes.begin() + 16, bytes.begin() + 24, bytes.begin() + 32);
    }
}

TEST(IndexText, NamesElementsByTheirPosition) {
  EXPECT_EQ(index_text(23, {2, 3, 4}), "[1, 2, 3]");
  EXPECT_EQ(index_text(5, {10}), "[5]");
  EXPECT_EQ(shape_text({}), "()");
  EXPECT_EQ(shape_text({5}), "(5,)");
  EXPECT_EQ(shape_text({2, 3}), "(2, 3)");
}

}  // namespace
}  // namespace warplab
