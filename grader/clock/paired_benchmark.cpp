#include "grader/clock/paired_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "common/host/statistics.hpp"
#include "harness/console/case_text.hpp"

namespace warplab {
namespace {

/// Why a rung gets no time at all: it failed, or is not right on the GPU.
struct NotTimed {
  std::string reason;
};

/// One of the two rungs. Outputs are poisoned before each call.
class TimedRung {
 public:
  TimedRung(const TimedCase& timed, RungRunner& runner)
      : timed_(timed),
        runner_(runner),
        outputs_(fresh_outputs(timed.problem, timed.problem_case, timed.arrays->inputs)) {}

  /// @throws NotTimed
  void verify() { (void)call(false, 0); }

  /// The median of so many launches, between two calls of which the second is verified. @throws NotTimed
  double time_ms(int samples) {
    RungReply reply = call(true, samples);
    const auto is_time = [](double ms) { return std::isfinite(ms) && ms >= 0; };
    if (reply.samples_ms.size() != static_cast<std::size_t>(samples) ||
        !std::ranges::all_of(reply.samples_ms, is_time))
      throw NotTimed{"its worker did not answer with times"};
    return median_of(reply.samples_ms);
  }

 private:
  RungReply call(bool measure, int samples) {
    renew_outputs(timed_.problem, timed_.problem_case, timed_.arrays->inputs, outputs_);
    RungRequest request =
        request_for(timed_.problem, timed_.rung, timed_.problem_case, timed_.arrays->inputs, outputs_);
    request.measure = measure;
    request.benchmark.repeat = samples;
    RungReply reply = runner_.run(request);
    if (reply.status != RungStatus::ok)
      throw NotTimed{fmt::format("right on the emulator, but not there: {}{}",
                                 reply.status == RungStatus::refused ? "it refused the case: " : "",
                                 reply.why)};
    for (std::size_t i = 0; i < outputs_.arrays.size(); ++i) {
      const Comparison comparison = timed_.problem.check(timed_.problem_case, timed_.arrays->inputs,
                                                         timed_.arrays->expected, i, outputs_.arrays[i]);
      if (!comparison.accepted)
        throw NotTimed{fmt::format("right on the emulator, but not there: {} of {} elements are wrong",
                                   comparison.mismatches, comparison.count)};
    }
    return reply;
  }

  const TimedCase& timed_;
  RungRunner& runner_;
  FreshOutputs outputs_;
};

/// Ours: a failure of it is not a student's fault.
template <class F>
auto own(const F& action) {
  try {
    return action();
  } catch (const NotTimed& failure) {
    throw std::runtime_error("our own version could not be timed: " + failure.reason);
  }
}

double rounded(double ratio) { return std::round(ratio * 1000) / 1000; }

ClockReading::Verdict verdict_of(const Interval& ratio, double most) {
  return ratio.high <= most ? ClockReading::Verdict::meets
         : ratio.low > most ? ClockReading::Verdict::misses
                            : ClockReading::Verdict::cannot_tell;
}

/// The two, round after round.
class PairedBenchmark {
 public:
  PairedBenchmark(const TimedCase& timed, RungRunner& theirs, RungRunner& ours, double min_ms,
                  const PairedRounds& rounds)
      : theirs_(timed, theirs), ours_(timed, ours), min_ms_(min_ms), rounds_(rounds) {}

  void run(ClockReading& reading) {
    theirs_.verify();
    own([&] { ours_.verify(); });
    // Also wakes the device up: these times count for nothing else.
    const double slower_ms = std::max(theirs_.time_ms(1), own([&] { return ours_.time_ms(1); }));
    const int samples = static_cast<int>(std::clamp(rounds_.samples_ms / std::max(slower_ms, 1e-6), 1.0,
                                                    static_cast<double>(rounds_.samples)));
    std::vector<double> ratios;
    for (int look = rounds_.first;
         look <= rounds_.last && reading.verdict == ClockReading::Verdict::cannot_tell; look *= 2) {
      while (std::ssize(ratios) < look) ratios.push_back(round(static_cast<int>(ratios.size()), samples));
      const Interval interval = median_interval(ratios, rounds_.confidence).value();
      std::vector<double> sorted = ratios;
      reading.rounds = look;
      reading.ratio = {rounded(median_of(sorted)), rounded(interval.low), rounded(interval.high)};
      reading.verdict = verdict_of({reading.ratio->low, reading.ratio->high}, reading.most);
    }
  }

  /// Faster than the device allows.
  struct Unbelievable {
    double ms;
  };

 private:
  double round(int number, int samples) {
    double theirs_ms = 0, ours_ms = 0;
    const auto take_theirs = [&] { theirs_ms = theirs_.time_ms(samples); };
    const auto take_ours = [&] { ours_ms = own([&] { return ours_.time_ms(samples); }); };
    // In alternating order, so that what the device's clocks and temperature do, they do to both.
    if (number % 2 == 0) {
      take_theirs();
      take_ours();
    } else {
      take_ours();
      take_theirs();
    }
    if (theirs_ms <= 0 || theirs_ms < min_ms_) throw Unbelievable{theirs_ms};
    if (ours_ms <= 0) throw std::runtime_error("our own version took no time");
    return theirs_ms / ours_ms;
  }

  TimedRung theirs_, ours_;
  double min_ms_;
  const PairedRounds& rounds_;
};

}  // namespace

ClockReading run_paired_benchmark(const TimedCase& timed, RungRunner& theirs, RungRunner& ours, double min_ms,
                                  double most, const PairedRounds& rounds) {
  ClockReading reading;
  reading.verdict = ClockReading::Verdict::cannot_tell;
  reading.input = fmt::format("{} {}", size_text(timed.problem_case), name_of(timed.problem_case.dtype));
  reading.most = most;
  const auto end = [&](ClockReading::Verdict verdict, std::string reason) {
    reading.verdict = verdict;
    reading.reason = std::move(reason);
    reading.ratio.reset();
    reading.rounds = 0;
  };
  try {
    PairedBenchmark(timed, theirs, ours, min_ms, rounds).run(reading);
  } catch (const NotTimed& failure) {
    end(ClockReading::Verdict::not_timed, failure.reason);
  } catch (const PairedBenchmark::Unbelievable& time) {
    end(ClockReading::Verdict::not_believed,
        fmt::format("it is said to take {:.3g} ms, and this device takes {:.3g} ms at least for what must be "
                    "read, written and computed",
                    time.ms, min_ms));
  }
  return reading;
}

}  // namespace warplab
