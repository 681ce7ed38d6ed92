// Lab 07: what its rungs promise beyond matching the reference, and its replay of the published tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "common/cuda_check.hpp"
#include "common/device_buffer.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/rung/rung_module.hpp"
#include "harness/testing/test_support.hpp"
#include "labs/07_transpose/transpose.hpp"

namespace warplab {
namespace {

const Problem& problem() { return problem_of("transpose"); }

Case matrix(std::int64_t rows, std::int64_t cols) {
  Case c = problem().default_case(Backend::emulator);
  c.size = {{"rows", rows}, {"cols", cols}};
  c.dtype = DType::i32;
  return c;
}

/// Transposes in[r][c] = r * cols + c by a rung in this process. `in` and `out` begin so
/// many elements into their buffers.
std::vector<int> transpose(const std::string& rung, int rows, int cols, int in_offset, int out_offset) {
  const int count = rows * cols;
  std::vector<int> in(count), out(count, -1);
  std::iota(in.begin(), in.end(), 0);
  const DeviceBuffer in_buffer(sizeof(int) * (count + in_offset)),
      out_buffer(sizeof(int) * (count + out_offset));
  int* const in_data = static_cast<int*>(in_buffer.data()) + in_offset;
  int* const out_data = static_cast<int*>(out_buffer.data()) + out_offset;
  CUDA_CHECK(cudaMemcpy(in_data, in.data(), sizeof(int) * count, cudaMemcpyHostToDevice));
  Call call;
  call.problem_case = matrix(rows, cols);
  call.inputs = {{DType::i32, count, in_data}};
  call.outputs = {{DType::i32, count, out_data}};
  RungModule(module_path("transpose", rung)).call(call);
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(out.data(), out_data, sizeof(int) * count, cudaMemcpyDeviceToHost));
  EXPECT_EQ(in_buffer.check_guards(), std::nullopt);
  EXPECT_EQ(out_buffer.check_guards(), std::nullopt);
  return out;
}

std::vector<int> transposed_iota(int rows, int cols) {
  std::vector<int> expected;
  for (int c = 0; c < cols; ++c)
    for (int r = 0; r < rows; ++r) expected.push_back(r * cols + c);
  return expected;
}

TEST(Transpose, EveryRungTurnsALiteral) {
  HostArray in(DType::i32, {2, 3}), expected(DType::i32, {3, 2});
  std::ranges::copy(std::vector{1, 2, 3, 4, 5, 6}, in.as<int>().begin());
  std::ranges::copy(std::vector{1, 4, 2, 5, 3, 6}, expected.as<int>().begin());
  for (const Rung& rung : problem().rungs()) {
    const RungOutcome outcome = run_rung(problem(), rung, matrix(2, 3), {in}, {expected});
    EXPECT_TRUE(outcome.accepted()) << rung.name << ": " << outcome.why;
  }
}

TEST(TransposeVectorized, IsRightWhereRowsDoNotStartAtMultiplesOf16Bytes) {
  for (const auto& [rows, cols] : {std::pair{68, 132}, {68, 131}, {67, 132}, {66, 130}})
    for (int in_offset = 0; in_offset < 4; ++in_offset)
      for (int out_offset : {0, 1})
        EXPECT_EQ(transpose("vectorized", rows, cols, in_offset, out_offset), transposed_iota(rows, cols))
            << rows << "x" << cols << ", in begins " << in_offset
            << " elements after a multiple of 16 bytes, out " << out_offset;
}

TEST(TransposeTiledPaddedRows, MovesFourElementsAThread) {
  const RungOutcome outcome = run_rung(problem(), rung_of(problem(), "tiled_padded_rows"), matrix(64, 96));
  ASSERT_TRUE(outcome.accepted()) << outcome.why;
  if (!outcome.counts) GTEST_SKIP() << "threads are counted on the emulator";
  EXPECT_EQ(outcome.counts->launches, 1u);
  EXPECT_EQ(outcome.counts->threads, 64u * 96 / 4);
}

TEST(TransposeVectorized, MovesSixteenIntsPerThread) {
  const RungOutcome outcome = run_rung(problem(), rung_of(problem(), "vectorized"), matrix(128, 64));
  ASSERT_TRUE(outcome.accepted()) << outcome.why;
  if (!outcome.counts) GTEST_SKIP() << "threads are counted on the emulator";
  EXPECT_EQ(outcome.counts->launches, 1u);
  EXPECT_EQ(outcome.counts->threads, 128u * 64 / 16);
}

TEST(TransposeNaive, RefusesABlockThatCudaForbids) {
  Case c = matrix(8, 8);
  const auto refusal = [&](Extent3 block) {
    c.block = block;
    const RungOutcome outcome = run_rung(problem(), rung_of(problem(), "naive"), c);
    EXPECT_EQ(outcome.status, RungStatus::refused);
    return outcome.why;
  };
  EXPECT_EQ(refusal({64, 32, 1}),
            "a block of 64x32 is too large: CUDA allows 1024 threads in all, and 64 in z");
  EXPECT_EQ(refusal({8, 8, 2}), "a block of 8x8x2 threads: this rung takes blocks of 2 dimensions");
  EXPECT_EQ(refusal({32, 0, 1}), "a block of 32x0 has no threads");
}

TEST(Transpose, EveryRungRefusesToWorkInPlaceAndNegativeSizes) {
  const DeviceBuffer buffer(16 * sizeof(int));
  for (const Rung& rung : problem().rungs()) {
    const RungModule module(module_path("transpose", rung.name));
    Call call;
    call.problem_case = matrix(4, 4);
    call.inputs = call.outputs = {{DType::i32, 16, buffer.data()}};
    EXPECT_THROW(module.call(call), std::invalid_argument) << rung.name;
    call.problem_case = matrix(-4, 4);
    EXPECT_THROW(module.call(call), std::invalid_argument) << rung.name;
    call.problem_case = matrix(0, 4);
    EXPECT_NO_THROW(module.call(call)) << rung.name;  // nothing to do, whatever the buffers
  }
}

TEST(TransposeGrid, CoversEveryMatrixWithinCudasLimits) {
  for (const int rows : {1, 32, 33, 65535, 65536, 65535 * 32, 65535 * 32 + 1, 2147483647})
    for (const int cols : {1, 33, 2147483647})
      for (const unsigned side : {1u, 32u, 64u}) {
        const dim3 grid = transpose_grid(rows, cols, side, side);
        EXPECT_NO_THROW(check_grid(grid, 3)) << rows << "x" << cols << " in tiles of " << side;
        const std::int64_t covered = std::int64_t{grid.z} * grid.y * side;
        EXPECT_GE(covered, rows) << side;
        EXPECT_GE(std::int64_t{grid.x} * side, cols) << side;
        EXPECT_LT(std::int64_t{grid.x - 1} * side, cols) << side;
        EXPECT_LT(covered - std::int64_t{grid.z} * side, rows)
            << side;  // fewer idle rows of tiles than layers
      }
  EXPECT_EQ(transpose_grid(4096, 1024, 32, 32).z, 1u);
}

TEST(TransposeProblem, ReplaysThePublishedTables) {
  const std::vector<Experiment> rows = problem().experiments();
  std::map<std::string, int> published;
  for (const Experiment& row : rows) {
    ASSERT_NE(problem().find_rung(row.rung), nullptr) << row.rung;
    EXPECT_EQ(row.problem_case.extent("rows"), row.problem_case.extent("cols")) << row.label;
    EXPECT_EQ(row.problem_case.dtype, DType::i32) << row.label;
    if (row.published.empty()) {
      EXPECT_NE(row.note, "") << row.label;
      continue;
    }
    ++published[row.table];
    EXPECT_GT(row.published.at("mean_ns"), 50 * row.published.at("stddev_ns")) << row.label;
  }
  EXPECT_EQ(published, (std::map<std::string, int>{{"001 1.2, 1024x1024", 3},
                                                   {"001 2.1, 1024x1024", 2},
                                                   {"001 2.2, 1024x1024", 3},
                                                   {"001 2.2, 4096x4096", 3}}));
  // What the report calls 32x32 in 2.1 is the 2x32 of 2.2: the same figure, so the same replay.
  const auto find = [&](const std::string& table, const std::string& label) -> const Experiment& {
    return *std::ranges::find_if(rows,
                                 [&](const Experiment& e) { return e.table == table && e.label == label; });
  };
  const Experiment& mislabelled = find("001 2.1, 1024x1024", "global only (1A)");
  const Experiment& same = find("001 2.2, 1024x1024", "not shared, 2x32");
  EXPECT_EQ(mislabelled.published, same.published);
  EXPECT_EQ(*mislabelled.problem_case.block, (Extent3{2, 32, 1}));
  EXPECT_EQ(*mislabelled.problem_case.block, *same.problem_case.block);
}

TEST(TransposeProblem, PublicCasesReachTilesEdgesPrimesAndOtherAwkwardSizes) {
  for (const Rung& rung : problem().rungs()) {
    std::set<std::pair<std::int64_t, std::int64_t>> sizes;
    std::set<DType> dtypes;
    for (const Case& c : problem().public_cases(rung)) {
      sizes.insert({c.extent("rows"), c.extent("cols")});
      dtypes.insert(c.dtype);
    }
    for (const std::pair<std::int64_t, std::int64_t> size : {std::pair{0, 0},
                                                             {0, 5},
                                                             {5, 0},
                                                             {1, 1},
                                                             {31, 31},
                                                             {32, 32},
                                                             {33, 33},
                                                             {64, 64},
                                                             {63, 65},
                                                             {127, 131},
                                                             {1, 997},
                                                             {997, 1}})
      EXPECT_TRUE(sizes.contains(size))
          << rung.name << " is not tried at " << size.first << "x" << size.second;
    EXPECT_EQ(dtypes, (std::set{DType::i32, DType::f32, DType::f64})) << rung.name;
  }
}

TEST(TransposeProblem, RefusesExtentsThatNoLauncherTakes) {
  EXPECT_THROW(problem().inputs(matrix(-1, 4)), std::invalid_argument);
  EXPECT_THROW(problem().outputs(matrix(4, 2147483648)), std::invalid_argument);
}

}  // namespace
}  // namespace warplab

WARPLAB_LAB_TESTS(transpose);
