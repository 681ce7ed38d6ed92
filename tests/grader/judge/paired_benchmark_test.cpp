// What the clock says, with times of a test's own: three verdicts, what is not
// believed, and what is not timed.
#include "grader/clock/paired_benchmark.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "tests/grader/judge/host_adder.hpp"

namespace warplab {
namespace {

using Verdict = ClockReading::Verdict;

/// Does lab 02's work, and says that its i-th measured call took what a function of i says, in milliseconds.
class FakeRung : public RungRunner {
 public:
  explicit FakeRung(std::function<double(int)> ms) : ms_(std::move(ms)) {}
  RungReply run(const RungRequest& request) override {
    RungReply reply = adder_.run(request);
    if (request.measure) {
      reply.samples_ms.assign(static_cast<std::size_t>(request.benchmark.repeat), ms_(measured++));
      samples.insert(request.benchmark.repeat);
    }
    meddle(request, reply);
    return reply;
  }
  int measured = 0;
  std::set<int> samples;
  std::function<void(const RungRequest&, RungReply&)> meddle = [](const RungRequest&, RungReply&) {};

 private:
  std::function<double(int)> ms_;
  HostAdder adder_;
};

std::function<double(int)> always(double ms) {
  return [ms](int) { return ms; };
}

TimedCase vector_add() {
  const Problem& problem = *problem_registry().at("vector_add");
  Case c = problem.default_case(Backend::emulator);
  c.size = {{"n", 1000}};
  c.seed = 7;
  auto arrays = std::make_shared<CaseArrays>();
  arrays->inputs = problem.inputs(c);
  arrays->expected = problem.expected(c, arrays->inputs);
  return {problem, *problem.find_rung("one_per_thread"), c, arrays};
}

ClockReading reading_of(FakeRung& theirs, FakeRung& ours, double min_ms = 0.1) {
  return run_paired_benchmark(vector_add(), theirs, ours, min_ms, 1.25);
}

TEST(PairedBenchmark, AsFastAsIsAskedMeetsInEightRounds) {
  FakeRung theirs(always(1.08)), ours(always(1));
  const ClockReading reading = reading_of(theirs, ours);
  EXPECT_EQ(reading.verdict, Verdict::meets);
  ASSERT_TRUE(reading.ratio);
  EXPECT_DOUBLE_EQ(reading.ratio->median, 1.08);
  EXPECT_EQ(reading.rounds, 8);
  EXPECT_EQ(reading.input, "1000 float");
  EXPECT_EQ(theirs.measured, 9);  // one wakes the device up
  EXPECT_EQ(ours.measured, 9);
}

TEST(PairedBenchmark, SlowerMisses) {
  FakeRung theirs(always(1.5)), ours(always(1));
  EXPECT_EQ(reading_of(theirs, ours).verdict, Verdict::misses);
}

TEST(PairedBenchmark, ExactlyWhatIsAskedMeets) {
  FakeRung theirs(always(1.25)), ours(always(1));
  EXPECT_EQ(reading_of(theirs, ours).verdict, Verdict::meets);
}

TEST(PairedBenchmark, TimesThatScatterAroundWhatIsAskedAreTakenAgainAndThenLeftOpen) {
  FakeRung theirs([](int i) { return i % 2 ? 1.1 : 1.4; }), ours(always(1));
  const ClockReading reading = reading_of(theirs, ours);
  EXPECT_EQ(reading.verdict, Verdict::cannot_tell);
  EXPECT_EQ(reading.rounds, 32);
  ASSERT_TRUE(reading.ratio);
  EXPECT_LT(reading.ratio->low, 1.25);
  EXPECT_GT(reading.ratio->high, 1.25);
}

TEST(PairedBenchmark, OneOutlierIsForgivenOnceThereAreMoreRounds) {
  FakeRung theirs([](int i) { return i == 3 ? 9 : 1; }), ours(always(1));
  const ClockReading reading = reading_of(theirs, ours);
  EXPECT_EQ(reading.verdict, Verdict::meets);
  EXPECT_EQ(reading.rounds, 16);
}

TEST(PairedBenchmark, WhatSlowsBothDownChangesNothing) {
  const auto drift = [](int i) { return 1 + 0.2 * i; };
  FakeRung theirs([&](int i) { return 1.1 * drift(i); }), ours(drift);
  const ClockReading reading = reading_of(theirs, ours);
  EXPECT_EQ(reading.verdict, Verdict::meets);
  EXPECT_DOUBLE_EQ(reading.ratio->high, 1.1);
}

TEST(PairedBenchmark, FasterThanTheDeviceAllowsIsNotBelieved) {
  FakeRung theirs(always(0.05)), ours(always(1));
  const ClockReading reading = reading_of(theirs, ours, 0.2);
  EXPECT_EQ(reading.verdict, Verdict::not_believed);
  EXPECT_FALSE(reading.ratio);
  EXPECT_NE(reading.reason.find("0.05 ms"), std::string::npos) << reading.reason;
  EXPECT_NE(reading.reason.find("0.2 ms"), std::string::npos) << reading.reason;
}

TEST(PairedBenchmark, NoTimeAtAllIsNotBelievedEither) {
  FakeRung theirs(always(0)), ours(always(1));
  EXPECT_EQ(reading_of(theirs, ours, 0).verdict, Verdict::not_believed);
}

TEST(PairedBenchmark, WhatIsNoTimeIsNotTaken) {
  for (const double lie :
       {std::numeric_limits<double>::quiet_NaN(), -1.0, std::numeric_limits<double>::infinity()}) {
    FakeRung theirs(always(lie)), ours(always(1));
    EXPECT_EQ(reading_of(theirs, ours).verdict, Verdict::not_timed) << lie;
  }
  FakeRung theirs(always(1)), ours(always(1));
  theirs.meddle = [](const RungRequest&, RungReply& reply) { reply.samples_ms.resize(100'000, 0.3); };
  EXPECT_EQ(reading_of(theirs, ours).verdict, Verdict::not_timed);
}

TEST(PairedBenchmark, WhatIsWrongOnTheGpuIsNotTimed) {
  FakeRung theirs(always(1)), ours(always(1));
  theirs.meddle = [](const RungRequest& request, RungReply&) { request.outputs[0].data[3] ^= std::byte{64}; };
  const ClockReading reading = reading_of(theirs, ours);
  EXPECT_EQ(reading.verdict, Verdict::not_timed);
  EXPECT_NE(reading.reason.find("1 of 1000 elements"), std::string::npos) << reading.reason;
  EXPECT_EQ(theirs.measured, 0);
}

TEST(PairedBenchmark, WhatIsRightOnlyWhileNobodyTimesItIsNotTimed) {
  FakeRung theirs(always(1)), ours(always(1));
  theirs.meddle = [](const RungRequest& request, RungReply&) {
    if (request.measure) std::memset(request.outputs[0].data, 0, 64);
  };
  EXPECT_EQ(reading_of(theirs, ours).verdict, Verdict::not_timed);
}

TEST(PairedBenchmark, AStubIsNotTimed) {
  FakeRung theirs(always(1)), ours(always(1));
  theirs.meddle = [](const RungRequest&, RungReply& reply) {
    reply.status = RungStatus::todo;
    reply.why = "to do: write the kernel";
  };
  EXPECT_EQ(reading_of(theirs, ours).verdict, Verdict::not_timed);
  EXPECT_EQ(theirs.measured, 0);
}

TEST(PairedBenchmark, LongKernelsAreLaunchedLessOften) {
  FakeRung quick_theirs(always(1)), quick_ours(always(1));
  (void)reading_of(quick_theirs, quick_ours);
  EXPECT_EQ(quick_theirs.samples, (std::set<int>{1, 10}));
  FakeRung theirs(always(200)), ours(always(1));
  EXPECT_EQ(reading_of(theirs, ours).verdict, Verdict::misses);
  EXPECT_EQ(theirs.samples, (std::set<int>{1, 2}));
  EXPECT_EQ(ours.samples, (std::set<int>{1, 2}));
}

TEST(PairedBenchmark, WhatFailsOfOursIsNoStudentsFault) {
  FakeRung theirs(always(1)), ours(always(1));
  ours.meddle = [](const RungRequest&, RungReply& reply) {
    reply.status = RungStatus::failed;
    reply.why = "the device is gone";
  };
  EXPECT_THROW((void)reading_of(theirs, ours), std::runtime_error);
}

TEST(ClockReading, SaysInASentenceWhatItMeans) {
  ClockReading reading;
  reading.verdict = Verdict::meets;
  reading.device = "NVIDIA H100";
  reading.input = "4096x4096 float";
  reading.most = 1.25;
  reading.rounds = 8;
  reading.ratio = {1.08, 1.06, 1.10};
  EXPECT_EQ(sentence_of(reading),
            "On the NVIDIA H100, at 4096x4096 float, it took 1.08 times as long as our own version (1.06 to "
            "1.10): as fast as is asked, at most 1.25 times");
  reading.verdict = Verdict::misses;
  EXPECT_NE(sentence_of(reading).find("slower than is asked, at most 1.25 times"), std::string::npos);
  reading.verdict = Verdict::cannot_tell;
  EXPECT_NE(sentence_of(reading).find("8 rounds cannot tell"), std::string::npos);
  reading.verdict = Verdict::not_timed;
  reading.reason = "it does not compile for a GPU";
  EXPECT_EQ(sentence_of(reading),
            "On the NVIDIA H100, at 4096x4096 float, it was not timed: it does not compile for a GPU");
}

}  // namespace
}  // namespace warplab
