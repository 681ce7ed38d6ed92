#pragma once

#include <optional>
#include <string>

#include "grader/term/term.hpp"

namespace warplab {

/// How late one submission is, and what that costs.
struct Lateness {
  unsigned days = 0;       ///< begun days after the deadline and the grace
  unsigned free_days = 0;  ///< of these, taken from the student's late days
  unsigned penalised = 0;  ///< the rest
  bool is_too_late = false;
  double kept = 1;  ///< the share of the points that is left
};

/// @param submitted when it was handed in; a submission without a time is not late
/// @param days_left the late days that the student has not used yet
Lateness lateness_of(std::optional<Instant> submitted, std::optional<Instant> deadline, unsigned days_left,
                     const Term& term);

/// "2 days late, 1 late day used, 10 % off"; "" for what is not late.
std::string words_for(const Lateness& late);

}  // namespace warplab
