// Lab 05: what its rungs promise beyond matching the reference, what it reads, and what it costs.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "common/cuda_check.hpp"
#include "common/device_buffer.hpp"
#include "common/host/bad_input.hpp"
#include "common/host/random.hpp"
#include "harness/console/case_text.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "harness/rung/backend.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/rung/rung_module.hpp"
#include "harness/testing/test_support.hpp"
#include "labs/05_image_filter/image_filter.hpp"
#include "lens/merge.hpp"
#include "reference/image_filter.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

const Problem& problem() { return problem_of("image_filter"); }

std::vector<Rung> rungs_of_ours() {
  std::vector<Rung> ours;
  for (const Rung& rung : problem().rungs())
    if (rung.peer_of.empty()) ours.push_back(rung);
  return ours;
}

Case image(std::int64_t width, std::int64_t height, DType dtype = DType::u8, Border border = Border::clamp,
           FilterKind filter = FilterKind::mean, int channels = 1, int radius = 1) {
  Case c = problem().default_case(Backend::emulator);
  c.size = {{"width", width}, {"height", height}};
  c.dtype = dtype;
  c.set_param("border", static_cast<int>(border));
  c.set_param("filter", static_cast<int>(filter));
  c.set_param("channels", channels);
  c.set_param("radius", radius);
  c.set_param("noise", 1);
  return c;
}

template <class T>
HostArray array_of(std::vector<std::int64_t> shape, std::vector<T> values) {
  HostArray array(dtype_of<T>(), std::move(shape));
  std::ranges::copy(values, array.template as<T>().begin());
  return array;
}

TEST(ImageFilter, EveryRungFiltersALiteral) {
  using Bytes = std::vector<std::uint8_t>;
  const HostArray in = array_of<std::uint8_t>({3, 3, 1}, {10, 20, 30,  //
                                                          40, 50, 60,  //
                                                          70, 80, 200});
  // The mean in the middle is 560 / 9 = 62.2; 5 * 50 - 20 - 40 - 60 - 80 = 50.
  const std::tuple<FilterKind, Border, Bytes> filtered[] = {
      {FilterKind::mean, Border::untouched, {128, 128, 128, 128, 62, 128, 128, 128, 128}},
      {FilterKind::mean, Border::clamp, {23, 30, 37, 43, 62, 81, 63, 94, 126}},
      {FilterKind::mean, Border::zero, {13, 23, 18, 30, 62, 49, 27, 56, 43}},
      {FilterKind::mean, Border::reflect, {37, 40, 43, 47, 62, 66, 57, 72, 76}},
      {FilterKind::sharpen, Border::untouched, {128, 128, 128, 128, 50, 128, 128, 128, 128}},
      {FilterKind::sharpen, Border::clamp, {0, 0, 10, 30, 50, 0, 90, 0, 255}},
      {FilterKind::sharpen, Border::zero, {0, 10, 70, 70, 50, 20, 230, 80, 255}},
      {FilterKind::sharpen, Border::reflect, {0, 0, 0, 20, 50, 0, 110, 30, 255}},
  };
  for (const auto& [kind, border, bytes] : filtered) {
    const Case c = image(3, 3, DType::u8, border, kind);
    const HostArray filter = problem().inputs(c)[1], expected = array_of<std::uint8_t>({3, 3, 1}, bytes);
    EXPECT_TRUE(compare(problem().expected(c, {in, filter})[0], expected, {}).accepted) << case_text(c);
    for (const Rung& rung : rungs_of_ours()) {
      const RungOutcome outcome = run_rung(problem(), rung, c, {in, filter}, {expected});
      EXPECT_TRUE(outcome.accepted()) << rung.name << " " << case_text(c) << ": " << outcome.why;
    }
  }
}

