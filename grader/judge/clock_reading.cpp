#include "grader/judge/clock_reading.hpp"

#include <fmt/format.h>

namespace warplab {

std::string sentence_of(const ClockReading& reading) {
  using enum ClockReading::Verdict;
  std::string text = fmt::format("On the {}", reading.device);
  if (!reading.input.empty()) text += fmt::format(", at {},", reading.input);
  if (reading.verdict == not_timed) return text + " it was not timed: " + reading.reason;
  if (reading.verdict == not_believed) return text + " its time is not believed: " + reading.reason;
  const ClockReading::Ratio ratio = reading.ratio.value_or(ClockReading::Ratio());
  text += fmt::format(" it took {:.2f} times as long as our own version ({:.2f} to {:.2f}): ", ratio.median,
                      ratio.low, ratio.high);
  const std::string asked = fmt::format("at most {:g} times", reading.most);
  if (reading.verdict == meets) return text + "as fast as is asked, " + asked;
  if (reading.verdict == misses) return text + "slower than is asked, " + asked;
  return text +
         fmt::format("{} rounds cannot tell whether that is as fast as is asked, {}", reading.rounds, asked);
}

}  // namespace warplab
