#pragma once

#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/host/compare.hpp"
#include "harness/rung/rung_request.hpp"

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
  bool in_layers = false;  ///< whether a grid went on in z where graded code has fewer blocks in y
  std::vector<lens::Finding> findings = {};
};

/// All that is known, with findings one below the other. Without addresses and folders, which differ from run
/// to run.
std::string public_text(const Failure& failure);

/// File, line and kernel of findings; the kernel without its template arguments.
using Places = std::set<std::tuple<std::string, int, std::string>>;

/// What a student may learn of a hidden case: fixed sentences, the name of an error that kernels end with,
/// and of the first finding its kind and its hint; its function and line only where public cases have shown
/// that line already. It holds no text that a rung or the emulator wrote, and nothing that a file of many
/// lines, kernels or errors could choose among by its input.
std::string hidden_text(const Failure& failure, const Places& shown = {});

/// The lines of a failure's findings that public_text() shows.
Places places_in(const Failure& failure);

}  // namespace warplab
