// Lab 06: what its rungs promise beyond matching the reference: literals, every byte that a magnitude can
// round to, alignment, refusals, and what fusing saves.
#include <gtest/gtest.h>

#include "common/border.hpp"
#include "common/cuda_check.hpp"
#include "common/device_buffer.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/rung/rung_module.hpp"
#include "harness/testing/test_support.hpp"
#include "labs/06_sobel/sobel.hpp"
#include "lens/merge.hpp"

namespace warplab {
namespace {

const Problem& problem() { return problem_of("sobel"); }

Case image(std::int64_t width, std::int64_t height, DType dtype, Border border = Border::clamp) {
  Case c = problem().default_case(Backend::emulator);
  c.size = {{"width", width}, {"height", height}};
  c.dtype = dtype;
  c.set_param("border", static_cast<int>(border));
  return c;
}

/// The rungs that are ours.
std::vector<Rung> rungs() {
  std::vector<Rung> rungs = problem().rungs();
  std::erase_if(rungs, [](const Rung& rung) { return !rung.peer_of.empty(); });
  return rungs;
}

/// What the lens counted in all launches of a call.
lens::Counts counts_of(const std::string& rung, const Case& c) {
  lens::Counts sum;
  for (const lens::Launch& launch : record_rung(problem(), rung_of(problem(), rung), c)) {
    using lens::operator+=;
    sum += launch.counts;
  }
  return sum;
}

/// Filters in this process, with `in` and `out` so many elements after a multiple of 256 bytes.
template <class T>
std::vector<T> filter(const std::string& rung, const std::vector<T>& in, std::int64_t width, Border border,
                      int in_offset = 0, int out_offset = 0) {
  const auto count = static_cast<std::int64_t>(in.size()), height = count / width;
  const Case c = image(width, height, dtype_of<T>(), border);
  const DeviceBuffer from(sizeof(T) * (in.size() + in_offset)), to(sizeof(T) * (in.size() + out_offset)),
      workspace(problem().workspace_bytes(c, rung_of(problem(), rung)));
  CUDA_CHECK(cudaMemcpy(static_cast<T*>(from.data()) + in_offset, in.data(), sizeof(T) * in.size(),
                        cudaMemcpyHostToDevice));
  Call call;
  call.problem_case = c;
  call.inputs = {{dtype_of<T>(), count, static_cast<T*>(from.data()) + in_offset}};
  call.outputs = {{dtype_of<T>(), count, static_cast<T*>(to.data()) + out_offset}};
  call.workspace = workspace.data();
  RungModule(module_path("sobel", rung)).call(call);
  CUDA_CHECK(cudaDeviceSynchronize());
  std::vector<T> out(in.size());
  CUDA_CHECK(cudaMemcpy(out.data(), static_cast<T*>(to.data()) + out_offset, sizeof(T) * out.size(),
                        cudaMemcpyDeviceToHost));
  for (const DeviceBuffer* buffer : {&from, &to, &workspace})
    EXPECT_EQ(buffer->check_guards(), std::nullopt) << rung;
  return out;
}

TEST(Sobel, EveryRungFindsTheEdgesOfALiteral) {
  const std::vector<float> in{0, 0, 8, 8,  //
                              0, 0, 8, 8,  //
                              0, 0, 8, 8};
  for (const Rung& rung : rungs())
    EXPECT_EQ(filter<float>(rung.name, in, 4, Border::clamp),
              (std::vector<float>{0, 32, 32, 0, 0, 32, 32, 0, 0, 32, 32, 0}))
        << rung.name;
}

/// Squares of 3x3 pixels, one for each e and f up to `most`: black but for two corners, e below on the right
/// and f above on the right. The pixel in the middle has gx = e + f and gy = e - f, and so the magnitude
/// sqrt(2 (e^2 + f^2)).
std::vector<unsigned char> squares_of_diagonals(int most, std::int64_t width) {
  std::vector<unsigned char> image(static_cast<std::size_t>(width * 3 * (most + 1)), 0);
  for (int e = 0; e <= most; ++e)
    for (int f = 0; f <= most; ++f) {
      image[static_cast<std::size_t>((3 * e + 2) * width + 3 * f + 2)] = static_cast<unsigned char>(e);
      image[static_cast<std::size_t>(3 * e * width + 3 * f + 2)] = static_cast<unsigned char>(f);
    }
  return image;
}

// All magnitudes that are not saturated (only e = 181 makes 255.97), and so every number whose root a byte
// may have to hold. On a GPU this tries the GPU's roots.
TEST(Sobel, EveryMagnitudeIsRoundedToTheRightByte) {
  constexpr int most = 181;
  constexpr std::int64_t width = 560;  // of 182 squares, and up to a multiple of 16
  const std::vector<unsigned char> in = squares_of_diagonals(most, width);
  for (const Rung& rung : rungs()) {
    const std::vector<unsigned char> out = filter<unsigned char>(rung.name, in, width, Border::clamp);
    int wrong = 0;
    for (int e = 0; e <= most; ++e)
      for (int f = 0; f <= most; ++f) {
        const int square = 2 * (e * e + f * f);
        int level = 0;  // the root, rounded in whole numbers: k + 1 from (k + 1/2)^2 = k^2 + k + 1/4 on
        while (level < 255 && square > level * level + level) ++level;
        const int got = out[static_cast<std::size_t>((3 * e + 1) * width + 3 * f + 1)];
        if (got != level && ++wrong <= 5)
          ADD_FAILURE() << rung.name << ": the root of " << square << " became " << got << ", not " << level;
      }
    EXPECT_EQ(wrong, 0) << rung.name;
  }
}

TEST(SobelVectorized, IsRightWhereRowsDoNotStartAtMultiplesOf16Bytes) {
  const auto check = [&]<class T>(std::int64_t width, Border border) {
    std::vector<T> in(static_cast<std::size_t>(width * 9));
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i * i * 31 % 253);
    const auto expected = filter<T>("fused", in, width, border);
    for (const auto& [in_offset, out_offset] : {std::pair{0, 0}, {1, 0}, {0, 1}, {4, 4}, {15, 8}})
      EXPECT_EQ(filter<T>("vectorized", in, width, border, in_offset, out_offset), expected)
          << width << " columns, " << in_offset << " and " << out_offset
          << " elements after a multiple of 16 bytes";
  };
  for (const Border border : {Border::clamp, Border::zero, Border::reflect})
    for (const std::int64_t width : {64, 66}) {
      check.template operator()<unsigned char>(width, border);
      check.template operator()<float>(width, border);
    }
}

TEST(Sobel, EveryRungRefusesToWorkInPlaceAndNegativeSizes) {
  const DeviceBuffer buffer(1024);
  for (const Rung& rung : rungs()) {
    const RungModule module(module_path("sobel", rung.name));
    Call call;
    call.problem_case = image(4, 4, DType::f32);
    call.inputs = call.outputs = {{DType::f32, 16, buffer.data()}};
    call.workspace = buffer.data();
    EXPECT_THROW(module.call(call), std::invalid_argument) << rung.name;
    call.problem_case = image(-4, 4, DType::f32);
    EXPECT_THROW(module.call(call), std::invalid_argument) << rung.name;
    call.problem_case = image(0, 4, DType::f32);
    EXPECT_NO_THROW(module.call(call)) << rung.name;  // nothing to do, whatever the buffers
  }
}

TEST(SobelThreeKernels, AsksForOneWeightAtATimeAndNoWarpGoesBothWays) {
  const auto launches = record_rung(problem(), rung_of(problem(), "three_kernels"),
                                    image(64, 34, DType::f32, Border::untouched));
  if (launches.empty()) GTEST_SKIP() << "counted on the emulator";
  ASSERT_EQ(launches.size(), 3u);
  for (int filter = 0; filter < 2; ++filter) {
    const lens::Launch& launch = launches[static_cast<std::size_t>(filter)];
    // A warp has two rows of 16 pixels. 17 pairs of rows by 4 blocks are not all edge; 9 weights each.
    EXPECT_EQ(launch.counts.constant.requests, 68u * 9);
    EXPECT_EQ(launch.counts.constant.addresses, launch.counts.constant.requests);
    int divergent_lines = 0;
    for (const lens::Line& line : launch.lines) divergent_lines += line.counts.branches.divergent > 0;
    EXPECT_EQ(divergent_lines, 1) << "only the guard at the edges diverges within a warp; `hor` never does";
  }
}

TEST(SobelFused, SavesTheTripsOfBothGradients) {
  const Case c = image(512, 64, DType::f32);
  const lens::Counts three = counts_of("three_kernels", c), fused = counts_of("fused", c);
  if (three.warp_events == 0) GTEST_SKIP() << "counted on the emulator";
  const std::uint64_t image_sectors = 512 * 64 * sizeof(float) / 32, warps = 512 * 64 / 32;
  EXPECT_EQ(fused.global_store.sectors, image_sectors);
  EXPECT_EQ(three.global_store.sectors, 3 * image_sectors);  // gx, gy and out
  EXPECT_LE(fused.global_load.requests, 9 * warps);          // eight neighbours, or nine
  EXPECT_GE(three.global_load.requests, (6 + 6 + 2) * warps);
  EXPECT_GT(three.global_load.sectors, fused.global_load.sectors + 2 * image_sectors);
}

TEST(SobelTiled, LoadsEachPixelOnceAndItsHaloOnceMore) {
  const Case c = image(512, 64, DType::f32);
  const lens::Counts fused = counts_of("fused", c), tiled = counts_of("tiled", c);
  if (tiled.warp_events == 0) GTEST_SKIP() << "counted on the emulator";
  // Ten rows of 34 pixels per tile. A row touches 6 sectors; if it is loaded as 32
  // pixels and 2, one of them twice.
  const std::uint64_t tiles = 512 / 32 * (64 / 8);
  EXPECT_EQ(tiled.global_load.lanes, tiles * 340);
  EXPECT_LE(tiled.global_load.sectors, tiles * 10 * 7);
  EXPECT_GT(fused.global_load.lanes, 5 * tiled.global_load.lanes);
  EXPECT_GT(fused.global_load.sectors, 4 * tiled.global_load.sectors);
  EXPECT_EQ(tiled.shared_load.bank_conflicts(), 0u);
  EXPECT_EQ(tiled.shared_store.bank_conflicts(), 0u);
}

TEST(SobelVectorized, MovesFourRowsOf16BytesAThread) {
  for (const DType dtype : {DType::u8, DType::f32}) {
    const Case c = image(4096, 64, dtype);
    const lens::Counts counts = counts_of("vectorized", c);
    if (counts.warp_events == 0) GTEST_SKIP() << "counted on the emulator";
    const std::uint64_t warps = 4096 * size_of(dtype) / 512 * (64 / 4);
    EXPECT_EQ(counts.global_store.requests, 4 * warps) << name_of(dtype);
    EXPECT_EQ(counts.global_store.sectors, 16 * 4 * warps) << name_of(dtype);  // 512 bytes per warp
    // Six rows: the strips, and the pixels at both ends of the warp's, by one load or by two.
    EXPECT_LE(counts.global_load.requests, 3 * 6 * warps) << name_of(dtype);
    EXPECT_LE(counts.global_load.sectors, (16 + 2) * 6 * warps) << name_of(dtype);
    EXPECT_GE(counts.global_load.sectors, 16 * 6 * warps) << name_of(dtype);
  }
}

TEST(SobelGrid, CoversEveryImageWithinCudasLimits) {
  for (const int width : {1, 31, 1 << 30})
    for (const int height : {1, 65535, 65536 * 8, 1 << 30}) {
      const dim3 grid = sobel_grid(width, height, 32, 8);
      EXPECT_NO_THROW(check_grid(grid, 3)) << width << "x" << height;
      EXPECT_GE(std::int64_t{grid.x} * 32, width);
      EXPECT_GE(std::int64_t{grid.z} * grid.y * 8, height);
    }
}

TEST(SobelProblem, ADirectionIsAskedForByTheFlag) {
  Case c = image(8, 8, DType::u8);
  EXPECT_EQ(problem().outputs(c).size(), 1u);
  Replacements none;
  problem().command_line().configure(c, {{"orientation", "yes"}, {"border", "reflect"}}, none);
  EXPECT_EQ(problem().outputs(c).size(), 2u);
  EXPECT_EQ(c.param("border", 0), static_cast<double>(Border::reflect));
  // Its picture: red where it grows lighter to the right, and as bright as the magnitude.
  HostArray in(DType::u8, {2, 4});
  for (std::size_t i = 0; i < 8; ++i) in.as<std::uint8_t>()[i] = i % 4 < 2 ? 0 : 50;
  c.size = {{"width", 4}, {"height", 2}};
  c.set_param("border", static_cast<int>(Border::clamp));
  const auto outputs = problem().expected(c, {in});
  const auto pictures = problem().command_line().pictures(c, {in}, outputs);
  ASSERT_EQ(pictures.size(), 3u);
  EXPECT_EQ(pictures[2].name, "orientation-clamp-4x2");
  EXPECT_EQ(pictures[2].image.shape(), (std::vector<std::int64_t>{2, 4, 3}));
  const auto pixel = pictures[2].image.as<std::uint8_t>().subspan(3, 3);
  EXPECT_EQ(std::vector<int>(pixel.begin(), pixel.end()), (std::vector<int>{200, 0, 0}));
}

TEST(SobelProblem, ReplaysTheReportsPicture) {
  const std::vector<Experiment> rows = problem().experiments();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].rung, "three_kernels");
  EXPECT_EQ(rows[0].problem_case.extent("width"), 750);
  EXPECT_EQ(rows[0].problem_case.extent("height"), 499);
  EXPECT_EQ(rows[0].problem_case.param("border", -1), static_cast<double>(Border::untouched));
}

}  // namespace
}  // namespace warplab

WARPLAB_LAB_TESTS(sobel);
