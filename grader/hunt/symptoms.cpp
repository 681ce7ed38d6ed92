#include "grader/hunt/symptoms.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warplab {
namespace {

constexpr const char *never_ends = "endless", *error = "error", *wrong_values = "wrong values",
                     *costs_more = "costs more";

/// Passes calls on, and keeps what they end with.
class SymptomListener : public RungRunner {
 public:
  explicit SymptomListener(RungRunner& runner) : runner_(runner) {}

  RungReply run(const RungRequest& request) override {
    RungReply reply = runner_.run(request);
    for (const lens::Launch& launch : reply.lens.value_or(std::vector<lens::Launch>()))
      for (const lens::Finding& finding : launch.findings) found.insert(lens::name_of(finding.kind));
    timed_out |= reply.timed_out;
    failed |= reply.status != RungStatus::ok && !reply.timed_out;
    return reply;
  }
  void renew() override { runner_.renew(); }

  std::set<std::string> found;
  bool timed_out = false, failed = false;

 private:
  RungRunner& runner_;
};

}  // namespace

std::vector<std::string> symptom_kinds() {
  using enum lens::FindingKind;
  std::vector<std::string> kinds;
  for (const lens::FindingKind kind : {race, out_of_bounds, uninitialised_read, divergent_barrier, deadlock,
                                       misaligned, host_memory, asynchronous_copy, proxy_fence, fault})
    kinds.emplace_back(lens::name_of(kind));
  for (const char* kind : {never_ends, error, wrong_values, costs_more})
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.emplace_back(kind);
  return kinds;
}

Symptoms symptoms_of(const Task& task, const FileTexts& files, const Judge& judge, RungBuilder& builder) {
  const RungBuilder::Built built = builder.build(task, files);
  if (!built.runner) return {{error}, "it is not built: " + built.reason};
  SymptomListener listener(*built.runner);
  const TaskRecord record = judge.judge(task, listener);
  const auto failed = std::ranges::find(record.checks, Check::Status::failed, &Check::status);
  if (failed == record.checks.end()) return {{}, "no check fails"};
  Symptoms symptoms{listener.found,
                    fmt::format("'{}' fails{}: {}", failed->name,
                                failed->input.empty() ? "" : " at " + failed->input, failed->happened)};
  if (listener.timed_out) symptoms.kinds.insert(never_ends);
  if (!symptoms.kinds.empty()) return symptoms;
  symptoms.kinds.insert(listener.failed                      ? error
                        : failed->kind == Check::Kind::limit ? costs_more
                                                             : wrong_values);
  return symptoms;
}

}  // namespace warplab
