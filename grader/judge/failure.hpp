#pragma once

#include <string>
#include <vector>

#include "common/compare.hpp"
#include "harness/rung_request.hpp"

namespace warplab {

/// Why a call of a rung did not pass, as data. A text is made of it last: one for public cases, which says
/// all, and one for hidden cases, which says nothing of the input.
struct Failure {
  enum class Kind {
    refused,       ///< the launcher refuses a case that it must take
    ended_badly,   ///< it crashed, threw, or wrote where it must not
    timed_out,     ///< it did not end
    not_recorded,  ///< not all that it launched was recorded
    wrong_values,
    not_computed,  ///< the values are right, and its kernels cannot have computed them
    findings       ///< the values are right, and the lens found a mistake
  };
  Kind kind = Kind::ended_badly;
  std::string details;     ///< for public cases: what the worker, the comparison or the limit reports
  int cuda_error = 0;      ///< the number of the error that it ended with, or 0
  double share_wrong = 0;  ///< of the elements, 0 to 1
  bool launched = true;    ///< whether it launched a kernel
  std::vector<lens::Finding> findings = {};
};

/// All that is known, with findings one below the other. Without addresses and folders, which differ from run
/// to run.
std::string public_text(const Failure& failure);

/// What a student may learn of a hidden case: fixed sentences, the name of a CUDA error, and of the first
/// finding its kind, its function, its hint and, where the line table has it, its line. It holds no text that
/// a rung or the emulator wrote: that could hold anything of the input.
std::string hidden_text(const Failure& failure);

}  // namespace warplab
