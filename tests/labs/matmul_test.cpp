// Lab 09: what its rungs promise beyond matching the reference: what each level of reuse costs, any
// alignment, what is refused, and how large products are verified.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "common/cuda_check.hpp"
#include "common/device_buffer.hpp"
#include "harness/rung/backend.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/rung/device_info.hpp"
#include "harness/rung/rung_module.hpp"
#include "harness/testing/test_support.hpp"
#include "labs/09_matmul/matmul_launch.hpp"
#include "labs/09_matmul/matmul_types.hpp"
#include "labs/09_matmul/problem/check.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

const Problem& problem() { return problem_of("matmul"); }

Case case_of(std::int64_t m, std::int64_t n, std::int64_t k, DType dtype = DType::f32) {
  Case c = problem().default_case(Backend::emulator);
  c.size = {{"m", m}, {"n", n}, {"k", k}};
  c.dtype = dtype;
  return c;
}

/// The output of a command, and "exit code N" after it.
std::string output_of(const std::string& command) {
  const house::Outcome outcome = house::run(command);
  return outcome.output + "exit code " + std::to_string(outcome.exit_code);
}

// ---- what the lens counts

/// The counts of a rung at a size in which all its tiles are full; nothing on a GPU.
std::optional<lens::Counts> counts_of(const std::string& rung, DType dtype = DType::f32) {
  const std::vector<lens::Launch> launches =
      record_rung(problem(), rung_of(problem(), rung), case_of(256, 128, 64, dtype));
  if (launches.empty()) return std::nullopt;
  return launches.at(0).counts;
}
constexpr double warp_products = 256.0 * 128 * 64 / 32;  // multiply-adds of a whole warp
double per_product(std::uint64_t count) { return static_cast<double>(count) / warp_products; }

TEST(MatmulLens, LanesAlongARowNeedFiveSectorsWhereLanesDownAColumnNeed33) {
  const auto naive = counts_of("naive"), coalesced = counts_of("coalesced");
  if (!naive) GTEST_SKIP() << "the lens needs the emulator";
  EXPECT_EQ(per_product(naive->global_load.requests), 2);
  EXPECT_EQ(per_product(naive->global_load.sectors), 32 + 1);
  EXPECT_EQ(per_product(coalesced->global_load.requests), 2);
  EXPECT_EQ(per_product(coalesced->global_load.sectors), 4 + 1);
}

// BEGIN WITHHELD
TEST(MatmulLens, RowsOfTilesAreReadFourElementsAtATime) {
  const auto tiled = counts_of("tiled"), column = counts_of("registers_1d"),
             square = counts_of("registers_2d");
  if (!tiled) GTEST_SKIP() << "the lens needs the emulator";
  // 16 bytes that all lanes want take two wavefronts.
  EXPECT_EQ(per_product(tiled->shared_load.wavefronts), 1 + 2 / 4.0);
  EXPECT_EQ(per_product(column->shared_load.wavefronts), (8 * 2 / 4.0 + 1) / 8);
  EXPECT_EQ(per_product(square->shared_load.requests), (8 + 2) / 64.0);
  EXPECT_EQ(per_product(square->shared_load.wavefronts), (8 * 2 + 2 * 8) / 64.0);
}
// END WITHHELD

TEST(MatmulLens, EachLevelOfReuseTakesFewerWavefrontsPerProduct) {
  const auto tiled = counts_of("tiled"), column = counts_of("registers_1d"),
             square = counts_of("registers_2d"), vectors = counts_of("vectorized");
  if (!tiled) GTEST_SKIP() << "the lens needs the emulator";
  // As the source asks for them. Where rows begin at 16 bytes, nvcc joins neighbours, and it is less.
  EXPECT_LE(per_product(tiled->shared_load.wavefronts), 2);
  EXPECT_LE(per_product(column->shared_load.wavefronts), (8 + 1) / 8.0);
  EXPECT_LE(per_product(square->shared_load.requests), (8 + 8) / 64.0);
  EXPECT_LE(per_product(square->shared_load.wavefronts), (8 * 2 + 8 * 4) / 64.0);
  EXPECT_EQ(per_product(vectors->shared_load.requests), 4 / 64.0);
  EXPECT_EQ(per_product(vectors->shared_load.wavefronts), 4 * 2 / 64.0);
  EXPECT_EQ(vectors->shared_load.bank_conflicts() + vectors->shared_store.bank_conflicts(), 0u);
}

