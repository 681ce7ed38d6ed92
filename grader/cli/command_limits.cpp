#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common/bad_input.hpp"
#include "grader/cli/commands.hpp"
#include "grader/course/limits.hpp"
#include "harness/build_tree.hpp"
#include "harness/results.hpp"
#include "harness/worker_client.hpp"

namespace warplab {
namespace {

Case case_of(const LimitsOptions& options, const Problem& problem) {
  Case c = problem.default_case(Backend::emulator);
  if (!options.size.empty() && options.size.size() != c.size.size())
    throw BadInput(fmt::format("--size takes {} extents for {}", c.size.size(), problem.lab()));
  for (std::size_t i = 0; i < options.size.size(); ++i) c.size[i].second = options.size[i];
  for (const std::string& text : options.params) {
    const std::size_t equal = text.find('=');
    if (equal == std::string::npos) throw BadInput("--param is '" + text + "'; it takes NAME=NUMBER");
    c.set_param(text.substr(0, equal), std::stod(text.substr(equal + 1)));
  }
  return c;
}

std::string measured(const Problem& problem, const Rung& rung, const Case& c) {
  if (!std::filesystem::exists(module_path(problem.lab(), rung.name))) return "  not built";
  const std::vector<HostArray> inputs = problem.inputs(c);
  FreshOutputs outputs = fresh_outputs(problem, c, inputs);
  RungRequest request = request_for(problem, rung, c, inputs, outputs);
  request.lens_blocks = 0;
  WorkerClient worker(module_path(problem.lab(), rung.name), {worker_path(), 120, {}});
  const RungReply reply = worker.run(request);
  if (reply.status != RungStatus::ok) return fmt::format("  {}: {}", name_of(reply.status), reply.why);
  if (!reply.lens) return "  nothing was recorded";
  std::string row;
  for (const LimitMeasure& measure : limit_measures()) {
    const double value = value_of(measure.name, *reply.lens, problem, c);
    row += value < unmeasured ? fmt::format("{:>12.4g}", value) : fmt::format("{:>12}", "-");
  }
  return row;
}

}  // namespace

TaskChoice task_choice(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return {text, ""};
  if (text.find('/', slash + 1) != std::string::npos)
    throw BadInput("'" + text + "' is neither a lab nor a task of one: transpose, transpose/tiled");
  return {text.substr(0, slash), text.substr(slash + 1)};
}

int command_limits(const LimitsOptions& options) {
  if (backend == Backend::cuda)
    throw NotAvailable("limits are counted on the emulator: build the preset emulator for them");
  const auto found = problem_registry().find(options.lab);
  if (found == problem_registry().end()) throw BadInput("there is no lab called " + options.lab);
  const Problem& problem = *found->second;
  if (!problem.launches_kernels())
    throw NotAvailable(options.lab + " launches no kernels that could be counted");
  const Case c = case_of(options, problem);
  fmt::print("{} at {}\n{:<24}", options.lab, case_text(c), "rung");
  for (const LimitMeasure& measure : limit_measures()) fmt::print("{:>12}", measure.name);
  fmt::print("\n");
  for (const Rung& rung : problem.rungs()) {
    if (!rung.peer_of.empty()) continue;
    if (!options.rungs.empty() && std::ranges::find(options.rungs, rung.name) == options.rungs.end())
      continue;
    Case own = problem.for_rung(c, rung);
    if (std::ranges::find(rung.dtypes, own.dtype) == rung.dtypes.end()) own.dtype = rung.dtypes.front();
    fmt::print("{:<24}{}\n", rung.name, measured(problem, rung, own));
  }
  for (const LimitMeasure& measure : limit_measures()) fmt::print("  {:<12}{}\n", measure.name, measure.what);
  return 0;
}

}  // namespace warplab
