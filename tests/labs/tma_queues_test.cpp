// Lab 13: what its rungs promise beyond matching the reference: literals, every size of a queue, counts of
// the lens, refusals, and sizes that are computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "harness/rung/backend.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/rung/device_info.hpp"
#include "harness/testing/test_support.hpp"
#include "labs/13_tma_queues/problem/sizing_check.hpp"
#include "labs/13_tma_queues/queue_sizing.hpp"
#include "lens/merge.hpp"
#include "tests/common/command.hpp"

namespace warplab {
namespace {

const Problem& problem() { return problem_of("tma_queues"); }

enum Kernel { elementwise_k, elementwise, sum_vectors, dot_product, matrix_vector, matrix_matrix, stencil };

Case case_of(Kernel kernel, std::int64_t m, std::int64_t k, std::int64_t n = 1, int tile = 0, int slots = 0) {
  Case c = problem().default_case(Backend::emulator);
  c.size = {{"m", m}, {"k", k}, {"n", n}};
  c.set_param("kernel", kernel);
  if (tile != 0) c.set_param("tile", tile);
  if (slots != 0) c.set_param("slots", slots);
  return c;
}

/// Whether this device runs the rung, and the rung was built.
bool runs_here(const Rung& rung) {
  static const DeviceInfo device = query_device();
  return what_is_lacking(rung, DType::f32, device).empty() &&
         (rung.peer_of.empty() || std::filesystem::exists(module_path("tma_queues", rung.name)));
}

/// The rungs that run all kernels but the stencil, where this device can.
std::vector<Rung> general_rungs() {
  std::vector<Rung> rungs = problem().rungs();
  std::erase_if(rungs, [](const Rung& rung) {
    return rung.name == "stencil" || rung.name == "multicast" || !rung.peer_of.empty() || !runs_here(rung);
  });
  return rungs;
}

RungOutcome outcome_of(const Rung& rung, const Case& c) {
  return run_rung(problem(), rung, problem().for_rung(c, rung));
}

HostArray floats(std::vector<std::int64_t> shape, std::vector<float> values) {
  HostArray array(DType::f32, std::move(shape));
  std::ranges::copy(values, array.as<float>().begin());
  return array;
}

// ---- literals

TEST(TmaQueues, EveryRungComputesSixKernelsByHand) {
  struct Literal {
    Case c;
    std::vector<HostArray> in, out;
  };
  const HostArray a = floats({5}, {1, 2, 3, 4, 5}), b = floats({5}, {10, 0, -1, 2, 3});
  const HostArray rows = floats({2, 4}, {1, 2, 3, 99, 4, 5, 6, 99}), column = floats({1, 4}, {1, 0, 2, 99}),
                  columns = floats({2, 4}, {1, 0, 2, 99, 0, 1, 0, 99});
  Case scaled = case_of(elementwise_k, 1, 5);
  scaled.set_param("factor", 3);
  const Literal literals[] = {
      {scaled, {a}, {floats({5}, {3, 6, 9, 12, 15})}},
      {case_of(elementwise, 1, 5), {a, b}, {floats({5}, {10, 0, -3, 8, 15})}},
      {case_of(sum_vectors, 1, 5), {a, b}, {floats({5}, {11, 2, 2, 6, 8})}},
      {case_of(dot_product, 1, 5), {a, b}, {floats({1}, {30})}},
      {case_of(matrix_vector, 2, 3), {rows, column}, {floats({2, 1}, {7, 16})}},
      {case_of(matrix_matrix, 2, 3, 2), {rows, columns}, {floats({2, 2}, {7, 2, 16, 5})}},
  };
  for (const Rung& rung : general_rungs())
    for (const Literal& literal : literals) {
      const RungOutcome outcome =
          run_rung(problem(), rung, problem().for_rung(literal.c, rung), literal.in, literal.out);
      EXPECT_TRUE(outcome.accepted()) << rung.name << ": " << outcome.why;
    }
}

TEST(TmaQueuesStencil, HasZerosOutsideAndIsTransposed) {
  const Rung& rung = rung_of(problem(), "stencil");
  if (!runs_here(rung)) GTEST_SKIP() << "it needs " << rung.needs;
  const HostArray a = floats({2, 4}, {1, 2, 3, 99, 4, 5, 6, 99});
  const HostArray z =
      floats({3, 2}, {2 + 4 - 4, 1 + 5 - 16, 1 + 3 + 5 - 8, 2 + 4 + 6 - 20, 2 + 6 - 12, 3 + 5 - 24});
  const RungOutcome outcome =
      run_rung(problem(), rung, problem().for_rung(case_of(stencil, 2, 3), rung), {a}, {z});
  EXPECT_TRUE(outcome.accepted()) << outcome.why;
}

// ---- sizes

TEST(TmaQueues, EverySizeOfAQueueWorks) {
  for (const Rung& rung : general_rungs())
    for (const int tile : {64, 100, 1024, 8192})
      for (int slots = 1; slots <= 8; ++slots) {
        if (std::int64_t{8} * tile * slots > 200'000) continue;  // no room in shared memory
        const RungOutcome outcome = outcome_of(rung, case_of(sum_vectors, 1, 70'001, 1, tile, slots));
        EXPECT_TRUE(outcome.accepted())
            << rung.name << ", " << slots << " of " << tile << ": " << outcome.why;
      }
}

TEST(TmaQueues, WhatNoQueueCanBeIsRefusedInASentence) {
  struct Refusal {
    std::int64_t k;
    int tile, slots;
    const char* sentence;
  };
  const Refusal refusals[] = {
      {5000, 66, 2,
       "a tile of 66 elements is 264 bytes, and copies take multiples of 16: use a multiple of 4"},
      {5000, 64, 9, "a queue of 9 slots: it must have 1 to 8"},
      {5000, 64, -1, "a queue of -1 slots: it must have 1 to 8"},
      {5000, 8196, 1, "a tile of 8196 elements: it must have 4 to 8192"},
      {2000, 1024, 3,
       "a queue of 3 slots of 1024 elements is longer than its vector, which has 2000: use fewer or smaller "
       "slots"},
  };
  for (const Rung& rung : general_rungs()) {
    if (rung.name == "acta") continue;  // which chooses
    for (const auto& [k, tile, slots, sentence] : refusals) {
      const RungOutcome outcome = outcome_of(rung, case_of(sum_vectors, 1, k, 1, tile, slots));
      EXPECT_EQ(outcome.status, RungStatus::refused) << rung.name << ": " << sentence;
      EXPECT_EQ(outcome.why, sentence) << rung.name;
    }
  }
}

TEST(TmaQueues, AQueueWithoutRoomInSharedMemoryIsRefused) {
  for (const Rung& rung : general_rungs()) {
    if (rung.name == "acta" || rung.name == "synchronous" || rung.name == "double_buffer") continue;
    const RungOutcome outcome = outcome_of(rung, case_of(sum_vectors, 1, 100'000, 1, 8192, 8));
    EXPECT_EQ(outcome.status, RungStatus::refused) << rung.name;
    EXPECT_NE(outcome.why.find("queues of 8 slots of 8192 elements take"), std::string::npos) << outcome.why;
  }
}

// ---- what the lens counts

lens::Counts counts_of(const std::string& name, const Case& c) {
  using lens::operator+=;
  const Rung& rung = rung_of(problem(), name);
  lens::Counts counts;
  for (const lens::Launch& launch : record_rung(problem(), rung, problem().for_rung(c, rung)))
    counts += launch.counts;
  return counts;
}

constexpr const char* only_on_the_emulator = "the lens counts on the emulator";

TEST(TmaQueues, NothingGoesThroughRegisters) {
  if (backend != Backend::emulator) GTEST_SKIP() << only_on_the_emulator;
  const Case c = case_of(sum_vectors, 1, 65'536, 1, 512, 4);
  EXPECT_GT(counts_of("synchronous", c).shared_store.requests, 0u);
  for (const Rung& rung : general_rungs()) {
    if (rung.name == "synchronous") continue;
    const lens::Counts counts = counts_of(rung.name, c);
    EXPECT_EQ(counts.shared_store.requests, 0u) << rung.name;
    EXPECT_EQ(counts.shared_copy.bank_conflicts(), 0u) << rung.name;
  }
}

TEST(TmaQueues, ARingHasNoBarrierOfTheBlockPerTile) {
  if (backend != Backend::emulator) GTEST_SKIP() << only_on_the_emulator;
  const auto waits = [](const std::string& rung, std::int64_t k) {
    return counts_of(rung, case_of(sum_vectors, 1, k, 1, 64, 4)).barriers;
  };
  for (const Rung& rung : general_rungs()) {
    if (rung.name == "acta") continue;
    const bool is_ring = rung.name.starts_with("ring");
    EXPECT_EQ(waits(rung.name, 60'000) == waits(rung.name, 120'000), is_ring) << rung.name;
  }
}

TEST(TmaQueuesStencil, HasNoBankConflicts) {
  const Rung& rung = rung_of(problem(), "stencil");
  if (backend != Backend::emulator || !runs_here(rung)) GTEST_SKIP() << only_on_the_emulator;
  const lens::Counts counts = counts_of("stencil", case_of(stencil, 300, 100));
  EXPECT_EQ(counts.shared_load.wavefronts, counts.shared_load.ideal_wavefronts);
}

TEST(TmaQueuesLens, FindsNothingWrongWithAnyRung) {
  for (const Rung& rung : problem().rungs()) {
    if (!rung.peer_of.empty() || !runs_here(rung)) continue;
    for (const Kernel kernel : {sum_vectors, dot_product, matrix_matrix, stencil}) {
      const bool rows = kernel == matrix_matrix || kernel == stencil;
      const Case c =
          case_of(kernel, rows ? 40 : 1, rows ? 301 : 5003, kernel == matrix_matrix ? 20 : 1, 64, 3);
      if (!problem().runs_by_itself(c, rung)) continue;
      for (const lens::Launch& launch : record_rung(problem(), rung, problem().for_rung(c, rung)))
        for (const lens::Finding& finding : launch.findings)
          ADD_FAILURE() << rung.name << ": " << name_of(finding.kind) << " at " << finding.file << ":"
                        << finding.line << ": " << finding.text;
    }
  }
}

// ---- sizes that are computed

std::vector<Case> choices() {
  std::vector<Case> cases = problem().public_cases(rung_of(problem(), "acta"));
  std::erase_if(cases, [](const Case& c) { return c.param("choose", 0) == 0; });
  return cases;
}

TEST(TmaQueuesActa, NoConstantSizeWouldDo) {
  for (std::int64_t tile = 64; tile <= 8192; tile *= 2)
    for (std::int64_t slots = 1; slots <= 8; ++slots)
      EXPECT_TRUE(std::ranges::any_of(
          choices(), [&](const Case& c) { return SizingCheck(c).regret(tile, slots) > max_regret; }))
          << slots << " slots of " << tile << " elements pass every case";
}

TEST(TmaQueuesActa, TheBestSizeHasNoRegret) {
  for (const Case& c : choices()) {
    const SizingCheck check(c);
    EXPECT_EQ(check.regret(check.best()[0], check.best()[1]), 0);
    EXPECT_TRUE(check.judge(problem().expected(c, problem().inputs(c))[0]).accepted);
    EXPECT_EQ(check.demand().size(), static_cast<std::size_t>(queue_demand_numbers));
  }
}

TEST(TmaQueuesActa, SizesThatAreNoneAreNotAccepted) {
  const SizingCheck check(choices().front());
  HostArray chosen(DType::i64, {2});
  for (const auto& [tile, slots] : {std::pair{0, 1}, {65, 1}, {1024, 0}, {1024, 9}, {-64, 4}, {16'384, 1}}) {
    chosen.as<std::int64_t>()[0] = tile;
    chosen.as<std::int64_t>()[1] = slots;
    const Comparison comparison = check.judge(chosen);
    EXPECT_FALSE(comparison.accepted) << slots << " slots of " << tile;
    EXPECT_NE(comparison.report, "");
  }
}

TEST(TmaQueuesActa, AskingForADeviceThatIsNotThereIsAnError) {
  Case c = choices().front();
  c.set_param("device", 3);
  EXPECT_THROW(problem().inputs(c), std::invalid_argument);
}

// ---- the program

house::Outcome program(const std::string& arguments) {
  return house::run("'" WARPLAB_BINARY_DIR "/bin/tma_queues' " + arguments);
}

TEST(TmaQueuesProgram, AnswersBadInputWithASentenceAndCode2) {
  const std::pair<const char*, const char*> bad[] = {
      {"--kernel sum_vector", "--kernel sum_vector is unknown; did you mean sum_vectors?"},
      {"--slots 0", "--slots 0: a queue without slots holds no tile; it must have 1 to 8"},
      {"--size 2x100x1", "m is 2; a kernel of vectors has 1 row: use --size 1x1000x1"},
      {"--size 1x100x3", "n is 3; only matrix_matrix has more than 1 column"},
      {"--kernel dot_product --size 1x20000000x1",
       "k is 20000000; sums of more than 16777216 whole numbers are not exact in float"},
      {"--input a.npy", "--input a.npy: this lab makes its own numbers; --kernel and --size choose them"}};
  for (const auto& [arguments, sentence] : bad) {
    const auto [code, output] = program(arguments);
    EXPECT_EQ(code, 2) << arguments << "\n" << output;
    EXPECT_NE(output.find(sentence), std::string::npos) << arguments << "\n" << output;
  }
}

// ---- the problem

TEST(TmaQueuesProblem, ReplaysSixKernelsInSixVersions) {
  std::set<std::string> labels;
  for (const Experiment& row : problem().experiments()) {
    EXPECT_NE(problem().find_rung(row.rung), nullptr) << row.rung;
    EXPECT_NE(row.note, "") << row.label;
    labels.insert(row.label);
  }
  EXPECT_EQ(labels.size(), 36u);
}

TEST(TmaQueuesProblem, SearchesAllSizesOfEachKernel) {
  std::map<double, int> sizes;
  for (const Case& c : problem().sweep()) ++sizes[c.param("kernel", -1)];
  EXPECT_EQ(sizes.size(), 6u);
  for (const auto& [kernel, count] : sizes)
    EXPECT_GE(count, 20) << kernel;  // the emulator's vectors are short
}

TEST(TmaQueuesProblem, GapsBetweenRowsHoldNaN) {
  const std::vector<HostArray> in = problem().inputs(case_of(matrix_vector, 3, 5));
  EXPECT_EQ(in[0].shape(), (std::vector<std::int64_t>{3, 8}));
  EXPECT_FALSE(std::isnan(in[0].as<float>()[4]));
  for (int i = 5; i < 8; ++i) EXPECT_TRUE(std::isnan(in[0].as<float>()[static_cast<std::size_t>(i)]));
}

}  // namespace
}  // namespace warplab

WARPLAB_LAB_TESTS(tma_queues);
