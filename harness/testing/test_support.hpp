#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/problem/problem.hpp"
#include "harness/rung/rung_request.hpp"

namespace warplab {

/// The outcome of one rung at one case, for a test.
struct RungOutcome {
  RungStatus status = RungStatus::failed;
  std::string why;  ///< for any status but ok, and where an output differs
  bool inputs_changed = false;
  std::vector<HostArray> inputs, outputs;
  std::vector<Comparison> comparisons;            ///< one per output; empty unless the rung ran
  std::optional<LaunchCounts> counts;             ///< on the emulator
  std::optional<std::vector<lens::Launch>> lens;  ///< where it was asked for
  bool accepted() const { return status == RungStatus::ok; }
};

/// Runs a rung at a case in a worker (one per rung, kept for the whole test program) and compares its outputs
/// with the oracle's. A difference makes the status failed.
RungOutcome run_rung(const Problem& problem, const Rung& rung, const Case& c);

/// As above on given inputs and expected values, for a literal that is small enough to check by hand.
RungOutcome run_rung(const Problem& problem, const Rung& rung, const Case& c, std::vector<HostArray> inputs,
                     const std::vector<HostArray>& expected,
                     std::optional<std::uint64_t> lens_blocks = std::nullopt);

/// What the lens counts in every block of one call, which must be right: one entry per launch, with
/// lens::merge for all of them. Empty on a GPU.
std::vector<lens::Launch> record_rung(const Problem& problem, const Rung& rung, const Case& c);

/// The registered problem of a lab. @throws std::invalid_argument if none of that name is linked
const Problem& problem_of(const std::string& lab);

/// The rung of that name. @throws std::invalid_argument if there is none
const Rung& rung_of(const Problem& problem, const std::string& rung);

/// "TransposeTiledPadded" from "transpose" and "tiled_padded".
std::string suite_name(const std::string& lab, const std::string& rung);

/// Registers for each rung of the lab: `<Suite>.MatchesReferenceAtEverySize` and
/// `<Suite>.LeavesInputsUnchanged`, over all its public cases. Called by WARPLAB_LAB_TESTS.
void register_lab_tests(const std::string& lab);

}  // namespace warplab

/// Once in a lab's test program: its main function, which adds the tests that every rung must pass to those
/// in the file.
#define WARPLAB_LAB_TESTS(lab)              \
  int main(int argc, char** argv) {         \
    ::testing::InitGoogleTest(&argc, argv); \
    ::warplab::register_lab_tests(#lab);    \
    return RUN_ALL_TESTS();                 \
  }                                         \
  static_assert(true, "needs a semicolon")
