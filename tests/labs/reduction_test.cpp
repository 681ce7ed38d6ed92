// Lab 08: what its rungs promise beyond matching the reference: every operation, awkward numbers, sizes
// beyond 2^31, launches and counts, and its replay of the published figures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "common/cuda_check.hpp"
#include "common/device_buffer.hpp"
#include "harness/console/case_text.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "harness/rung/backend.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/rung/rung_module.hpp"
#include "harness/testing/test_support.hpp"
#include "labs/08_reduction/reduction_launch.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/labs/many_ints.hpp"

namespace warplab {
namespace {

const Problem& problem() { return problem_of("reduction"); }

enum Operation { sum, min, max, mean };

Case case_of(std::int64_t n, Operation operation = sum, DType dtype = DType::i32,
             std::optional<Extent3> block = {}, std::optional<Extent3> grid = {}) {
  Case c = problem().default_case(Backend::emulator);
  c.size = {{"n", n}};
  c.dtype = dtype;
  c.block = block;
  c.grid = grid;
  c.set_param("op", operation);
  return c;
}

/// The rungs that are ours, and the peers where they were built.
std::vector<Rung> built_rungs() {
  std::vector<Rung> rungs = problem().rungs();
  std::erase_if(rungs, [](const Rung& rung) {
    return !rung.peer_of.empty() && !std::filesystem::exists(module_path("reduction", rung.name));
  });
  return rungs;
}

/// Calls a rung in this process. `in` begins `offset` elements after a multiple of 256 bytes.
template <class R, class T>
R reduce(const std::string& rung, const std::vector<T>& in, Case c, std::size_t offset = 0,
         std::size_t workspace_bytes = 1 << 20) {
  const auto n = static_cast<std::int64_t>(in.size());
  c.size = {{"n", n}};
  const DeviceBuffer buffer(sizeof(T) * (in.size() + offset)), out(sizeof(R)), workspace(workspace_bytes);
  T* const data = static_cast<T*>(buffer.data()) + offset;
  CUDA_CHECK(cudaMemcpy(data, in.data(), sizeof(T) * in.size(), cudaMemcpyHostToDevice));
  Call call;
  call.problem_case = c;
  call.inputs = {{dtype_of<T>(), n, data}};
  call.outputs = {{dtype_of<R>(), 1, out.data()}};
  call.workspace = workspace.data();
  call.workspace_bytes = workspace_bytes;
  RungModule(module_path("reduction", rung)).call(call);
  CUDA_CHECK(cudaDeviceSynchronize());
  R result;
  CUDA_CHECK(cudaMemcpy(&result, out.data(), sizeof result, cudaMemcpyDeviceToHost));
  for (const DeviceBuffer* b : {&buffer, &out, &workspace}) EXPECT_EQ(b->check_guards(), std::nullopt);
  return result;
}

/// What the rung says to this launch; "" if it takes it.
std::string refusal(const std::string& rung, const Case& c, std::size_t workspace_bytes = 1 << 20) {
  try {
    const std::vector<int> in(static_cast<std::size_t>(c.extent("n")), 1);
    if (static_cast<Operation>(c.param("op", sum)) == mean)
      reduce<double>(rung, in, c, 0, workspace_bytes);
    else
      reduce<int>(rung, in, c, 0, workspace_bytes);
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

TEST(Reduction, EveryRungReducesALiteral) {
  const auto check = []<class T>(T) {
    const std::vector<T> in{3, -1, 4, 1, -5, 9, 2};
    const DType dtype = dtype_of<T>();
    for (const Rung& rung : built_rungs()) {
      EXPECT_EQ(reduce<T>(rung.name, in, case_of(0, sum, dtype)), 13) << rung.name << name_of(dtype);
      EXPECT_EQ(reduce<T>(rung.name, in, case_of(0, min, dtype)), -5) << rung.name << name_of(dtype);
      EXPECT_EQ(reduce<T>(rung.name, in, case_of(0, max, dtype)), 9) << rung.name << name_of(dtype);
      EXPECT_EQ(reduce<double>(rung.name, in, case_of(0, mean, dtype)), 13.0 / 7)
          << rung.name << name_of(dtype);
    }
  };
  check(int());
  check(float());
  check(double());
}

TEST(Reduction, TheSweepRunsEveryBlockThatQuestionsAskFor) {
  std::set<std::string> blocks;
  for (const Case& c : problem().sweep()) {
    blocks.insert(c.block ? extent_text(*c.block) : "");
    EXPECT_NO_THROW(problem().outputs(c));
  }
  for (const char* block : {"128", "256", "512"}) EXPECT_TRUE(blocks.contains(block)) << block;
}

TEST(Reduction, OnlyASumOfNothingExists) {
  for (const Rung& rung : built_rungs()) {
    EXPECT_EQ(reduce<int>(rung.name, std::vector<int>{}, case_of(0)), 0) << rung.name;
    for (const auto& [operation, name] : {std::pair{min, "min"}, {max, "max"}, {mean, "mean"}})
      EXPECT_EQ(
          refusal(rung.name, case_of(0, operation)),
          std::string("the ") + name + " of no elements does not exist; only a sum has a value for n = 0")
          << rung.name;
  }
  EXPECT_THROW(problem().inputs(case_of(0, max)), std::invalid_argument);
  EXPECT_THROW(problem().inputs(case_of(-1)), std::invalid_argument);
  EXPECT_NO_THROW(problem().inputs(case_of(0)));
}

TEST(Reduction, SumsOfIntWrapAroundAndTheirMeansDoNot) {
  constexpr int largest = std::numeric_limits<int>::max();
  const std::vector<int> in(1001, largest);  // 1001 * (2^31 - 1), modulo 2^32: 2^31 - 1001
  for (const Rung& rung : built_rungs()) {
    EXPECT_EQ(reduce<int>(rung.name, in, case_of(0)), largest - 1000) << rung.name;
    EXPECT_EQ(reduce<double>(rung.name, in, case_of(0, mean)), largest) << rung.name;
  }
}

TEST(Reduction, FloatsThatAreSmallIntegersAddUpExactly) {
  // All partial sums are integers below 2^24, so no order rounds: the tolerance is of no help here.
  std::vector<float> in(65'537);
  float expected = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<float>(static_cast<int>(i * 7919 % 201) - 90);
    expected += in[i];
  }
  ASSERT_LT(std::accumulate(in.begin(), in.end(), 0.0, [](double s, float x) { return s + std::fabs(x); }),
            0x1p24);
  for (const Rung& rung : built_rungs())
    EXPECT_EQ(reduce<float>(rung.name, in, case_of(0, sum, DType::f32)), expected) << rung.name;
}

TEST(Reduction, MinimumAndMaximumOfEitherSignOfZerosAndOfInfinities) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto check = []<class T>(std::vector<T> in) {
    in.resize(300, in.back());
    const T smallest = *std::ranges::min_element(in), largest = *std::ranges::max_element(in);
    for (const Rung& rung : built_rungs()) {
      // CUB begins with the largest finite number, not with infinity.
      if (!rung.peer_of.empty() && std::isinf(static_cast<double>(in.back()))) continue;
      EXPECT_EQ(reduce<T>(rung.name, in, case_of(0, min, dtype_of<T>())), smallest) << rung.name;
      EXPECT_EQ(reduce<T>(rung.name, in, case_of(0, max, dtype_of<T>())), largest) << rung.name;
    }
  };
  check(std::vector<int>{std::numeric_limits<int>::min(), -1});
  check(std::vector<int>{std::numeric_limits<int>::max(), 1});
  check(std::vector<float>{-2.5f, -1e-40f, -3e38f, -1.5f});  // all negative, one subnormal
  check(std::vector<float>{2.5f, 1e-40f, 3e38f, 1.5f});
  check(std::vector<float>{-0.0f, 0.0f, -0.0f});
  check(std::vector<float>{1.0f, -0.0f, 2.0f});
  check(std::vector<double>{-2.5, -1e-310, -1e308, -1.5});
  check(std::vector<double>{2.5, 1e-310, 1e308, 1.5});
  check(std::vector<double>{-infinity, 3.0});
  check(std::vector<double>{infinity, infinity});
}

// ---- sizes beyond 32 bits

static_assert(reduction_share((std::int64_t{1} << 31) + 3, 256) == (1 << 23) + 1);
static_assert(reduction_share((std::int64_t{1} << 40) + 1, std::int64_t{1} << 20) == (1 << 20) + 1);
static_assert(reduction_single_pass_workspace(std::int64_t{1} << 31) > (std::size_t{1} << 33));

TEST(ReductionLaunch, GridsCoverMoreThanTwoToThe31Elements) {
  constexpr std::int64_t n = (std::int64_t{1} << 31) + 3;
  EXPECT_EQ(grid_of(ceil_div(n, 128)).x, (1u << 24) + 1);
  EXPECT_EQ(grid_of(ceil_div(n, 2 * std::int64_t{1024})).x, (1u << 20) + 1);
  EXPECT_THROW(grid_of(ceil_div(n, 1)), std::invalid_argument);  // more blocks of one thread than CUDA has
  const auto blocks = std::int64_t{reduction_grid(std::nullopt, dim3(128), n).x};
  EXPECT_GE(blocks, reduction_min_blocks);
  EXPECT_LE(blocks, reduction_max_blocks);
  EXPECT_EQ(reduction_grid(std::nullopt, dim3(128), 0).x, 1u);
  EXPECT_EQ(reduction_grid(std::nullopt, dim3(128), 129).x, 2u);
}

TEST(Reduction, CountsBeyondTwoToThe31) {
  const std::unique_ptr<ManyInts> in = ManyInts::make();
  if (!in) GTEST_SKIP() << "8.6 GB are not available";
  const DeviceBuffer out(sizeof(int)), workspace(1 << 20);
  for (const Rung& rung : built_rungs()) {
    // A thread an element takes minutes on the emulator.
    if (backend == Backend::emulator && rung.name != "single_pass") continue;
    Call call;
    call.problem_case = case_of(ManyInts::n);
    call.inputs = {{DType::i32, ManyInts::n, const_cast<int*>(in->data())}};
    call.outputs = {{DType::i32, 1, out.data()}};
    call.workspace = workspace.data();
    call.workspace_bytes = workspace.size_bytes();
    RungModule(module_path("reduction", rung.name)).call(call);
    int sum_of_all = 0;
    CUDA_CHECK(cudaMemcpy(&sum_of_all, out.data(), sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT_EQ(sum_of_all, ManyInts::expected_sum()) << rung.name;
  }
}

// ---- what a launcher refuses

TEST(Reduction, EveryRungRefusesBlocksThatItCannotUse) {
  for (const Rung& rung : problem().rungs()) {
    if (!rung.takes_block) continue;
    EXPECT_EQ(refusal(rung.name, case_of(5, sum, DType::i32, Extent3{2048, 1, 1})),
              "a block of 2048 is too large: CUDA allows 1024 threads in all, and 64 in z")
        << rung.name;
    EXPECT_EQ(refusal(rung.name, case_of(5, sum, DType::i32, Extent3{16, 16, 1})),
              "a block of 16x16 threads: this rung takes blocks of 1 dimension")
        << rung.name;
    const std::string odd = refusal(rung.name, case_of(5, sum, DType::i32, Extent3{100, 1, 1}));
    EXPECT_EQ(odd.starts_with("a block of 100: this rung "), rung.name != "naive_atomic")
        << rung.name << ": " << odd;
  }
  EXPECT_EQ(refusal("sequential", case_of(5, sum, DType::i32, Extent3{96, 1, 1})),
            "a block of 96: this rung takes powers of two from 1 to 1024, since each step joins one half of "
            "the threads to the other");
  EXPECT_EQ(refusal("last_warp_unrolled", case_of(5, sum, DType::i32, Extent3{32, 1, 1})),
            "a block of 32: this rung takes powers of two from 64 to 1024, since each step joins one half of "
            "the threads to the other");
  EXPECT_EQ(refusal("fully_unrolled", case_of(5, sum, DType::i32, Extent3{1024, 1, 1})),
            "a block of 1024: this rung is compiled for blocks of 128, 256 and 512");
  EXPECT_EQ(
      refusal("warp_shuffle", case_of(5, sum, DType::i32, Extent3{48, 1, 1})),
      "a block of 48: this rung takes multiples of 32, since all lanes of a warp take part in a shuffle");
  EXPECT_EQ(refusal("grid_stride", case_of(5, sum, DType::i32, {}, Extent3{0, 1, 1})),
            "a grid of 0 has no blocks");
}

TEST(ReductionSinglePass, RefusesAWorkspaceThatIsTooSmall) {
  const Case c = case_of(5, sum, DType::i32, {}, Extent3{100, 1, 1});
  EXPECT_EQ(refusal("single_pass", c, 832), "");
  EXPECT_EQ(refusal("single_pass", c, 831), "a workspace of 831 bytes is too small: this launch needs 832");
  const Rung& rung = rung_of(problem(), "single_pass");
  EXPECT_GE(problem().workspace_bytes(case_of(5, sum, DType::i32, {}, Extent3{1'000'000, 1, 1}), rung),
            8'000'032u);
}

// ---- what each rung adds to the one before

TEST(ReductionSinglePass, IsRightAtEveryAlignment) {
  const auto check = []<class T>(T) {
    for (std::size_t n = 0; n < 40; ++n)
      for (std::size_t offset = 0; offset < 16 / sizeof(T); ++offset) {
        std::vector<T> in(n);
        std::iota(in.begin(), in.end(), T{1});
        EXPECT_EQ(reduce<T>("single_pass", in, case_of(0, sum, dtype_of<T>(), Extent3{32, 1, 1}), offset),
                  static_cast<T>(n * (n + 1) / 2))
            << n << " elements, the first of them " << offset << " after a multiple of 16 bytes";
      }
  };
  check(int());
  check(float());
  check(double());
}

TEST(ReductionSinglePass, GivesTheSameFloatEachTime) {
  std::vector<float> in(200'003);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = 1.0f / static_cast<float>(1 + i * 7919 % 10'007);
  const Case c = case_of(0, sum, DType::f32);
  const auto first = reduce<float>("single_pass", in, c);
  for (int again = 0; again < 5; ++again) EXPECT_EQ(reduce<float>("single_pass", in, c), first);
}

TEST(ReductionGridStride, OneBlockAddsEveryElement) {
  std::vector<int> in(10'007);
  std::iota(in.begin(), in.end(), 0);
  for (const char* rung : {"grid_stride", "warp_shuffle", "single_pass"})
    EXPECT_EQ(reduce<int>(rung, in, case_of(0, sum, DType::i32, Extent3{128, 1, 1}, Extent3{1, 1, 1})),
              10'007 * 5003)
        << rung;
}

/// Of one call without what starts and ends the total; nothing on a GPU.
std::optional<LaunchCounts> counts_of(const std::string& rung, const Case& c) {
  RungOutcome outcome = run_rung(problem(), rung_of(problem(), rung), c);
  EXPECT_TRUE(outcome.accepted()) << rung << ": " << outcome.why;
  if (!outcome.counts) return std::nullopt;
  for (std::uint64_t extra = 1; extra < outcome.counts->launches; ++extra)
    --outcome.counts->blocks, --outcome.counts->threads;
  return outcome.counts;
}

TEST(ReductionFirstAdd, NeedsHalfTheBlocks) {
  const auto before = counts_of("sequential", case_of(10'000)),
             after = counts_of("first_add", case_of(10'000));
  if (!before) GTEST_SKIP() << "blocks are counted on the emulator";
  EXPECT_EQ(before->blocks, 79u);
  EXPECT_EQ(after->blocks, 40u);
  EXPECT_EQ(after->threads, 40u * 128);
}

TEST(ReductionLastWarpUnrolled, NeedsTwoBarriersInABlockOf128) {
  const auto all = counts_of("first_add", case_of(25'600)),
             two = counts_of("last_warp_unrolled", case_of(25'600));
  if (!all) GTEST_SKIP() << "barriers are counted on the emulator";
  EXPECT_EQ(all->barriers, 100u * 8);
  EXPECT_EQ(two->barriers, 100u * 2);
}

TEST(ReductionFullyUnrolled, NeedsTheBarriersOfItsSize) {
  for (const auto& [block, barriers] : {std::pair{128u, 2u}, {256u, 3u}, {512u, 4u}}) {
    const auto counts =
        counts_of("fully_unrolled", case_of(2048 * 100, sum, DType::i32, Extent3{block, 1, 1}));
    if (!counts) GTEST_SKIP() << "barriers are counted on the emulator";
    EXPECT_EQ(counts->barriers, counts->blocks * barriers) << block;
  }
}

TEST(ReductionWarpShuffle, NeedsOneBarrierABlock) {
  const auto counts = counts_of("warp_shuffle", case_of(100'000));
  if (!counts) GTEST_SKIP() << "barriers are counted on the emulator";
  EXPECT_EQ(counts->barriers, counts->blocks);
}

TEST(ReductionSinglePass, LaunchesOneKernel) {
  for (const Operation operation : {sum, mean}) {
    const auto counts = counts_of("single_pass", case_of(100'000, operation));
    if (!counts) GTEST_SKIP() << "launches are counted on the emulator";
    EXPECT_EQ(counts->launches, 1u);
  }
}

// ---- what the lens counts

/// The launch of the rung's own kernel; nothing on a GPU.
std::optional<lens::Launch> recorded(const std::string& rung, const Case& c) {
  for (lens::Launch& launch : record_rung(problem(), rung_of(problem(), rung), c))
    if (launch.kernel.find("reduction_" + rung) != std::string::npos) return std::move(launch);
  return std::nullopt;
}

TEST(ReductionLens, AtomicsOfAWarpAllGoToOneAddress) {
  const auto launch = recorded("naive_atomic", case_of(4096));
  if (!launch) GTEST_SKIP() << "the lens needs the emulator";
  const lens::AtomicCounts& atomics = launch->counts.global_atomics;
  EXPECT_EQ(atomics.requests, 128u);
  EXPECT_EQ(atomics.addresses, 128u);
  EXPECT_EQ(atomics.lanes, 4096u);
  EXPECT_EQ(atomics.serial, 4096u);
}

TEST(ReductionLens, TheTreesTradeDivergenceForConflictsAndThenHaveNeither) {
  // One block of 128: 127 combinations in 7 steps.
  const auto interleaved = recorded("interleaved", case_of(128)),
             strided = recorded("interleaved_strided", case_of(128)),
             sequential = recorded("sequential", case_of(128));
  if (!interleaved) GTEST_SKIP() << "the lens needs the emulator";
  const auto& [warps, words, both] = std::tie(interleaved->counts, strided->counts, sequential->counts);

  // Steps of 64, 32, ... elements: every warp takes part in five of them, then two, then one.
  EXPECT_EQ(warps.shared_load.requests, 2u * (5 * 4 + 2 + 1) + 1);
  EXPECT_EQ(warps.shared_load.bank_conflicts(), 0u);
  EXPECT_EQ(words.shared_load.requests, 2u * (2 + 6) + 1);
  // A request takes as many turns as its lanes share banks: 2, 2, 4, 4, 4, 4, 2 and 1.
  EXPECT_EQ(words.shared_load.wavefronts, 2u * (2 * 2 + 4 + 4 + 4 + 4 + 2 + 1) + 1);
  EXPECT_EQ(words.shared_load.wavefronts, warps.shared_load.wavefronts) << "the price is the same";
  EXPECT_EQ(both.shared_load.requests, words.shared_load.requests);
  EXPECT_EQ(both.shared_load.wavefronts, both.shared_load.requests);
  EXPECT_EQ(both.shared_store.bank_conflicts(), 0u);

  EXPECT_GT(warps.branches.divergent, 20u);
  EXPECT_LT(words.branches.divergent, 10u);
  EXPECT_EQ(both.branches.divergent, words.branches.divergent);
  EXPECT_LT(*warps.average_active_lanes(), 20.0);
  EXPECT_GT(*both.average_active_lanes(), 26.0);
}

TEST(ReductionLens, SinglePassLoadsSixteenSectorsARequest) {
  for (const DType dtype : {DType::i32, DType::f32, DType::f64}) {
    const auto launch =
        recorded("single_pass", case_of(1 << 18, sum, dtype, Extent3{256, 1, 1}, Extent3{8, 1, 1}));
    if (!launch) GTEST_SKIP() << "the lens needs the emulator";
    const std::uint64_t requests = (std::uint64_t{1} << 18) * size_of(dtype) / 512;
    std::uint64_t of_vectors = 0, of_others = 0;
    for (const lens::Line& line : launch->lines) {
      const lens::SectorCounts& load = line.counts.global_load;
      if (load.requests < requests / 8) {
        of_others += load.requests;
        continue;
      }
      EXPECT_EQ(load.sectors, 16 * load.requests) << line.line;
      of_vectors += load.requests;
    }
    EXPECT_EQ(of_vectors, requests) << name_of(dtype);
    EXPECT_LE(of_others, 1u) << "the last block reads eight results";
    EXPECT_EQ(launch->counts.global_atomics.lanes, 8u) << "one ticket per block";
  }
}

TEST(ReductionLens, FindsNothingWrongWithAnyRung) {
  for (const Rung& rung : problem().rungs()) {
    if (!rung.peer_of.empty()) continue;
    for (const Case& c : {case_of(5003), problem().for_rung(case_of(1021, mean, DType::f32), rung),
                          case_of(777, min, DType::f64)})
      for (const lens::Launch& launch : record_rung(problem(), rung, c))
        for (const lens::Finding& finding : launch.findings)
          ADD_FAILURE() << rung.name << ": " << name_of(finding.kind) << " at " << finding.file << ":"
                        << finding.line << ": " << finding.text;
  }
}

// ---- the handout's mistakes

#ifdef WARPLAB_BACKEND_CUDA
constexpr const char* no_warplab_cc = "warplab-cc belongs to the emulator";
#elif defined(__SANITIZE_ADDRESS__)
constexpr const char* no_warplab_cc = "a user's program does not link what a sanitizer needs";
#else
constexpr const char* no_warplab_cc = nullptr;
#endif

/// Builds a program of mistakes/ with warplab-cc and runs it under the lens, as in the handout.
std::string through_the_lens(const std::string& name) {
  const ScratchFolder folder;
  const std::string program = folder / name,
                    source = WARPLAB_SOURCE_DIR "/labs/08_reduction/mistakes/" + name;
  const std::string command = "'" WARPLAB_BINARY_DIR "/bin/warplab-cc' '" + source + ".cu' -o '" + program +
                              "' && WARPLAB_LENS=1 '" + program + "'";
  const house::Outcome outcome = house::run(command);
  return outcome.output + (outcome.exit_code == 0 ? "" : "\nfailed: " + command);
}

/// "mistakes/past_the_end.cu:17": where the line with this text is in a program of mistakes/.
std::string place_of(const std::string& file, const std::string& text) {
  std::ifstream in(WARPLAB_SOURCE_DIR "/labs/08_reduction/mistakes/" + file);
  int number = 1;
  for (std::string line; std::getline(in, line); ++number)
    if (line.find(text) != std::string::npos) return file + ":" + std::to_string(number);
  return "no line has " + text;
}

TEST(ReductionMistakes, TheLensFindsTheRaceOfLanesWithoutSyncwarp) {
  if (no_warplab_cc) GTEST_SKIP() << no_warplab_cc;
  const std::string output = through_the_lens("lock_step");
  EXPECT_EQ(output.find("failed: "), std::string::npos) << output;
  EXPECT_NE(output.find("and should be 523776"), std::string::npos) << output;
  EXPECT_EQ(output.find("the sum is 523776"), std::string::npos) << "here lanes do not run in lock-step\n"
                                                                 << output;
  const std::size_t findings = output.find("findings: ");
  ASSERT_NE(findings, std::string::npos) << output;
  const std::string found = output.substr(findings);
  EXPECT_NE(found.find("race: reduce"), std::string::npos) << found;
  for (const char* distance : {"32", "16", "1"})
    EXPECT_NE(found.find(place_of("lock_step.cu", "sums[tid + " + std::string(distance) + "];")),
              std::string::npos)
        << distance << "\n"
        << found;
  EXPECT_NE(found.find("put __syncwarp() in between"), std::string::npos) << found;
  EXPECT_EQ(found.find(place_of("lock_step.cu", "sums[tid + stride]")), std::string::npos)
      << "that step has a barrier";
}

TEST(ReductionMistakes, TheLensFindsReadsPastTheEnd) {
  if (no_warplab_cc) GTEST_SKIP() << no_warplab_cc;
  const std::string output = through_the_lens("past_the_end");
  EXPECT_EQ(output.find("failed: "), std::string::npos) << output;
  EXPECT_NE(output.find("n = 1024: no error: the sum is 523776, and should be 523776"), std::string::npos)
      << output;
  EXPECT_NE(output.find("n = 1100: no error: the sum is 523776, and should be 604450"), std::string::npos)
      << output;
  EXPECT_NE(output.find("findings: 1"), std::string::npos) << output;
  EXPECT_NE(output.find("out of bounds: reduce, block (3, 0, 0), thread (104, 0, 0)"), std::string::npos)
      << output;
  EXPECT_NE(output.find(place_of("past_the_end.cu", "in[i + block_size]")), std::string::npos) << output;
  EXPECT_NE(output.find("(24 times)"), std::string::npos) << output;
}

// ---- the problem

TEST(ReductionProblem, ToleratesAsManyRoundingsAsTheRungsOrderHas) {
  const auto bound = [](const std::string& rung, std::int64_t n, Operation operation, DType dtype) {
    const Case c = problem().for_rung(case_of(n, operation, dtype), rung_of(problem(), rung));
    return problem().tolerance(c, 0).atol;
  };
  const double u = 0x1p-24;
  // Chains of 10^4, 79 + 7 and 40 + 7 + 1 additions of numbers whose magnitudes sum to 10^4 at most.
  EXPECT_NEAR(bound("naive_atomic", 10'000, sum, DType::f32), 1e4 * u * 1e4, 1e-2 * 1e4 * u * 1e4);
  EXPECT_NEAR(bound("sequential", 10'000, sum, DType::f32), 86 * u * 1e4, 1e-2 * 86 * u * 1e4);
  EXPECT_NEAR(bound("first_add", 10'000, sum, DType::f32), 48 * u * 1e4, 1e-2 * 48 * u * 1e4);
  EXPECT_LT(bound("single_pass", 10'000, sum, DType::f32), 30 * u * 1e4);
  EXPECT_LT(bound("single_pass", 100'000'000, sum, DType::f32), 1e3 * u * 1e8);
  EXPECT_LT(bound("sequential", 10'000, sum, DType::f64), 1e-9);
  EXPECT_LT(bound("sequential", 10'000, mean, DType::f32), 1e-13);
  for (const Rung& rung : problem().rungs()) {
    EXPECT_EQ(bound(rung.name, 10'000, sum, DType::i32), 0) << rung.name;
    EXPECT_EQ(bound(rung.name, 10'000, mean, DType::i32), 0) << rung.name;
    EXPECT_EQ(bound(rung.name, 10'000, max, DType::f32), 0) << rung.name;
    EXPECT_TRUE(std::isfinite(bound(rung.name, 1'000'000'000, sum, DType::f32))) << rung.name;
  }
  // Without a rung nothing is known but that n numbers have fewer than n additions.
  EXPECT_GE(problem().tolerance(case_of(10'000, sum, DType::f32), 0).atol, 1e4 * u * 1e4);
}

TEST(ReductionProblem, TheBoundHoldsForAChainAndASmallerOneWouldNot) {
  // 1 + 2^-24 + 2^-24 + ...: every addition rounds down to 1 again, by u each.
  const std::int64_t n = 10'001;
  HostArray in(DType::f32, {n});
  std::ranges::fill(in.as<float>(), 0x1p-24f);
  in.as<float>()[0] = 1;
  const double exact =
      static_cast<double>(problem().expected(case_of(n, sum, DType::f32), {in})[0].as<float>()[0]);
  EXPECT_FLOAT_EQ(static_cast<float>(exact), 1 + 1e4f * 0x1p-24f);
  Case c = case_of(n, sum, DType::f32);
  problem().command_line().adopt_input(c, in);
  c.set_param("additions", n - 1);
  const double error = exact - 1;
  EXPECT_LE(error, problem().tolerance(c, 0).atol + problem().tolerance(c, 0).rtol * exact);
  c.set_param("additions", 0.9 * static_cast<double>(n));
  EXPECT_GT(error, problem().tolerance(c, 0).atol + problem().tolerance(c, 0).rtol * exact);
}

TEST(ReductionProblem, AnswersForArraysThatAreGiven) {
  HostArray in(DType::f32, {3});
  std::ranges::copy(std::vector{1e6f, -2e6f, 0.5f}, in.as<float>().begin());
  Case c = case_of(5, sum, DType::i32);
  problem().command_line().adopt_input(c, in);
  EXPECT_EQ(c.extent("n"), 3);
  EXPECT_EQ(c.dtype, DType::f32);
  EXPECT_NEAR(c.param("sum_of_magnitudes", 0), 3000000.5, 10);
  in.as<float>()[1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_ANY_THROW(problem().command_line().adopt_input(c, in));
}

TEST(ReductionProblem, ReadsItsOwnFlag) {
  Case c = case_of(5);
  Replacements none;
  problem().command_line().configure(c, {{"op", "mean"}}, none);
  EXPECT_EQ(c.param("op", -1), mean);
  EXPECT_EQ(problem().outputs(c)[0].dtype, DType::f64);
  EXPECT_ANY_THROW(problem().command_line().configure(c, {{"op", "average"}}, none));
}

TEST(ReductionProblem, ReplaysThePublishedFigures) {
  std::map<std::string, double> published;
  for (const Experiment& row : problem().experiments()) {
    EXPECT_NE(problem().find_rung(row.rung), nullptr) << row.rung;
    EXPECT_EQ(*row.problem_case.block, (Extent3{128, 1, 1})) << row.label;
    EXPECT_EQ(row.problem_case.extent("n"), backend == Backend::cuda ? 1'000'000'000 : 1 << 22) << row.label;
    EXPECT_NE(row.note, "") << row.label;
    if (!row.published.empty()) published[row.rung] = row.published.at("time_s");
  }
  EXPECT_EQ(published, (std::map<std::string, double>{{"naive_atomic", 0.066568},
                                                      {"first_add", 0.056204},
                                                      {"last_warp_unrolled", 0.028024},
                                                      {"fully_unrolled", 0.026024}}));
}

TEST(ReductionProblem, PublicCasesReachEveryOperationTypeAndAwkwardSize) {
  for (const Rung& rung : problem().rungs()) {
    std::set<std::pair<double, DType>> kinds;
    std::set<std::int64_t> sizes;
    for (const Case& c : problem().public_cases(rung)) {
      kinds.insert({c.param("op", -1), c.dtype});
      sizes.insert(c.extent("n"));
      EXPECT_EQ(problem().outputs(c).size(), 1u);
    }
    EXPECT_EQ(kinds.size(), 12u) << rung.name;
    for (const std::int64_t n : {0, 1, 31, 32, 33, 997, 65'537})
      EXPECT_TRUE(sizes.contains(n)) << rung.name << " is not tried at " << n;
  }
}

}  // namespace
}  // namespace warplab

WARPLAB_LAB_TESTS(reduction);