/// Filters noise by a rung in this process, clamped. `in` and `out` begin so many
/// elements into their buffers.
/// @return whether it equals the reference
template <class T>
::testing::AssertionResult is_right(const std::string& rung, FilteredImage shape, int in_offset,
                                    int out_offset) {
  const std::int64_t count = std::int64_t{shape.width} * shape.height * shape.channels;
  HostArray in(dtype_of<T>(), {count});
  fill_random(in, 5, 0, 255);
  std::vector<float> filter(9, 1.0f / 9);
  if (shape.kind == FilterKind::sharpen) filter = {0, -1, 0, -1, 5, -1, 0, -1, 0};
  const auto beyond = static_cast<reference::Beyond>(shape.border);
  std::vector<T> expected(static_cast<std::size_t>(count), T{77}), out = expected;
  reference::image_filter(in.as<T>().data(), filter.data(), expected.data(),
                          {shape.width, shape.height, shape.channels, 1, beyond});

  const std::size_t bytes = sizeof(T) * out.size();
  const DeviceBuffer in_buffer(bytes + sizeof(T) * in_offset), out_buffer(bytes + sizeof(T) * out_offset),
      filter_buffer(sizeof(float) * 9);
  T* const in_data = static_cast<T*>(in_buffer.data()) + in_offset;
  T* const out_data = static_cast<T*>(out_buffer.data()) + out_offset;
  CUDA_CHECK(cudaMemcpy(in_data, in.bytes().data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(out_data, out.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(filter_buffer.data(), filter.data(), sizeof(float) * 9, cudaMemcpyHostToDevice));
  Call call;
  call.problem_case =
      image(shape.width, shape.height, dtype_of<T>(), shape.border, shape.kind, shape.channels);
  call.inputs = {{dtype_of<T>(), count, in_data}, {DType::f32, 9, filter_buffer.data()}};
  call.outputs = {{dtype_of<T>(), count, out_data}};
  RungModule(module_path("image_filter", rung)).call(call);
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(out.data(), out_data, bytes, cudaMemcpyDeviceToHost));
  for (const DeviceBuffer* buffer : {&in_buffer, &out_buffer, &filter_buffer})
    EXPECT_EQ(buffer->check_guards(), std::nullopt);
  for (std::size_t i = 0; i < out.size(); ++i)
    if (!(std::abs(static_cast<double>(out[i]) - static_cast<double>(expected[i])) <=
          (sizeof(T) == 1 ? 0 : 2e-3)))
      return ::testing::AssertionFailure()
             << "element " << i << " is " << +out[i] << ", not " << +expected[i];
  return ::testing::AssertionSuccess();
}

TEST(ImageFilterVectorized, IsRightWhereRowsDoNotStartAtMultiplesOf16Bytes) {
  for (const Border border : {Border::untouched, Border::reflect})
    for (const int width : {64, 63, 60})
      for (const int channels : {1, 3})
        for (const auto& [in_offset, out_offset] : {std::pair{0, 0}, {1, 0}, {0, 1}, {3, 3}}) {
          const FilteredImage shape{width, 9, channels, 1, FilterKind::sharpen, border};
          const auto where = [&] {
            return testing::Message() << width << " wide, " << channels << " channels, begins " << in_offset
                                      << " and " << out_offset << " elements after a multiple of 16 bytes";
          };
          EXPECT_TRUE(is_right<unsigned char>("vectorized", shape, in_offset, out_offset)) << where();
          EXPECT_TRUE(is_right<float>("vectorized", shape, in_offset, out_offset)) << where();
        }
}

TEST(ImageFilterVectorized, FiltersFourRowsOf16BytesAThread) {
  const std::pair<DType, std::uint64_t> threads[] = {{DType::u8, 1024 * 64 / 64},
                                                     {DType::f32, 1024 * 64 / 16}};
  for (const auto& [dtype, expected] : threads) {
    const RungOutcome outcome = run_rung(problem(), rung_of(problem(), "vectorized"), image(1024, 64, dtype));
    ASSERT_TRUE(outcome.accepted()) << outcome.why;
    if (!outcome.counts) GTEST_SKIP() << "threads are counted on the emulator";
    EXPECT_EQ(outcome.counts->launches, 1u);
    EXPECT_EQ(outcome.counts->threads, expected) << name_of(dtype);
  }
}

TEST(ImageFilterTiled, RefusesAFilterWhoseTileDoesNotFit) {
  const auto outcome = [&](DType dtype, int channels, int radius) {
    return run_rung(problem(), rung_of(problem(), "tiled"),
                    image(8, 8, dtype, Border::clamp, FilterKind::file, channels, radius));
  };
  // (32 + 2 * 18) * (8 + 2 * 18) pixels of 16 bytes are 47,872; with a radius of 19 they are 51,520.
  EXPECT_TRUE(outcome(DType::f32, 4, 18).accepted());
  const RungOutcome refused = outcome(DType::f32, 4, 19);
  EXPECT_EQ(refused.status, RungStatus::refused);
  EXPECT_EQ(refused.why,
            "a filter of radius 19 needs a tile of 51520 bytes, and a block has 49152 of shared memory");
  EXPECT_TRUE(outcome(DType::u8, 1, 63).accepted());
}

TEST(ImageFilter, EveryRungRefusesToWorkInPlaceAndWhatTheContractExcludes) {
  const DeviceBuffer buffer(64), filter(sizeof(float) * 9);
  for (const Rung& rung : rungs_of_ours()) {
    const RungModule module(module_path("image_filter", rung.name));
    Call call;
    call.inputs = {{DType::u8, 16, buffer.data()}, {DType::f32, 9, filter.data()}};
    call.outputs = {{DType::u8, 16, buffer.data()}};
    call.problem_case = image(4, 4);
    EXPECT_THROW(module.call(call), std::invalid_argument) << rung.name;
    call.problem_case = image(0, 4);
    EXPECT_NO_THROW(module.call(call)) << rung.name;  // nothing to do, whatever the buffers
    call.outputs[0].data = static_cast<unsigned char*>(buffer.data()) + 32;
    for (const Case& c : {image(-4, 4), image(4, -1), image(1 << 29, 1),
                          image(4, 4, DType::u8, Border::clamp, FilterKind::mean, 5),
                          image(4, 4, DType::u8, Border::clamp, FilterKind::mean, 1, 2),
                          image(4, 4, DType::u8, Border::clamp, FilterKind::file, 1, 64)}) {
      call.problem_case = c;
      EXPECT_THROW(module.call(call), std::invalid_argument) << rung.name << " " << case_text(c);
    }
  }
}

TEST(ImageFilterGrid, CoversEveryImageWithinCudasLimits) {
  for (const std::int64_t across : {1, 3, 8388608})
    for (const std::int64_t down : {1, 65535, 65536, 131071, 33554432}) {
      const dim3 grid = grid_in_layers(across, down);
      EXPECT_NO_THROW(check_grid(grid, 3)) << down;
      EXPECT_EQ(grid.x, across);
      EXPECT_GE(std::int64_t{grid.z} * grid.y, down);
      EXPECT_LT(std::int64_t{grid.z} * (grid.y - 1), down) << "fewer idle rows of blocks than layers";
    }
  EXPECT_EQ(grid_in_layers(5, 700).z, 1u);
}

/// The counts of all launches of a rung, all blocks recorded.
lens::Counts counts_of(const std::string& rung, const Case& c) {
  lens::Counts sum;
  for (const lens::Launch& launch : record_rung(problem(), rung_of(problem(), rung), c)) {
    EXPECT_EQ(launch.findings.size(), 0u) << rung;
    sum += launch.counts;
  }
  return sum;
}

TEST(ImageFilterLens, ConstantMemoryServesAWarpWithOneWord) {
  if (backend == Backend::cuda) GTEST_SKIP() << "requests are counted on the emulator";
  const Case c = image(256, 64, DType::f32);
  const lens::Counts global = counts_of("global", c), constant = counts_of("constant", c);
  const std::uint64_t warps = 256 / 32 * 64;
  EXPECT_EQ(constant.constant.requests, 9 * warps);
  EXPECT_EQ(constant.constant.addresses, constant.constant.requests);
  EXPECT_EQ(global.constant.requests, 0u);
  // The coefficients are gone from global memory: nine requests per warp, one sector each.
  EXPECT_EQ(global.global_load.requests, 18 * warps);
  EXPECT_EQ(constant.global_load.requests, 9 * warps);
  EXPECT_EQ(global.global_load.sectors - constant.global_load.sectors, 9 * warps);
}

TEST(ImageFilterLens, ATileIsLoadedOnceWithItsHalo) {
  if (backend == Backend::cuda) GTEST_SKIP() << "requests are counted on the emulator";
  const Case c = image(256, 64, DType::f32);
  const lens::Counts constant = counts_of("constant", c), tiled = counts_of("tiled", c);
  // A row of a tile is 34 floats in two requests. The first 32 begin 4 bytes before a sector and lie in 5;
  // the two that are left end one and begin the next. At the left edge of the image, and at the right, the
  // border repeats a pixel, which saves a sector.
  const std::uint64_t tiles_down = 64 / 8, tiles_across = 256 / 32, tile_rows = 10;
  EXPECT_EQ(tiled.global_load.requests, 2 * tile_rows * tiles_down * tiles_across);
  EXPECT_EQ(tiled.global_load.sectors, (7 * tiles_across - 2) * tile_rows * tiles_down);
  EXPECT_LT(3 * tiled.global_load.sectors, constant.global_load.sectors);
  // Nine neighbours from shared memory, each one wavefront: 32 words side by side.
  EXPECT_EQ(tiled.shared_load.wavefronts, tiled.shared_load.requests);
}

TEST(ImageFilterLens, VectorsMoveLittleMoreThanTheImage) {
  if (backend == Backend::cuda) GTEST_SKIP() << "requests are counted on the emulator";
  for (const auto& [dtype, filter] : {std::pair{DType::u8, FilterKind::mean},
                                      {DType::u8, FilterKind::sharpen},
                                      {DType::f32, FilterKind::mean}}) {
    const std::uint64_t row_sectors = 1024 * size_of(dtype) / 32, height = 64;
    const std::uint64_t row_warps = row_sectors / 16, bands = height / 4;
    const lens::Counts counts = counts_of("vectorized", image(1024, 64, dtype, Border::clamp, filter));
    EXPECT_EQ(counts.global_store.sectors, row_sectors * height);
    EXPECT_EQ(counts.global_store.requests, row_warps * height);
    // Six rows for four of the output; beside each warp's 512 bytes, a sector from each neighbour there is.
    const std::uint64_t vectors = 6 * bands * row_sectors, beside = 6 * bands * 2 * (row_warps - 1);
    const std::uint64_t coefficients = dtype == DType::f32 ? 9 * bands * row_warps : 0;
    EXPECT_EQ(counts.global_load.sectors, vectors + beside + coefficients) << name_of(dtype);
    EXPECT_LT(counts.global_load.sectors, 2 * row_sectors * height);
  }
}

TEST(ImageFilterProblem, TakesAFilterFromAFile) {
  const ScratchFolder folder;
  const std::filesystem::path file =
      folder.write("left edge.txt", "0 0 0 0 0\n0 0 0 0 0\n1 0 -2 0 0\n0 0 0 0 0\n0 0 0 0 0");
  Case c = image(6, 4);
  Replacements inputs;
  problem().command_line().configure(c, {{"filter", file.string()}, {"border", "zero"}, {"channels", "3"}},
                                     inputs);
  EXPECT_EQ(c.param("radius", 0), 2);
  EXPECT_EQ(c.param("gain", 0), 3);
  EXPECT_EQ(c.param("border", 0), static_cast<int>(Border::zero));
  ASSERT_TRUE(inputs.contains(1));
  const HostArray scene = problem().inputs(c)[0];
  EXPECT_EQ(scene.shape(), (std::vector<std::int64_t>{4, 6, 3}));
  const std::vector<HostArray> expected = problem().expected(c, {scene, inputs.at(1)});
  for (const Rung& rung : rungs_of_ours()) {
    const RungOutcome outcome = run_rung(problem(), rung, c, {scene, inputs.at(1)}, expected);
    EXPECT_TRUE(outcome.accepted()) << rung.name << ": " << outcome.why;
  }
  const std::vector<Picture> pictures = problem().command_line().pictures(c, {scene}, expected);
  ASSERT_EQ(pictures.size(), 2u);
  EXPECT_EQ(pictures[0].name, "scene-6x4x3");
  EXPECT_EQ(pictures[1].name, "left-edge-zero-6x4x3");
}

TEST(ImageFilterProblem, NamesItsPicturesAndMakesNoneOfLargeImages) {
  Case c = problem().default_case(Backend::emulator);
  const std::vector<HostArray> in = problem().inputs(c);
  const std::vector<Picture> pictures = problem().command_line().pictures(c, in, problem().expected(c, in));
  ASSERT_EQ(pictures.size(), 2u);
  EXPECT_EQ(pictures[0].name, "scene-768x512");
  EXPECT_EQ(pictures[1].name, "mean-clamp-768x512");
  EXPECT_EQ(pictures[1].image.shape(), (std::vector<std::int64_t>{512, 768, 1}));
  EXPECT_TRUE(problem().command_line().pictures(image(6000, 4000), {}, {}).empty());
  EXPECT_TRUE(problem().command_line().pictures(image(0, 4), in, in).empty());
}

TEST(ImageFilterProblem, ToleratesNothingForBytesButAFiltersOwnRounding) {
  EXPECT_EQ(problem().tolerance(image(5, 5), 0).atol, 0);
  EXPECT_EQ(problem().tolerance(image(5, 5, DType::u8, Border::clamp, FilterKind::sharpen), 0).atol, 0);
  Case c = image(5, 5, DType::u8, Border::clamp, FilterKind::file);
  EXPECT_EQ(problem().tolerance(c, 0).atol, 1);  // a half rounded the other way
  c.set_param("gain", 9e6);
  EXPECT_GT(problem().tolerance(c, 0).atol, 1000);
  c = image(5, 5, DType::f32);
  EXPECT_NEAR(problem().tolerance(c, 0).atol, 10 * 0x1p-24 * 256, 1e-9);
  c.set_param("brightest", 1.0);
  EXPECT_NEAR(problem().tolerance(c, 0).atol, 10 * 0x1p-24, 1e-12);
}

TEST(ImageFilterProblem, MeasuresFiltersFromAFileAndRowsThatVectorsDoNotDivide) {
  const std::vector<Case> cases = problem().default_cases(Backend::cuda);
  const auto rungs_at = [&](std::int64_t width, const char* filter, DType dtype) {
    std::set<std::string> rungs;
    for (const Case& c : cases)
      if (c.extent("width") == width && c.dtype == dtype &&
          case_text(c).find(std::string(" filter ") + filter) != std::string::npos)
        for (const Rung& rung : problem().rungs())
          if (problem().runs_by_itself(c, rung)) rungs.insert(rung.name);
    return rungs;
  };
  const std::set<std::string> all{"global", "constant", "tiled", "vectorized", "npp"},
      fast{"vectorized", "npp"};
  EXPECT_EQ(rungs_at(5999, "mean", DType::u8), all);
  for (const std::int64_t width : {6000, 5999})
    EXPECT_EQ(rungs_at(width, "random", DType::u8), fast) << width;
  EXPECT_EQ(rungs_at(6000, "sharpen", DType::u8), all);
  EXPECT_EQ(rungs_at(5999, "sharpen", DType::u8), fast);
  EXPECT_EQ(rungs_at(5999, "mean", DType::f32), fast);
  EXPECT_EQ(problem().default_cases(Backend::emulator).size(), 1u);

  Case named = cases.front();
  Replacements none;
  problem().command_line().configure(named, {{"filter", "random"}}, none);
  EXPECT_EQ(named.param("filter", 0), static_cast<int>(FilterKind::file));
  EXPECT_NE(case_text(named).find(" filter random"), std::string::npos) << case_text(named);
}

TEST(ImageFilterProblem, ReplaysTheReportsPictureWithItsEdgeUntouched) {
  const std::vector<Experiment> rows = problem().experiments();
  ASSERT_EQ(rows.size(), 2u);
  for (const Experiment& row : rows) {
    ASSERT_NE(problem().find_rung(row.rung), nullptr) << row.rung;
    EXPECT_EQ(row.problem_case.extent("width"), 750);
    EXPECT_EQ(row.problem_case.extent("height"), 499);
    EXPECT_EQ(row.problem_case.param("border", 9), static_cast<int>(Border::untouched));
    EXPECT_TRUE(row.published.empty());
    EXPECT_NE(row.note, "");
  }
  EXPECT_NE(rows[0].problem_case.param("filter", 9), rows[1].problem_case.param("filter", 9));
}

TEST(ImageFilterProblem, PublicCasesReachEveryEdgeBorderFilterAndPixel) {
  for (const Rung& rung : rungs_of_ours()) {
    std::set<std::pair<std::int64_t, std::int64_t>> sizes;
    std::set<std::tuple<DType, double, double, double>> combinations;
    std::set<double> radii;
    for (const Case& c : problem().public_cases(rung)) {
      sizes.insert({c.extent("width"), c.extent("height")});
      combinations.insert({c.dtype, c.param("border", 9), c.param("filter", 9), c.param("channels", 9)});
      radii.insert(c.param("radius", 9));
    }
    for (const std::pair<std::int64_t, std::int64_t> size : {std::pair{0, 0},
                                                             {0, 5},
                                                             {5, 0},
                                                             {1, 1},
                                                             {1, 7},
                                                             {7, 1},
                                                             {2, 2},
                                                             {31, 7},
                                                             {32, 8},
                                                             {33, 9},
                                                             {16, 16},
                                                             {17, 18},
                                                             {511, 2},
                                                             {512, 3},
                                                             {513, 4},
                                                             {127, 131},
                                                             {1, 1021},
                                                             {997, 1}})
      EXPECT_TRUE(sizes.contains(size))
          << rung.name << " is not tried at " << size.first << "x" << size.second;
    EXPECT_EQ(combinations.size(), 2u * 4 * 3 * 4) << rung.name << ": types, borders, filters, channels";
    EXPECT_EQ(radii, (std::set<double>{0, 1, 2, 3, 63})) << rung.name;
  }
}

TEST(ImageFilterProblem, RefusesWhatNoLauncherTakes) {
  for (const Case& c : {image(-1, 4), image(4, 1 << 29), image(4, 4, DType::i32),
                        image(4, 4, DType::u8, Border::clamp, FilterKind::mean, 0),
                        image(4, 4, DType::u8, Border::clamp, FilterKind::sharpen, 1, 2),
                        image(4, 4, DType::u8, Border::clamp, FilterKind::file, 1, 64)})
    EXPECT_THROW(problem().inputs(c), std::invalid_argument) << case_text(c);
}

}  // namespace
}  // namespace warplab

WARPLAB_LAB_TESTS(image_filter);
