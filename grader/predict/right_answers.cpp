#include "grader/predict/right_answers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "common/host/bad_input.hpp"
#include "grader/course/limits.hpp"
#include "harness/console/case_text.hpp"
#include "lens/count_fields.hpp"
#include "lens/merge.hpp"
#include "report/results/run_file.hpp"

namespace warplab {
namespace {

constexpr double sector_bytes = 32;

std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// All values of a run, by name.
std::map<std::string, double> values_of(const std::vector<lens::Launch>& launches, const Case& c) {
  using lens::operator+=;
  std::map<std::string, double> values{
      {"launches", 0}, {"blocks", 0}, {"threads", 0}, {"warps", 0}, {"elements", 1}};
  lens::Counts counts;
  for (const lens::Launch& launch : launches) {
    counts += launch.counts;
    const auto blocks = static_cast<double>(launch.blocks);
    const std::int64_t threads = std::int64_t{launch.block[0]} * launch.block[1] * launch.block[2];
    values["launches"] += static_cast<double>(launch.alike);
    values["blocks"] += blocks;
    values["threads"] += blocks * static_cast<double>(threads);
    values["warps"] += blocks * static_cast<double>((threads + 31) / 32);
  }
  for (const auto& [name, extent] : c.size) values["elements"] *= static_cast<double>(extent);
  values["warp_elements"] = values["elements"] / 32;
  values["barriers"] = static_cast<double>(counts.barriers);
  values["moved"] =
      sector_bytes * static_cast<double>(counts.global_load.sectors + counts.global_store.sectors +
                                         counts.global_atomics.sectors);
  const auto take_all = [&](const std::string& kind, const auto& fields) {
    lens::each_field(&fields, [&](const char* name, auto member) {
      values[kind + "." + name] = static_cast<double>(fields.*member);
    });
  };
  take_all("global_load", counts.global_load);
  take_all("global_store", counts.global_store);
  take_all("shared_load", counts.shared_load);
  take_all("shared_store", counts.shared_store);
  take_all("constant", counts.constant);
  take_all("global_atomics", counts.global_atomics);
  take_all("shared_atomics", counts.shared_atomics);
  take_all("branches", counts.branches);
  return values;
}

/// Whether a row is of the input "SIZE TYPE[, PARAMETER VALUE]...".
bool is_of(const report::Row& row, const std::string& input) {
  std::size_t end = std::min(input.find(", "), input.size());
  if (row.size_text() + " " + row.dtype != input.substr(0, end)) return false;
  while (end < input.size()) {
    const std::size_t begin = end + 2;
    end = std::min(input.find(", ", begin), input.size());
    const std::string condition = input.substr(begin, end - begin);
    const std::size_t space = std::min(condition.find(' '), condition.size());
    if (row.param(condition.substr(0, space)) != condition.substr(std::min(space + 1, condition.size())))
      return false;
  }
  return true;
}

}  // namespace

double counted_value(const std::string& name, const std::vector<lens::Launch>& launches, const Case& c) {
  const std::map<std::string, double> values = values_of(launches, c);
  const auto found = values.find(name);
  if (found != values.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, value] : values) names.push_back(known);
  throw BadInput(fmt::format("unknown count '{}'; known counts: {}", name, fmt::join(names, ", ")));
}

std::string RightAnswers::to(const Problem& problem, const PredictQuestion& question) {
  if (question.is_choice()) return fastest(problem, question);
  const double value = question.figure.empty() ? count(problem, question) : figure(problem, question);
  return fmt::format("{:.12g}", std::round(value * 100) / 100);
}

double RightAnswers::figure(const Problem& problem, const PredictQuestion& question) {
  const Case& c = question.problem_case;
  return value_of_figure(question.figure, problem, c, problem.expected(c, problem.inputs(c)));
}

double RightAnswers::count(const Problem& problem, const PredictQuestion& question) {
  const Case& c = question.problem_case;
  const std::string key = problem.lab() + " " + question.rung + " " + size_text(c) + " " + case_text(c);
  if (!runs_.contains(key)) {
    const std::vector<HostArray> inputs = problem.inputs(c);
    FreshOutputs outputs = fresh_outputs(problem, c, inputs);
    RungRequest request = request_for(problem, *problem.find_rung(question.rung), c, inputs, outputs);
    request.lens_blocks = 0;  // all of them
    const RungReply reply = runners_(problem.lab(), question.rung)->run(request);
    if (reply.status != RungStatus::ok || !reply.lens)
      throw NotAvailable(fmt::format("{}/{} cannot answer: {}", problem.lab(), question.rung,
                                     reply.why.empty() ? "nothing was recorded" : reply.why));
    runs_[key] = *reply.lens;
  }
  const double value = counted_value(question.count, runs_.at(key), c);
  if (question.per.empty()) return value;
  const double per = counted_value(question.per, runs_.at(key), c);
  if (per == 0) throw BadInput(fmt::format("{}: there are 0 {}", question.id, question.per));
  return value / per;
}

std::string RightAnswers::fastest(const Problem& problem, const PredictQuestion& question) const {
  const report::Run run = report::read_run(root_ / question.run);
  std::string best;
  double best_ms = 0;
  for (const std::string& choice : question.choices) {
    const auto row = std::ranges::find_if(run.rows, [&](const report::Row& r) {
      return r.lab == problem.lab() && r.rung == choice && r.time_ms && is_of(r, question.input);
    });
    if (row == run.rows.end())
      throw NotAvailable(fmt::format("{} has no time of {} at {}", question.run, choice, question.input));
    if (best.empty() || row->time_ms->median < best_ms) best = choice, best_ms = row->time_ms->median;
  }
  return best;
}

bool is_right(const PredictQuestion& question, const std::string& answer, const std::string& right) {
  if (question.is_choice()) return answer == right;
  const std::optional<double> given = number_of(answer), wanted = number_of(right);
  return given && wanted && std::abs(*given - *wanted) <= 0.01 + 1e-9;
}

bool is_answer(const PredictQuestion& question, const std::string& answer) {
  if (question.is_choice()) return std::ranges::find(question.choices, answer) != question.choices.end();
  return number_of(answer).has_value();
}

}  // namespace warplab
