#pragma once

#include <optional>
#include <string>

namespace warplab {

/// What a clock on a GPU said of a task's solution, timed paired with our own version of the rung. It
/// informs, and gives no points: the times come from a process that holds the student's code.
struct ClockReading {
  enum class Verdict {
    meets,         ///< as fast as is asked
    misses,        ///< slower
    cannot_tell,   ///< the times scatter around what is asked, however often they were taken
    not_believed,  ///< faster than the device allows: `reason`
    not_timed      ///< it does not compile for a GPU, or is not right there: `reason`
  };
  /// Of its time to ours, each round's: the median, and an interval that holds the true one.
  struct Ratio {
    double median = 0, low = 0, high = 0;
  };
  Verdict verdict = Verdict::not_timed;
  std::string device;  ///< "NVIDIA H100 80GB HBM3"
  std::string input;   ///< "4096x4096 float"
  double most = 0;     ///< the largest ratio that meets what is asked
  int rounds = 0;
  std::optional<Ratio> ratio = {};
  std::string reason = {};
};

/// "meets", "misses", "cannot tell", "not believed", "not timed"
const char* name_of(ClockReading::Verdict verdict);

/// For a student: "On the NVIDIA H100 it took 1.08 times as long as our own version (1.06 to 1.10): as fast
/// as is asked".
std::string sentence_of(const ClockReading& reading);

}  // namespace warplab
