// Lab 03: what its rungs promise beyond matching the reference, and its replay of table 2.
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

const Problem& problem() { return problem_of("matrix_add"); }

/// The integers that the lab adds.
using Integer = int;
constexpr DType integer = dtype_of<Integer>();

/// Adds A[i] = i and B[i] = 1000 i, counted row by row, gaps too, by a rung in this process; C is -1 before.
/// The matrices begin `offsets` elements into their buffers and have `gap` elements between their rows.
std::vector<Integer> add(const std::string& rung, std::int64_t rows, std::int64_t cols,
                         std::optional<Extent3> grid, Extent3 block, std::array<std::int64_t, 3> offsets = {},
                         std::int64_t gap = 0) {
  const std::int64_t n = rows * (cols + gap);
  std::vector<Integer> a(n), b(n), c(n, -1);
  for (std::int64_t i = 0; i < n; ++i) a[i] = static_cast<Integer>(i), b[i] = static_cast<Integer>(1000 * i);
  std::vector<DeviceBuffer> buffers;
  std::vector<Integer*> data;
  for (std::int64_t offset : offsets) {
    const DeviceBuffer& buffer = buffers.emplace_back(sizeof(Integer) * (n + offset));
    data.push_back(static_cast<Integer*>(buffer.data()) + offset);
  }
  CUDA_CHECK(cudaMemcpy(data[0], a.data(), sizeof(Integer) * n, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(data[1], b.data(), sizeof(Integer) * n, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(data[2], c.data(), sizeof(Integer) * n, cudaMemcpyHostToDevice));

  Call call;
  call.problem_case.size = {{"rows", rows}, {"cols", cols}};
  call.problem_case.dtype = integer;
  call.problem_case.grid = grid;
  call.problem_case.block = block;
  call.problem_case.set_param("gap", static_cast<double>(gap));
  call.inputs = {{integer, n, data[0]}, {integer, n, data[1]}};
  call.outputs = {{integer, n, data[2]}};
  RungModule(module_path("matrix_add", rung)).call(call);
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(c.data(), data[2], sizeof(Integer) * n, cudaMemcpyDeviceToHost));
  for (const DeviceBuffer& buffer : buffers) EXPECT_EQ(buffer.check_guards(), std::nullopt);
  return c;
}

std::vector<Integer> multiples_of_1001(std::int64_t n) {
  std::vector<Integer> expected(n);
  for (std::int64_t i = 0; i < n; ++i) expected[i] = static_cast<Integer>(1001 * i);
  return expected;
}

/// What the rung says to this launch; "" if it takes it.
std::string refusal(const std::string& rung, std::int64_t rows, std::int64_t cols,
                    std::optional<Extent3> grid, Extent3 block, std::int64_t gap = 0) {
  try {
    add(rung, rows, cols, grid, block, {}, gap);
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

TEST(MatrixAddOnePerThread, RefusesAGridThatLeavesElementsOut) {
  EXPECT_EQ(add("one_per_thread", 20, 48, Extent3{3, 5, 1}, {16, 4, 1}), multiples_of_1001(20 * 48));
  const std::string tail = " matrix; grid_stride has no such limit";
  EXPECT_EQ(refusal("one_per_thread", 21, 48, Extent3{3, 5, 1}, {16, 4, 1}),
            "grid of 3x5 blocks x 16x4 threads covers 20 rows and 48 columns of a 21x48" + tail);
  EXPECT_EQ(refusal("one_per_thread", 20, 49, Extent3{3, 5, 1}, {16, 4, 1}),
            "grid of 3x5 blocks x 16x4 threads covers 20 rows and 48 columns of a 20x49" + tail);
}

TEST(MatrixAddOnePerThread, CoversTallMatricesAsFarAsCudaAllows) {
  EXPECT_EQ(add("one_per_thread", 65535, 3, std::nullopt, {32, 1, 1}), multiples_of_1001(65535 * 3));
  EXPECT_EQ(
      refusal("one_per_thread", 65536, 3, std::nullopt, {32, 1, 1}),
      "this size needs a grid of 1x65536 blocks, and CUDA allows 2147483647 in x and 65535 in y; use larger "
      "blocks, or a rung whose threads stride over the grid");
}

TEST(MatrixAddGridStride, OneBlockAddsEveryElement) {
  EXPECT_EQ(add("grid_stride", 103, 97, Extent3{1, 1, 1}, {8, 4, 1}), multiples_of_1001(103 * 97));
  EXPECT_EQ(add("grid_stride", 11, 13, Extent3{1, 1, 1}, {1, 1, 1}), multiples_of_1001(11 * 13));
}

TEST(MatrixAddGridStride, TakesMatricesTooTallForAGrid) {
  EXPECT_EQ(add("grid_stride", 65537, 3, std::nullopt, {32, 1, 1}), multiples_of_1001(65537 * 3));
}

/// The sums in rows of `cols`, and -1 in the gaps after them.
std::vector<Integer> multiples_in_rows(std::int64_t rows, std::int64_t cols, std::int64_t gap) {
  std::vector<Integer> expected = multiples_of_1001(rows * (cols + gap));
  for (std::int64_t i = 0; i < rows * (cols + gap); ++i)
    if (i % (cols + gap) >= cols) expected[i] = -1;
  return expected;
}

TEST(MatrixAddPitched, IsRightAtEveryAlignmentAndPitch) {
  for (std::int64_t gap : {0, 1, 2, 3, 5, 95})
    for (std::int64_t a = 0; a < 4; ++a)
      for (std::int64_t b : {std::int64_t{0}, a})
        for (std::int64_t c : {std::int64_t{0}, a})
          EXPECT_EQ(add("pitched", 31, 33, Extent3{2, 3, 1}, {8, 4, 1}, {a, b, c}, gap),
                    multiples_in_rows(31, 33, gap))
              << "a, b, c begin " << a << ", " << b << ", " << c << " elements after a multiple of 16 bytes, "
              << "and rows end " << gap << " elements before the next one";
}

TEST(MatrixAddPitched, TakesWhatCudaMallocPitchReturns) {
  Integer* rows = nullptr;
  std::size_t pitch = 0;
  Case c = problem().default_case(Backend::emulator);
  c.dtype = integer;
  for (std::int64_t cols : {1, 100, 127, 128, 129, 5001}) {
    CUDA_CHECK(cudaMallocPitch(&rows, &pitch, static_cast<std::size_t>(cols) * sizeof(Integer), 2));
    CUDA_CHECK(cudaFree(rows));
    c.extent("cols") = cols;
    const Case complete = problem().for_rung(c, *problem().find_rung("pitched"));
    EXPECT_EQ((cols + complete.param("gap", -1)) * sizeof(Integer), pitch) << cols;
  }
}

TEST(MatrixAddPitched, RefusesAPitchThatIsTooSmall) {
  EXPECT_EQ(refusal("pitched", 3, 5, std::nullopt, {32, 1, 1}, -1),
            "a pitch of " + std::to_string(4 * sizeof(Integer)) + " bytes: rows of 5 elements of " +
                std::to_string(sizeof(Integer)) + " bytes need a multiple of " +
                std::to_string(sizeof(Integer)) + ", at least " + std::to_string(5 * sizeof(Integer)));
}

TEST(MatrixAdd, EveryRungRefusesALaunchThatCudaForbids) {
  for (const Rung& rung : problem().rungs()) {
    EXPECT_EQ(refusal(rung.name, 5, 5, Extent3{1, 1, 1}, {1025, 1, 1}),
              "a block of 1025 is too large: CUDA allows 1024 threads in all, and 64 in z")
        << rung.name;
    EXPECT_EQ(refusal(rung.name, 5, 5, Extent3{1, 1, 1}, {0, 1, 1}), "a block of 0 has no threads")
        << rung.name;
    EXPECT_EQ(refusal(rung.name, 5, 5, Extent3{1, 0, 1}, {32, 1, 1}), "a grid of 1x0 has no blocks")
        << rung.name;
  }
  EXPECT_EQ(refusal("one_per_thread", 5, 5, Extent3{1, 1, 1}, {64, 32, 1}),
            "a block of 64x32 is too large: CUDA allows 1024 threads in all, and 64 in z");
}

TEST(MatrixAdd, ReplaysTable2WithGridsThatCover) {
  const std::vector<Experiment> rows = problem().experiments();
  ASSERT_EQ(rows.size(), 10u);
  const std::array<Extent3, 10> blocks = {{{32, 32, 1},
                                           {32, 32, 1},
                                           {32, 32, 1},
                                           {32, 32, 1},
                                           {1024, 1, 1},
                                           {32, 32, 1},
                                           {1000, 1, 1},
                                           {16, 16, 1},
                                           {5, 50, 1},
                                           {5, 5, 1}}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Case& c = rows[i].problem_case;
    EXPECT_NE(problem().find_rung(rows[i].rung), nullptr) << rows[i].rung;
    EXPECT_EQ(*c.block, blocks[i]) << rows[i].label;
    EXPECT_GE(std::int64_t{(*c.grid)[0]} * (*c.block)[0], c.extent("cols")) << rows[i].label;
    EXPECT_GE(std::int64_t{(*c.grid)[1]} * (*c.block)[1], c.extent("rows")) << rows[i].label;
  }
}

TEST(MatrixAdd, TheSweepRunsEveryBlockThatQuestionsAskFor) {
  std::set<std::string> blocks;
  for (const Case& c : problem().sweep()) {
    blocks.insert(c.block ? extent_text(*c.block) : "");
    EXPECT_NO_THROW(problem().outputs(c));
  }
  for (const char* block : {"32x32", "32x8"}) EXPECT_TRUE(blocks.contains(block)) << block;
}

TEST(MatrixAdd, InputsAreSeededNeverConstantAndAddWithoutOverflow) {
  for (DType dtype : {DType::f32, DType::f64, integer}) {
    Case c = problem().default_case(Backend::emulator);
    c.size = {{"rows", 40}, {"cols", 25}};
    c.dtype = dtype;
    const std::vector<HostArray> first = problem().inputs(c), again = problem().inputs(c);
    c.seed = 2;
    const std::vector<HostArray> other = problem().inputs(c);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_TRUE(std::ranges::equal(first[i].bytes(), again[i].bytes())) << name_of(dtype);
      EXPECT_FALSE(std::ranges::equal(first[i].bytes(), other[i].bytes())) << name_of(dtype);
    }
    EXPECT_FALSE(std::ranges::equal(first[0].bytes(), first[1].bytes())) << name_of(dtype);
    if (dtype == integer)
      for (std::size_t i = 0; i < 1000; ++i) {
        const __int128 sum = __int128{first[0].as<Integer>()[i]} + first[1].as<Integer>()[i];
        EXPECT_TRUE(sum == static_cast<Integer>(sum)) << i;
      }
  }
}

}  // namespace
}  // namespace warplab

WARPLAB_LAB_TESTS(matrix_add);