TEST(MatmulLens, LargerTilesBringAnElementFromGlobalMemoryLessOften) {
  constexpr double products = 256.0 * 128 * 64, elements_per_sector = 8;
  const auto elements_per_product = [&](const lens::Counts& counts) {
    return static_cast<double>(counts.global_load.sectors) * elements_per_sector / products;
  };
  const auto tiled = counts_of("tiled");
  if (!tiled) GTEST_SKIP() << "the lens needs the emulator";
  EXPECT_EQ(elements_per_product(*tiled), 2 / 32.0);
  EXPECT_EQ(elements_per_product(*counts_of("registers_1d")), 2 / 64.0);
  EXPECT_EQ(elements_per_product(*counts_of("registers_2d")), 2 / 128.0);
  EXPECT_EQ(elements_per_product(*counts_of("vectorized")), 2 / 128.0);
  EXPECT_EQ(counts_of("vectorized")->global_load.requests * 4,
            counts_of("registers_2d")->global_load.requests);
}

TEST(MatmulLens, WmmaReadsTilesOfHalvesWithoutBankConflicts) {
  const auto wmma = counts_of("wmma", DType::f16);
  if (!wmma) GTEST_SKIP() << "the lens needs the emulator";
  EXPECT_EQ(wmma->shared_load.bank_conflicts(), 0u);
  EXPECT_EQ(wmma->global_load.sectors * 16, 2 * 256 * 128 * 64 / 128u) << "2/128 elements per product";
}

TEST(MatmulLens, FindsNothingWrongWithAnyRung) {
  const DeviceInfo device = query_device();
  for (const Rung& rung : problem().rungs()) {
    if (!rung.peer_of.empty() || rung.needs == "sm_90a") continue;
    for (const DType dtype : rung.dtypes) {
      if (!what_is_lacking(rung, dtype, device).empty()) continue;
      Case c = case_of(37, 67, 33, dtype);
      c.set_param("pad", 3);
      c.set_param("beta", 2);
      for (const lens::Launch& launch : record_rung(problem(), rung, problem().for_rung(c, rung)))
        for (const lens::Finding& finding : launch.findings)
          ADD_FAILURE() << rung.name << ": " << name_of(finding.kind) << " at " << finding.file << ":"
                        << finding.line << ": " << finding.text;
    }
  }
}

// ---- what a launcher takes and refuses

/// Runs a rung in this process on matrices that begin `offset` elements after a multiple of 256 bytes, and
/// expects D to be right, within a bound far below one product.
template <class T>
void check_at_offset(const std::string& rung, std::size_t offset_a, std::size_t offset_b,
                     std::size_t offset_d) {
  const Case c = case_of(45, 52, 36, dtype_of<T>());  // rows of all three are multiples of 16 bytes apart
  const std::vector<HostArray> in = problem().inputs(c), expected = problem().expected(c, in);
  HostArray d(expected[0].dtype(), expected[0].shape());
  const auto moved = [](const HostArray& array, std::size_t offset) {
    return array.size_bytes() + offset * size_of(array.dtype());
  };
  const DeviceBuffer a(moved(in[0], offset_a)), b(moved(in[1], offset_b)), out(moved(d, offset_d));
  const auto place = [](const DeviceBuffer& buffer, std::size_t bytes) {
    return static_cast<void*>(static_cast<std::byte*>(buffer.data()) + bytes);
  };
  Call call;
  call.problem_case = c;
  call.inputs = {{in[0].dtype(), in[0].count(), place(a, offset_a * sizeof(T))},
                 {in[1].dtype(), in[1].count(), place(b, offset_b * sizeof(T))},
                 {in[2].dtype(), 0, nullptr}};
  call.outputs = {{d.dtype(), d.count(), place(out, offset_d * size_of(d.dtype()))}};
  for (std::size_t i = 0; i < 2; ++i)
    CUDA_CHECK(
        cudaMemcpy(call.inputs[i].data, in[i].bytes().data(), in[i].size_bytes(), cudaMemcpyHostToDevice));
  RungModule(module_path("matmul", rung)).call(call);
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(d.bytes().data(), call.outputs[0].data, d.size_bytes(), cudaMemcpyDeviceToHost));
  const Comparison comparison = problem().check(c, in, expected, 0, d);
  EXPECT_TRUE(comparison.accepted) << rung << " at " << offset_a << ", " << offset_b << ", " << offset_d
                                   << "\n"
                                   << comparison.report;
  for (const DeviceBuffer* buffer : {&a, &b, &out}) EXPECT_EQ(buffer->check_guards(), std::nullopt);
}

