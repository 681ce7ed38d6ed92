// Lab 02: what its rungs promise beyond matching the reference, and its replay of the published table.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "common/cuda_check.hpp"
#include "common/device_buffer.hpp"
#include "harness/console/case_text.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/rung/rung_module.hpp"
#include "harness/testing/test_support.hpp"

namespace warplab {
namespace {

const Problem& problem() { return problem_of("vector_add"); }

/// Adds a[i] = i and b[i] = 1000 i by a rung in this process. The vectors begin
/// `offsets` elements into their buffers.
std::vector<int> add(const std::string& rung, std::int64_t n, Extent3 grid, Extent3 block,
                     std::array<std::int64_t, 3> offsets = {}) {
  std::vector<int> a(n), b(n), c(n, -1);
  for (std::int64_t i = 0; i < n; ++i) a[i] = static_cast<int>(i), b[i] = static_cast<int>(1000 * i);
  std::vector<DeviceBuffer> buffers;
  std::vector<int*> data;
  for (std::int64_t offset : offsets) {
    const DeviceBuffer& buffer = buffers.emplace_back(sizeof(int) * (n + offset));
    data.push_back(static_cast<int*>(buffer.data()) + offset);
  }
  CUDA_CHECK(cudaMemcpy(data[0], a.data(), sizeof(int) * n, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(data[1], b.data(), sizeof(int) * n, cudaMemcpyHostToDevice));

  Call call;
  call.problem_case.size = {{"n", n}};
  call.problem_case.dtype = DType::i32;
  call.problem_case.grid = grid;
  call.problem_case.block = block;
  call.inputs = {{DType::i32, n, data[0]}, {DType::i32, n, data[1]}};
  call.outputs = {{DType::i32, n, data[2]}};
  RungModule(module_path("vector_add", rung)).call(call);
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(c.data(), data[2], sizeof(int) * n, cudaMemcpyDeviceToHost));
  for (const DeviceBuffer& buffer : buffers) EXPECT_EQ(buffer.check_guards(), std::nullopt);
  return c;
}

std::vector<int> multiples_of_1001(std::int64_t n) {
  std::vector<int> expected(n);
  for (std::int64_t i = 0; i < n; ++i) expected[i] = static_cast<int>(1001 * i);
  return expected;
}

/// What the rung says to this launch; "" if it takes it.
std::string refusal(const std::string& rung, std::int64_t n, Extent3 grid, Extent3 block) {
  try {
    add(rung, n, grid, block);
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

TEST(VectorAddOnePerThread, RefusesAGridThatLeavesElementsOut) {
  EXPECT_EQ(add("one_per_thread", 2560, {10, 1, 1}, {256, 1, 1}), multiples_of_1001(2560));
  EXPECT_EQ(refusal("one_per_thread", 2561, {10, 1, 1}, {256, 1, 1}),
            "grid of 10 blocks x 256 threads covers 2560 of 2561 elements; grid_stride has no such limit");
}

// BEGIN WITHHELD
TEST(VectorAddTwoDimensional, TakesBlocksAndGridsOfTwoDimensions) {
  EXPECT_EQ(add("two_dimensional", 2560, {5, 2, 1}, {16, 16, 1}), multiples_of_1001(2560));
  EXPECT_EQ(add("two_dimensional", 1021, {7, 6, 1}, {5, 5, 1}), multiples_of_1001(1021));
  EXPECT_EQ(refusal("two_dimensional", 2561, {5, 2, 1}, {16, 16, 1}),
            "a grid of 5x2 blocks x 256 threads covers 2560 of 2561 elements; grid_stride has no such limit");
}

// END WITHHELD
TEST(VectorAddGridStride, OneBlockAddsEveryElement) {
  EXPECT_EQ(add("grid_stride", 10007, {1, 1, 1}, {64, 1, 1}), multiples_of_1001(10007));
  EXPECT_EQ(add("grid_stride", 103, {1, 1, 1}, {1, 1, 1}), multiples_of_1001(103));
}

TEST(VectorAddVectorized, IsRightAtEveryAlignment) {
  for (std::int64_t a = 0; a < 4; ++a)
    for (std::int64_t b : {std::int64_t{0}, a})
      for (std::int64_t c : {std::int64_t{0}, a})
        EXPECT_EQ(add("vectorized", 1021, {2, 1, 1}, {32, 1, 1}, {a, b, c}), multiples_of_1001(1021))
            << "a, b, c begin " << a << ", " << b << ", " << c << " elements after a multiple of 16 bytes";
}

TEST(VectorAdd, EveryRungRefusesALaunchThatCudaForbids) {
  for (const Rung& rung : problem().rungs()) {
    EXPECT_EQ(refusal(rung.name, 5, {1, 1, 1}, {1025, 1, 1}),
              "a block of 1025 is too large: CUDA allows 1024 threads in all, and 64 in z")
        << rung.name;
    EXPECT_EQ(refusal(rung.name, 5, {1, 1, 1}, {0, 1, 1}), "a block of 0 has no threads") << rung.name;
    const bool flat = rung.access != Rung::Access::withheld;
    EXPECT_EQ(refusal(rung.name, 5, {1, 1, 1}, {16, 8, 8}),
              std::string("a block of 16x8x8 threads: this rung takes blocks of ") +
                  (flat ? "1 dimension" : "2 dimensions"))
        << rung.name;
    EXPECT_EQ(refusal(rung.name, 5, {0, 1, 1}, {32, 1, 1}), "a grid of 0 has no blocks") << rung.name;
  }
}

TEST(VectorAdd, ReplaysThePublishedTableWithGridsThatCover) {
  const std::vector<Experiment> rows = problem().experiments();
  ASSERT_EQ(rows.size(), 12u);
  for (const Experiment& row : rows) {
    const Case& c = row.problem_case;
    EXPECT_NE(problem().find_rung(row.rung), nullptr) << row.rung;
    EXPECT_EQ((*c.block)[0], 256u) << row.label;
    const std::int64_t threads = std::int64_t{(*c.grid)[0]} * (*c.block)[0];
    EXPECT_GE(threads, c.extent("n")) << row.label;
    EXPECT_LT(threads - 256, c.extent("n")) << row.label;  // and not a block more than needed
    // The print's sums are right to its digits.
    EXPECT_NEAR(row.published.at("titan_x_h2d_ms") + row.published.at("titan_x_d2h_ms"),
                row.published.at("titan_x_memcpy_ms"), 1e-6)
        << row.label;
    EXPECT_NEAR(row.published.at("titan_x_gpu_ms") + row.published.at("titan_x_memcpy_ms"),
                row.published.at("titan_x_total_ms"), 1e-6)
        << row.label;
  }
  EXPECT_EQ(rows[11].problem_case.param("launches", 1), 300);
  EXPECT_EQ(rows[11].published.at("v100_gpu_ms"), 46.7993);
}

TEST(VectorAdd, TheSweepRunsEveryBlockThatQuestionsAskFor) {
  std::set<std::string> blocks;
  for (const Case& c : problem().sweep()) {
    blocks.insert(c.block ? extent_text(*c.block) : "");
    EXPECT_NO_THROW(problem().outputs(c));
  }
  for (const char* block : {"32", "1024"}) EXPECT_TRUE(blocks.contains(block)) << block;
}

TEST(VectorAdd, InputsAreSeededNeverConstantAndAddWithoutOverflow) {
  for (DType dtype : {DType::f32, DType::f64, DType::i32}) {
    Case c = problem().default_case(Backend::emulator);
    c.size = {{"n", 1000}};
    c.dtype = dtype;
    const std::vector<HostArray> first = problem().inputs(c), again = problem().inputs(c);
    c.seed = 2;
    const std::vector<HostArray> other = problem().inputs(c);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_TRUE(std::ranges::equal(first[i].bytes(), again[i].bytes())) << name_of(dtype);
      EXPECT_FALSE(std::ranges::equal(first[i].bytes(), other[i].bytes())) << name_of(dtype);
    }
    EXPECT_FALSE(std::ranges::equal(first[0].bytes(), first[1].bytes())) << name_of(dtype);
    if (dtype == DType::i32)
      for (std::size_t i = 0; i < 1000; ++i) {
        const std::int64_t sum = std::int64_t{first[0].as<int>()[i]} + first[1].as<int>()[i];
        EXPECT_EQ(sum, static_cast<int>(sum)) << i;
      }
  }
}

}  // namespace
}  // namespace warplab

WARPLAB_LAB_TESTS(vector_add);
