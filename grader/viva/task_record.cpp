#include "grader/viva/task_record.hpp"

#include <algorithm>

#include "grader/text/text_lines.hpp"

namespace warplab {
namespace {

/// Runs the rung, and keeps what was recorded or why nothing was.
void run(RecordedTask& record, RungRunner& runner) {
  const Problem& problem = problem_of(*record.task);
  const std::vector<HostArray> inputs = problem.inputs(record.problem_case);
  FreshOutputs outputs = fresh_outputs(problem, record.problem_case, inputs);
  RungRequest request = request_for(problem, rung_of(*record.task), record.problem_case, inputs, outputs);
  request.lens_blocks = 0;  // all of them
  const RungReply reply = runner.run(request);
  record.launches = reply.lens.value_or(std::vector<lens::Launch>());
  if (reply.status != RungStatus::ok)
    record.problem = std::string(name_of(reply.status)) + ": " + first_line(reply.why);
  else if (record.launches.empty())
    record.problem = "it launched nothing that could be recorded";
}

}  // namespace

Case viva_case(const Task& task) {
  const Problem& problem = problem_of(task);
  Case c = problem.default_case(Backend::emulator);
  if (!task.limits.empty()) {
    const Limit& limit = task.limits.front();
    for (const auto& [name, value] : limit.size) c.extent(name) = value;
    for (const auto& [name, value] : limit.params) c.set_param(name, value);
    if (limit.dtype) c.dtype = *limit.dtype;
  }
  for (const auto& [name, value] : task.only) {
    bool is_extent = false;
    for (auto& [extent, length] : c.size)
      if (extent == name) length = static_cast<std::int64_t>(value), is_extent = true;
    if (!is_extent) c.set_param(name, value);
  }
  const Rung& rung = rung_of(task);
  if (std::ranges::find(rung.dtypes, c.dtype) == rung.dtypes.end()) c.dtype = rung.dtypes.front();
  return problem.for_rung(c, rung);
}

RecordedTask record_task(const Task& task, const FileTexts& files, RungBuilder& builder) {
  RecordedTask record{&task, files, viva_case(task), {}};
  const RungBuilder::Built built = builder.build(task, files);
  if (built.runner)
    run(record, *built.runner);
  else
    record.problem = first_line(built.reason);
  return record;
}

}  // namespace warplab