TEST(MatmulVectorized, IsRightAtEveryAlignment) {
  for (const std::size_t i : {0, 1, 2, 3}) {
    check_at_offset<float>("vectorized", i, 0, 0);
    check_at_offset<float>("vectorized", 0, i, 0);
    check_at_offset<float>("vectorized", 0, 0, i);
    check_at_offset<double>("vectorized", i % 2, 1, i / 2);
  }
}

TEST(MatmulWmma, IsRightAtEveryAlignment) {
  for (const std::size_t i : {0, 1, 4, 7}) {
    check_at_offset<Half>("wmma", i, 0, 0);
    check_at_offset<Half>("wmma", 0, i, 1);
    check_at_offset<std::int8_t>("wmma", i, i, 0);
  }
}

/// One element of D, the sum of `k` products of -128 and -128.
int sum_of_largest_products(const std::string& rung, std::int64_t k) {
  const auto bytes = static_cast<std::size_t>(k);
  const DeviceBuffer a(bytes), b(bytes), d(sizeof(int));
  CUDA_CHECK(cudaMemset(a.data(), 0x80, bytes));
  CUDA_CHECK(cudaMemset(b.data(), 0x80, bytes));
  Call call;
  call.problem_case = case_of(1, 1, k, DType::i8);
  call.inputs = {{DType::i8, k, a.data()}, {DType::i8, k, b.data()}, {DType::i32, 0, nullptr}};
  call.outputs = {{DType::i32, 1, d.data()}};
  RungModule(module_path("matmul", rung)).call(call);
  CUDA_CHECK(cudaDeviceSynchronize());
  int sum = 0;
  CUDA_CHECK(cudaMemcpy(&sum, d.data(), sizeof sum, cudaMemcpyDeviceToHost));
  return sum;
}

TEST(MatmulBytes, SumsWrapModuloTwoToThe32) {
  constexpr std::int64_t k = 132'000;  // 2^14 k is 2^31 + 15,204,352
  for (const char* rung : {"naive", "coalesced", "tiled", "wmma"})
    EXPECT_EQ(sum_of_largest_products(rung, k), -2147483648 + 15'204'352) << rung;
}

