// Whatever a rung does in its worker costs only that rung, and the reply says what it was.
#include "harness/worker/worker_client.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "common/host/compare.hpp"
#include "common/host/random.hpp"
#include "common/timer.hpp"
#include "harness/problem/problem.hpp"
#include "harness/rung/backend.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/rung/rung_session.hpp"
#include "harness/worker/rung_runners.hpp"

namespace warplab {
namespace {

/// A request to copy `count` floats.
class CopyRequest {
 public:
  explicit CopyRequest(std::int64_t count)
      : inputs_{HostArray(DType::f32, {count})}, outputs_{HostArray(DType::f32, {count})} {
    fill_random(inputs_[0], 1);
    request_.problem_case.size = {{"n", count}};
    request_.inputs = views_of(std::as_const(inputs_));
    request_.outputs = views_of(outputs_);
  }
  RungRequest& operator*() { return request_; }
  bool copied() const { return compare(outputs_[0], inputs_[0], {}).accepted; }
  const HostArray& output() const { return outputs_[0]; }

 private:
  std::vector<HostArray> inputs_, outputs_;
  RungRequest request_;
};

WorkerClient worker_for(const std::string& rung, double timeout_s = 60) {
  return WorkerClient(module_path("mischief", rung), {worker_path(), timeout_s, {}});
}

RungReply reply_of(const std::string& rung, std::int64_t count = 1000) {
  CopyRequest request(count);
  return worker_for(rung).run(*request);
}

TEST(Worker, ServesManyRequestsOfEverySize) {
  WorkerClient worker = worker_for("copies");
  for (std::int64_t count : {0, 1, 31, 1024, 1'000'003}) {
    CopyRequest request(count);
    const RungReply reply = worker.run(*request);
    EXPECT_EQ(reply.status, RungStatus::ok) << reply.why;
    EXPECT_TRUE(request.copied()) << count;
  }
}

/// How many processes this one has started that have not ended.
std::ptrdiff_t children() {
  std::ifstream list("/proc/thread-self/children");
  return std::distance(std::istream_iterator<int>(list), {});
}

TEST(RungRunners, KeepSomeWorkersForTheNextCase) {
  const std::ptrdiff_t before = children();
  for (const std::size_t idle : {0u, 1u, 2u}) {
    RungRunners runners({worker_path(), 60, {}}, false, idle);
    for (int round = 0; round < 2; ++round)
      for (const char* rung : {"copies", "keeps", "prints", "copies"}) {
        CopyRequest request(1000 + round);
        EXPECT_EQ(runners.of(module_path("mischief", rung)).run(*request).status, RungStatus::ok) << rung;
        EXPECT_TRUE(request.copied()) << rung;
        EXPECT_LE(children() - before, static_cast<std::ptrdiff_t>(idle) + 1) << rung;
      }
    EXPECT_EQ(children() - before, static_cast<std::ptrdiff_t>(idle) + 1);
  }
  EXPECT_EQ(children(), before);
}

TEST(RungRunners, GoOnAfterACrash) {
  RungRunners runners({worker_path(), 60, {}}, false, 2);
  for (const char* rung : {"copies", "crashes", "copies", "crashes", "keeps"}) {
    CopyRequest request(100);
    const RungReply reply = runners.of(module_path("mischief", rung)).run(*request);
    EXPECT_EQ(reply.status, rung == std::string("crashes") ? RungStatus::failed : RungStatus::ok);
    EXPECT_EQ(request.copied(), reply.status == RungStatus::ok) << rung;
  }
}

TEST(RungRunners, StayOnlyWhereADeviceHasRoom) {
  DeviceInfo device;
  device.free_bytes = 80ull << 30;
  EXPECT_EQ(idle_workers(device), 20u);
  device.free_bytes = 3ull << 30;
  EXPECT_EQ(idle_workers(device), 0u);
  device.free_bytes = 80ull << 30;
  device.emulator = true;
  EXPECT_EQ(idle_workers(device), 0u);
}

TEST(Worker, HandsBackPoisonWhereNothingWasWritten) {
  CopyRequest request(100);
  EXPECT_EQ(worker_for("silent").run(*request).status, RungStatus::ok);
  const Comparison comparison = compare(request.output(), HostArray(DType::f32, {100}), {});
  EXPECT_EQ(comparison.mismatches, 100);
  EXPECT_NE(comparison.report.find("never written"), std::string::npos);
}

TEST(Worker, ReportsACrashAndGoesOn) {
  WorkerClient worker = worker_for("crashes");
  for (int i = 0; i < 2; ++i) {
    CopyRequest request(10);
    const RungReply reply = worker.run(*request);
    EXPECT_EQ(reply.status, RungStatus::failed);
    EXPECT_NE(reply.why.find("crashed with SIG"), std::string::npos) << reply.why;
    EXPECT_NE(reply.errors.find("about to crash"), std::string::npos) << reply.errors;
    EXPECT_EQ(reply.printed, "before the crash\n");
  }
}

TEST(Worker, KillsARungThatDoesNotEnd) {
  CopyRequest request(10);
  const HostTimer timer;
  const RungReply reply = worker_for("loops", 0.5).run(*request);
  EXPECT_EQ(reply.status, RungStatus::failed);
  EXPECT_EQ(reply.why.rfind("did not finish within 0.5 s", 0), 0u) << reply.why;
  EXPECT_LT(timer.elapsed_ms(), 10'000);
}

TEST(Worker, ReportsARungThatEndsItsProcess) {
  const RungReply reply = reply_of("exits");
  EXPECT_EQ(reply.status, RungStatus::failed);
  EXPECT_EQ(reply.why, "ended its process with exit code 0");
}

TEST(Worker, DoesNotWaitForAChildThatARungLeft) {
  const HostTimer timer;
  const RungReply reply = reply_of("leaves_a_child");
  EXPECT_EQ(reply.why, "ended its process with exit code 3");
  EXPECT_LT(timer.elapsed_ms(), 10'000);
}

TEST(Worker, ReportsExceptions) {
  EXPECT_EQ(reply_of("throws").why, "it threw an exception: no patience");
  EXPECT_EQ(reply_of("throws").status, RungStatus::failed);
  EXPECT_EQ(reply_of("throws_int").why, "it threw something that is not a std::exception");
}

TEST(Worker, TellsAStubAndARefusalFromAFailure) {
  EXPECT_EQ(reply_of("todo").status, RungStatus::todo);
  EXPECT_EQ(reply_of("todo").why, "mischief_todo: copy the array");
  EXPECT_EQ(reply_of("refuses").status, RungStatus::refused);
  EXPECT_EQ(reply_of("refuses").why, "n must be a multiple of 7");
}

TEST(Worker, CatchesARungThatChangesItsInputs) {
  const RungReply reply = reply_of("changes_inputs");
  EXPECT_EQ(reply.status, RungStatus::failed);
  EXPECT_TRUE(reply.inputs_changed);
  EXPECT_EQ(reply.why, "it changed input 0, first at element 3");
  CopyRequest named(10);
  (*named).input_names = {"from"};
  EXPECT_EQ(worker_for("changes_inputs").run(*named).why, "it changed input `from`, first at element 3");
  CopyRequest large(9'000'000);  // which is looked through in pieces of 16 MiB
  (*large).problem_case.params = {{"at", 8'999'999}};
  EXPECT_EQ(worker_for("changes_inputs").run(*large).why, "it changed input 0, first at element 8999999");
}

TEST(Worker, CatchesWritesOutsideTheBuffers) {
  EXPECT_EQ(reply_of("writes_past_end").why,
            "output 0: something was written 16 bytes past the end of the buffer (4000 bytes)");
  EXPECT_EQ(reply_of("writes_before").why,
            "output 0: something was written 1 bytes before the start of the buffer (4000 bytes)");
  EXPECT_EQ(reply_of("writes_before").status, RungStatus::failed);
}

TEST(Worker, CatchesAnErrorThatTheRungDidNotCheck) {
  const RungReply reply = reply_of("unchecked");
  EXPECT_EQ(reply.status, RungStatus::failed);
  EXPECT_NE(reply.why.find("cudaErrorInvalid"), std::string::npos) << reply.why;
}

TEST(Worker, KeepsWhatARungPrints) {
  const RungReply reply = reply_of("prints");
  EXPECT_EQ(reply.status, RungStatus::ok);
  EXPECT_EQ(reply.printed, "hello from the rung");
  EXPECT_EQ(reply.errors, "and from its stderr\n");
}

TEST(Worker, CallsARungOnceMoreBeforeItIsProfiled) {
  CopyRequest request(1000);
  (*request).profiled = true;
  const RungReply reply = worker_for("prints").run(*request);
  EXPECT_EQ(reply.status, RungStatus::ok) << reply.why;
  EXPECT_TRUE(request.copied());
  const std::size_t first = reply.printed.find("hello from the rung");
  EXPECT_NE(reply.printed.find("hello from the rung", first + 1), std::string::npos) << reply.printed;
}

TEST(Worker, DoesNotHandBackWhatTheCallBeforeAProfiledOneWrote) {
  CopyRequest request(100);
  (*request).profiled = true;
  EXPECT_EQ(worker_for("copies_once").run(*request).status, RungStatus::ok);
  EXPECT_NE(compare(request.output(), HostArray(DType::f32, {100}), {}).report.find("never written"),
            std::string::npos);
}

TEST(Worker, DoesNotBelieveNonsense) {
  const RungReply reply = reply_of("nonsense");
  EXPECT_EQ(reply.status, RungStatus::failed);
  EXPECT_EQ(reply.why, "its worker answered nonsense: a packet is not a JSON object");
}

TEST(Worker, MovesEachArrayFromItsAlignmentAsTheCaseSays) {
  // How many floats after a multiple of 16 bytes the arrays begin, as the rung "tells_alignment" has it.
  const auto beginnings = [](const std::vector<std::pair<const char*, double>>& params) {
    std::vector<HostArray> inputs, outputs{HostArray(DType::f32, {3})};
    for (int i = 0; i < 2; ++i) inputs.emplace_back(DType::f32, std::vector<std::int64_t>{3});
    RungRequest request;
    request.problem_case.size = {{"n", 3}};
    for (const auto& [name, value] : params) request.problem_case.set_param(name, value);
    request.inputs = views_of(std::as_const(inputs));
    request.outputs = views_of(outputs);
    const RungReply reply = worker_for("tells_alignment").run(request);
    EXPECT_EQ(reply.status, RungStatus::ok) << reply.why;
    return std::vector<float>(outputs[0].as<float>().begin(), outputs[0].as<float>().end());
  };
  using Floats = std::vector<float>;
  EXPECT_EQ(beginnings({}), (Floats{0, 0, 0}));
  EXPECT_EQ(beginnings({{shift_parameter, 1}}), (Floats{1, 0, 1}));
  EXPECT_EQ(beginnings({{shift_first_parameter, 3}}), (Floats{3, 0, 0}));
  EXPECT_EQ(beginnings({{shift_second_parameter, 2}}), (Floats{0, 2, 0}));
  EXPECT_EQ(beginnings({{shift_outputs_parameter, 1}}), (Floats{0, 0, 1}));
  EXPECT_EQ(beginnings({{shift_parameter, 1}, {shift_outputs_parameter, 2}}), (Floats{1, 0, 2}));
}

TEST(Worker, SaysThatAMissingModuleDidNotBuild) {
  const RungReply reply = reply_of("not_built");
  EXPECT_EQ(reply.status, RungStatus::not_built);
  EXPECT_EQ(reply.why, "did not build: mischief/not_built.so is missing; see the compiler's errors");
  EXPECT_NE(reply_of("no_entry").why.find("has no entry point warplab_call"), std::string::npos);
}

TEST(Worker, AnswersAboutTheDevice) {
  const DeviceInfo info = WorkerClient({}, {worker_path(), 60, {}}).device();
  EXPECT_FALSE(info.name.empty());
  EXPECT_EQ(info.emulator, backend == Backend::emulator);
  EXPECT_GT(info.multiprocessors, 0);
  EXPECT_GT(info.free_bytes, 0u);
}

TEST(Worker, RunsUnderAPrefixCommand) {
  CopyRequest request(10);
  WorkerClient worker(module_path("mischief", "copies"), {worker_path(), 60, {"/usr/bin/env", "A=b"}});
  EXPECT_EQ(worker.run(*request).status, RungStatus::ok);
  EXPECT_TRUE(request.copied());
}

TEST(InProcess, GivesTheSameReplies) {
  CopyRequest request(1000);
  InProcessRunner copies(module_path("mischief", "copies"));
  EXPECT_EQ(copies.run(*request).status, RungStatus::ok);
  EXPECT_TRUE(request.copied());
  EXPECT_EQ(InProcessRunner(module_path("mischief", "todo")).run(*request).status, RungStatus::todo);
  EXPECT_EQ(InProcessRunner(module_path("mischief", "not_built")).run(*request).status,
            RungStatus::not_built);
}

TEST(EmulatorReports, AreNotTakenFromWhatARungPrints) {
  const RungReply reply = reply_of("throws");
  EXPECT_NE(reply.errors.find("warplab emulator: all is well\n"), std::string::npos) << reply.errors;
  EXPECT_EQ(reply.why.find("all is well"), std::string::npos) << reply.why;
}

TEST(EmulatorReports, ComeBeforeWhatTheRuntimeSays) {
  if (backend == Backend::cuda) GTEST_SKIP() << "the emulator reports, a GPU's driver does not";
  const RungReply reply = reply_of("unchecked");
  const std::string mark = "warplab emulator: ";
  ASSERT_TRUE(reply.errors.starts_with(mark)) << reply.errors;
  EXPECT_TRUE(reply.why.starts_with(reply.errors.substr(mark.size()))) << reply.why;
}

}  // namespace
}  // namespace warplab
