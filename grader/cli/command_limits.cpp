#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <new>
#include <utility>

#include "common/host/bad_input.hpp"
#include "common/host/close_match.hpp"
#include "grader/cli/command.hpp"
#include "grader/course/limits.hpp"
#include "grader/course/task_problem.hpp"
#include "harness/console/case_text.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "harness/rung/backend.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/worker/worker_client.hpp"

namespace warplab {
namespace {

constexpr double max_elements =
    1 << 28;  // arrays of gibibytes: counting each access takes far longer than that

/// Sets a parameter of the lab's cases. @throws BadInput
void set_param(Case& c, const std::string& text, const Problem& problem) {
  const std::size_t equal = std::min(text.find('='), text.size());
  const std::string name = text.substr(0, equal), number = text.substr(std::min(equal + 1, text.size()));
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size())
    throw BadInput("--param is '" + text + "'; it takes NAME=NUMBER");
  std::vector<std::string> names;
  for (const Parameter& parameter : c.params) names.push_back(parameter.name);
  for (const LabOption& option : problem.command_line().lab_options())
    if (std::ranges::find(names, option.name) == names.end()) names.push_back(option.name);
  if (std::ranges::find(names, name) == names.end())
    throw BadInput(fmt::format("--param {}: there is no parameter '{}'{}; there are: {}", text, name,
                               did_you_mean(name, names),
                               names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  c.set_param(name, value);
}

Case case_of(const LimitsOptions& options, const Problem& problem) {
  Case c = problem.default_case(Backend::emulator);
  if (!options.size.empty() && options.size.size() != c.size.size())
    throw BadInput(fmt::format("--size {} has {} extent{}; {} takes {}", fmt::join(options.size, "x"),
                               options.size.size(), options.size.size() == 1 ? "" : "s", problem.lab(),
                               fmt::join(problem.size_names(), "x")));
  double elements = 1;
  for (std::size_t i = 0; i < options.size.size(); ++i) {
    if (options.size[i] < 0)
      throw BadInput(fmt::format("--size {}: an extent is 0 or more", fmt::join(options.size, "x")));
    elements *= static_cast<double>(options.size[i]);
    c.size[i].second = options.size[i];
  }
  if (elements > max_elements)
    throw BadInput(fmt::format("--size {} has {:.0f} elements; at most {:.0f} are counted",
                               fmt::join(options.size, "x"), elements, max_elements));
  for (const std::string& text : options.params) set_param(c, text, problem);
  return c;
}

void check_rungs(const LimitsOptions& options, const Problem& problem) {
  std::vector<std::string> names;
  for (const Rung& rung : problem.rungs())
    if (rung.peer_of.empty()) names.push_back(rung.name);
  for (const std::string& rung : options.rungs)
    if (std::ranges::find(names, rung) == names.end())
      throw BadInput(fmt::format("{} has no rung '{}'{}; it has {}", problem.lab(), rung,
                                 did_you_mean(rung, names), fmt::join(names, ", ")));
}

bool is_built(const Problem& problem, const Rung& rung) {
  return is_built_for_lens(problem.lab(), rung.name);
}

std::size_t column_width(const LimitMeasure& measure) {
  constexpr std::size_t narrowest = 12, between = 2;
  return std::max(narrowest, std::string_view(measure.name).size() + between);
}

std::string measured(const Problem& problem, const Rung& rung, const Case& c,
                     const std::vector<HostArray>& inputs) {
  if (!is_built(problem, rung)) return "  not built";
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
    row +=
        fmt::format("{:>{}}", value < unmeasured ? fmt::format("{:.4g}", value) : "-", column_width(measure));
  }
  for (const auto& [name, value] : problem.figures(c, outputs.arrays))
    row += fmt::format("  {} {:.3g}", name, value);
  return row;
}

/// A rung's line of the table. @throws BadInput for a case that the lab does not allow
std::string row_of(const Problem& problem, const Rung& rung, const Case& c) {
  Case own = problem.for_rung(c, rung);
  if (std::ranges::find(rung.dtypes, own.dtype) == rung.dtypes.end()) own.dtype = rung.dtypes.front();
  std::vector<HostArray> inputs;
  try {
    inputs = problem.inputs(own);
  } catch (const std::invalid_argument& error) {
    throw BadInput(fmt::format("--size {}: {}", size_text(own), error.what()));
  } catch (const std::bad_alloc&) {
    throw BadInput(fmt::format("--size {} does not fit in this machine's memory", size_text(own)));
  }
  return fmt::format("{:<24}{}\n", rung.name, measured(problem, rung, own, inputs));
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
  const Problem& problem = problem_named(options.lab);
  if (!problem.launches_kernels())
    throw NotAvailable(options.lab + " launches no kernels that could be counted");
  check_rungs(options, problem);
  const Case c = case_of(options, problem);
  const auto is_wanted = [&](const Rung& rung) {
    return rung.peer_of.empty() &&
           (options.rungs.empty() || std::ranges::find(options.rungs, rung.name) != options.rungs.end());
  };
  if (std::ranges::none_of(problem.rungs(),
                           [&](const Rung& rung) { return is_wanted(rung) && is_built(problem, rung); }))
    throw NotAvailable(fmt::format("no rung of {} is built: cmake --build --preset emulator --target {}",
                                   options.lab, options.lab));
  std::string header = fmt::format("{} at {}\n{:<24}", options.lab, case_text(c), "rung");
  for (const LimitMeasure& measure : limit_measures())
    header += fmt::format("{:>{}}", measure.name, column_width(measure));
  header += "\n";
  for (const Rung& rung : problem.rungs())
    if (is_wanted(rung)) fmt::print("{}{}", std::exchange(header, ""), row_of(problem, rung, c));
  for (const LimitMeasure& measure : limit_measures()) fmt::print("  {:<15}{}\n", measure.name, measure.what);
  fmt::print("  {:<15}{}\n", "figures", "what the lab computes from the outputs, after the measures");
  return exit_ok;
}

}  // namespace warplab