/// Why every launcher refuses this product; "" if it takes it.
std::string refusal(const Matmul<float>& product) {
  try {
    matmul_check(product);
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

TEST(Matmul, RefusesWhatNoProductIs) {
  float a = 1, b = 1, d = 1;
  const Matmul<float> good{&a, &b, nullptr, &d, 1, 1, 1, 1, 1, 1, 1, 1, 0};
  EXPECT_EQ(refusal(good), "");
  Matmul<float> bad = good;
  bad.m = -3;
  EXPECT_EQ(refusal(bad), "m is -3; it must be 0 or more");
  bad = good;
  bad.k = 5;
  EXPECT_EQ(refusal(bad), "rows of A are 1 elements apart, and have 5: they overlap");
  bad = good;
  bad.n = bad.ldb = bad.ldc = 8;
  EXPECT_EQ(refusal(bad), "rows of D are 1 elements apart, and have 8: they overlap");
  bad = good;
  bad.d = &a;
  EXPECT_EQ(refusal(bad), "D is the buffer of A or of B: in-place products are not supported");
}

TEST(Matmul, GridsGoOnInFurtherLayers) {
  Matmul<float> tall{};
  tall.m = 2147483647;
  tall.n = 1;
  const dim3 grid = matmul_grid(tall, 32, 32);
  EXPECT_EQ(grid.x, 1u);
  EXPECT_GE(std::int64_t{grid.y} * grid.z * 32, 2147483647);
}

TEST(MatmulSplitK, TakesMoreTilesDownThanAGridHasInY) {
  const Rung& rung = rung_of(problem(), "split_k");
  const std::int64_t rows = 64 * warplab::max_grid_yz + 1;
  const RungOutcome outcome = run_rung(problem(), rung, problem().for_rung(case_of(rows, 1, 1), rung));
  EXPECT_TRUE(outcome.accepted()) << outcome.why;
}

TEST(Matmul, SaysWhatIsWrongWithACommandInOneSentence) {
  const std::string program = std::string(WARPLAB_BINARY_DIR) + "/bin/matmul ";
  for (const auto& [flags, sentence] :
       {std::pair<const char*, const char*>{"--size 3000000000x3000000000x1",
                                            "matmul: m is 3000000000; it must be 0 to 2147483647"},
        {"--size -1x2x3", "matmul: --size -1x2x3: '-1' is out of range"},
        {"--size 4x4", "matmul: --size 4x4"},
        {"--pad -1", "matmul: --pad -1 is out of range; accepted are whole numbers from 0 to 4096"},
        {"--dtype complex", "matmul: --dtype complex: no rung of matmul takes it; they take "},
        {"--dtype int64", "matmul: --dtype int64: no rung of matmul takes it; they take "},
        {"--dtype int --alpha 0.5",
         "matmul: alpha is 0.5; products of int add up in int, and need a whole number"},
        {"--beta nan", "matmul: --beta nan is not a number from -1e6 to 1e6"},
        {"--shape 8x8x8", "matmul: --shape 8x8x8 is unknown; accepted are 16x16x16, 32x8x16, 8x32x16"},
        {"--rung wmma --sums half --dtype int8", "wmma adds up in half only for elements of half"}}) {
    const std::string output = output_of(program + flags);
    EXPECT_NE(output.find(sentence), std::string::npos) << flags << "\n" << output;
    EXPECT_TRUE(output.ends_with("exit code 2")) << flags << "\n" << output;
  }
}

// ---- which device runs what

TEST(Matmul, SaysWhatARungNeedsOfADevice) {
  if (backend == Backend::cuda) GTEST_SKIP() << "only the emulator plays other devices";
  const std::string program = std::string(WARPLAB_BINARY_DIR) + "/bin/matmul --size 40x264x136 --rung ";
  for (const auto& [device, flags, sentence] :
       {std::tuple{"t4", "wmma --dtype bfloat16", "needs sm_80 or later for bfloat16; this is sm_75"},
        {"t4", "mma_ldmatrix --dtype half", "needs sm_80 or later; this is sm_75"},
        {"t4", "wgmma_tma --dtype half", "needs sm_90a; this is sm_75"},
        {"a100", "wgmma_tma --dtype half", "needs sm_90a; this is sm_80"}}) {
    const std::string output = output_of("WARPLAB_DEVICE=" + std::string(device) + " " + program + flags);
    EXPECT_NE(output.find(sentence), std::string::npos) << device << " " << flags << "\n" << output;
    EXPECT_TRUE(output.ends_with("exit code 3")) << device << " " << flags << "\n" << output;
  }
}

TEST(Matmul, ATypeThatARungTakesRunsOnEveryDeviceThatHasItsInstructions) {
  if (backend == Backend::cuda) GTEST_SKIP() << "only the emulator plays other devices";
  const std::string program = std::string(WARPLAB_BINARY_DIR) + "/bin/matmul --size 40x264x136 --rung ";
  // A block of an A100 or of an RTX 4070 has less shared memory than one of an H100.
  for (const auto& [device, flags] : {std::pair{"t4", "wmma --dtype half"},
                                      {"t4", "auto --dtype half"},
                                      {"t4", "auto --dtype bfloat16"},
                                      {"t4", "auto --dtype int8"},
                                      {"a100", "mma_ldmatrix --dtype half"},
                                      {"a100", "auto --dtype bfloat16"},
                                      {"rtx4070", "mma_ldmatrix --dtype bfloat16"},
                                      {"rtx4070", "auto --dtype half"}}) {
    const std::string output = output_of("WARPLAB_DEVICE=" + std::string(device) + " " + program + flags);
    EXPECT_TRUE(output.ends_with("exit code 0")) << device << " " << flags << "\n" << output;
  }
}

// ---- how products are verified

/// D as the CPU computes it.
HostArray right_output(const Case& c, const std::vector<HostArray>& in) {
  std::vector<HostArray> out;
  for (const ArraySpec& spec : problem().outputs(c)) out.emplace_back(spec.dtype, spec.shape);
  EXPECT_TRUE(problem().baseline(c, in, out, 1));
  return out[0];
}

TEST(MatmulCheck, OfALargeProductNeedsNoLargeOracle) {
  const Case c = case_of(520, 513, 1025, DType::f32);  // beyond 2^28
  const std::vector<HostArray> in = problem().inputs(c), expected = problem().expected(c, in);
  ASSERT_EQ(expected.size(), 3u);
  EXPECT_EQ(expected[0].shape(), (std::vector<std::int64_t>{520, 8}));
  EXPECT_EQ(expected[1].shape(), (std::vector<std::int64_t>{8, 513}));
  HostArray d = right_output(c, in);
  const Comparison right = problem().check(c, in, expected, 0, d);
  EXPECT_TRUE(right.accepted) << right.report;
  EXPECT_GT(right.max_abs_error, 0) << "of the rows that are compared whole";
  EXPECT_EQ(right.count, 520 * 513);

  for (std::int64_t i = 37; i < 69; ++i)  // a tile that was never written
    for (std::int64_t j = 64; j < 96; ++j) d.as<float>()[static_cast<std::size_t>(i * 513 + j)] = 0;
  const Comparison wrong = problem().check(c, in, expected, 0, d);
  EXPECT_FALSE(wrong.accepted);
  EXPECT_NE(wrong.report.find("Freivalds' check: in "), std::string::npos) << wrong.report;
  EXPECT_NE(wrong.report.find("got 0"), std::string::npos) << "a wrong row is looked at in full\n"
                                                           << wrong.report;

  d = right_output(c, in);
  d.as<float>()[513 * 300 + 7] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(problem().check(c, in, expected, 0, d).accepted);
}

TEST(MatmulCheck, OfIntegersSeesOneWrongBit) {
  const Case c = case_of(520, 513, 1025, DType::i32);
  const std::vector<HostArray> in = problem().inputs(c), expected = problem().expected(c, in);
  HostArray d = right_output(c, in);
  EXPECT_TRUE(problem().check(c, in, expected, 0, d).accepted);
  for (const unsigned bit : {0u, 17u, 31u}) {
    HostArray wrong = d;
    wrong.as<int>()[513 * 301 + 200] ^= static_cast<int>(1u << bit);
    const Comparison comparison = problem().check(c, in, expected, 0, wrong);
    EXPECT_FALSE(comparison.accepted) << bit;
    EXPECT_NE(comparison.report.find("in 1 of 520 rows"), std::string::npos) << comparison.report;
  }
}

TEST(MatmulCheck, OfASmallProductBoundsEveryElementByGamma) {
  for (const DType dtype : {DType::f16, DType::bf16, DType::f32, DType::f64}) {
    const Case c = case_of(33, 17, 129, dtype);
    const std::vector<HostArray> in = problem().inputs(c), expected = problem().expected(c, in);
    const Comparison right = problem().check(c, in, expected, 0, right_output(c, in));
    EXPECT_TRUE(right.accepted) << right.report;
    // (1 + u)^n - 1 with n about 132 times a factor of the type's, times norms of about sqrt(129 / 3).
    const double u = dtype == DType::f64 ? 0x1p-53 : 0x1p-24;
    const double factor = dtype == DType::f64 ? 2 : dtype == DType::f32 ? 1 : 4;
    EXPECT_NEAR(right.tolerance.atol / (132 * factor * u * 43), 1.2, 0.3) << name_of(dtype);
    EXPECT_LT(right.tolerance.atol, problem().tolerance(c, 0).atol) << "the norms bound it more closely";
  }
}

TEST(MatmulCheck, SeesWhatIsWrittenBetweenRows) {
  Case c = case_of(4, 3, 2, DType::f64);
  c.set_param("pad", 2);
  const std::vector<HostArray> in = problem().inputs(c), expected = problem().expected(c, in);
  EXPECT_TRUE(std::isnan(in[0].as<double>()[2])) << "nothing between the rows of A may be used";
  HostArray d = expected[0];
  EXPECT_TRUE(problem().check(c, in, expected, 0, d).accepted);
  d.as<double>()[4] = 0;
  EXPECT_FALSE(problem().check(c, in, expected, 0, d).accepted);
}

// ---- the handout's mistake

#ifdef WARPLAB_BACKEND_CUDA
constexpr const char* no_warplab_cc = "warplab-cc belongs to the emulator";
#elif defined(__SANITIZE_ADDRESS__)
constexpr const char* no_warplab_cc = "a user's program does not link what a sanitizer needs";
#else
constexpr const char* no_warplab_cc = nullptr;
#endif

TEST(MatmulMistakes, TheLensFindsTheRaceOfTheMissingBarrier) {
  if (no_warplab_cc) GTEST_SKIP() << no_warplab_cc;
  const ScratchFolder folder;
  const std::string program = folder / "one_barrier";
  const std::string file = WARPLAB_SOURCE_DIR "/labs/09_matmul/mistakes/one_barrier.cu";
  const std::string output = output_of("'" WARPLAB_BINARY_DIR "/bin/warplab-cc' '" + file + "' -o '" +
                                       program + "' && WARPLAB_LENS=1 '" + program + "'");
  EXPECT_NE(output.find("of 4096 elements are wrong"), std::string::npos) << output;
  EXPECT_NE(output.find("race: multiply"), std::string::npos) << output;
  EXPECT_NE(output.find("one_barrier.cu:17"), std::string::npos) << output;
  EXPECT_NE(output.find("one_barrier.cu:20"), std::string::npos) << output;
}

// ---- the problem

TEST(MatmulProblem, EveryRungsTypesAreThoseOfItsKernels) {
  for (const Rung& rung : problem().rungs()) {
    EXPECT_FALSE(rung.dtypes.empty()) << rung.name;
    for (const DType dtype : rung.dtypes) EXPECT_TRUE(matmul_takes(rung.name, dtype)) << rung.name;
  }
  EXPECT_FALSE(matmul_takes("vectorized", DType::f16));
  EXPECT_FALSE(matmul_takes("nothing", DType::f32));
}

TEST(MatmulProblem, PublicCasesReachGapsFactorsAndAwkwardSizes) {
  for (const Rung& rung : problem().rungs()) {
    std::set<double> pads, betas;
    std::set<std::int64_t> depths;
    for (const Case& c : problem().public_cases(rung)) {
      pads.insert(c.param("pad", 0));
      betas.insert(c.param("beta", 0));
      depths.insert(c.extent("k"));
    }
    EXPECT_TRUE(pads.contains(1) && pads.contains(4)) << rung.name;
    EXPECT_TRUE(betas.contains(0) && betas.contains(3)) << rung.name;
    EXPECT_TRUE(depths.contains(0) && depths.contains(7) && depths.contains(257)) << rung.name;
  }
}

TEST(MatmulProblem, TheSweepHasManyShapes) {
  const std::vector<Case> cases = problem().sweep();
  EXPECT_GE(cases.size(), backend == Backend::cuda ? 50u : 8u);
  for (const Case& c : cases) EXPECT_NO_THROW(problem().outputs(c));
}

TEST(MatmulProblem, ReplaysWhatTheReportsClaim) {
  std::set<std::string> rungs;
  for (const Experiment& row : problem().experiments()) {
    EXPECT_NE(problem().find_rung(row.rung), nullptr) << row.rung;
    EXPECT_NE(row.note, "") << row.label;
    EXPECT_TRUE(row.published.empty()) << "neither report prints a time";
    rungs.insert(row.rung);
  }
  for (const char* rung : {"coalesced", "tiled", "vectorized", "wmma"})
    EXPECT_TRUE(rungs.contains(rung)) << rung;
}

TEST(MatmulProblem, CountsTheBytesAndProductsThatTheProblemCompels) {
  Case c = case_of(10, 20, 30, DType::f16);
  EXPECT_EQ(problem().cost(c).bytes, (10 * 30 + 30 * 20) * 2 + 10 * 20 * 4);
  EXPECT_EQ(problem().cost(c).flops, 2 * 10 * 20 * 30);
  c.set_param("beta", 1);
  EXPECT_EQ(problem().cost(c).bytes, (10 * 30 + 30 * 20) * 2 + 2 * 10 * 20 * 4);
}

}  // namespace
}  // namespace warplab

WARPLAB_LAB_TESTS(matmul);
