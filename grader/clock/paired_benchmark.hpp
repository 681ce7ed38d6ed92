#pragma once

#include <memory>

#include "grader/judge/case_arrays.hpp"
#include "grader/judge/clock_reading.hpp"
#include "harness/problem/problem.hpp"
#include "harness/rung/rung_request.hpp"

namespace warplab {

/// A case of a lab at a size that is worth a clock.
struct TimedCase {
  const Problem& problem;
  const Rung& rung;
  Case problem_case;
  std::shared_ptr<const CaseArrays> arrays;
};

/// How often two rungs are timed. The verdict is looked for after `first` rounds, and after each doubling up
/// to `last`: with three looks at 99 % each it is wrong in at most three of a hundred cases at the limit.
struct PairedRounds {
  int first = 8, last = 32;
  int samples = 10;          ///< launches of each rung in a round; fewer where they take long
  double confidence = 0.99;  ///< of the interval of the median ratio, at each look
  double samples_ms = 500;   ///< that those launches take at most, where one does not take longer
};

/// Verifies a student's rung, then times it against ours, round by round, and verifies what each round
/// leaves: a ratio of medians per round.
/// @param theirs, ours each a worker of its own. What `theirs` answers is data, whatever it holds
/// @param min_ms what the device takes at least for this case: below it no time is believed
/// @param most the ratio that is asked for
/// @return a reading without a device. @throws std::runtime_error if our own rung fails
ClockReading run_paired_benchmark(const TimedCase& timed, RungRunner& theirs, RungRunner& ours, double min_ms,
                                  double most, const PairedRounds& rounds = {});

}  // namespace warplab
