#include "harness/problem/problem.hpp"

#include <algorithm>

#include "common/host/poison.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "harness/problem/published_rows.hpp"

namespace warplab {

std::map<std::string, const Problem*>& problem_registry() {
  static std::map<std::string, const Problem*> problems;
  return problems;
}

std::vector<Experiment> Problem::experiments() const { return published_rows(*this, published_file(lab())); }

const ProblemCommandLine& Problem::command_line() const {
  static const ProblemCommandLine common_flags_only;
  return common_flags_only;
}

Comparison Problem::check(const Case& c, const std::vector<HostArray>&,
                          const std::vector<HostArray>& expected, std::size_t i,
                          const HostArray& actual) const {
  return compare(actual, expected.at(i), tolerance(c, i));
}

FreshOutputs fresh_outputs(const Problem& problem, const Case& c, const std::vector<HostArray>& inputs) {
  FreshOutputs outputs;
  std::vector<std::size_t> others;
  for (const ArraySpec& spec : problem.outputs(c)) {
    const std::size_t i = outputs.arrays.size();
    std::optional<HostArray> before = problem.initial_output(c, inputs, i);
    if (before)
      outputs.preset = true;
    else
      others.push_back(i);
    outputs.arrays.push_back(before ? *std::move(before) : HostArray(spec.dtype, spec.shape));
  }
  if (outputs.preset)  // else whoever runs the rung poisons its buffers, and nothing of these is read
    for (const std::size_t i : others) fill_poison(outputs.arrays[i].bytes());
  return outputs;
}

RungRequest request_for(const Problem& problem, const Rung& rung, const Case& c,
                        const std::vector<HostArray>& inputs, FreshOutputs& outputs) {
  RungRequest request;
  request.problem_case = c;
  request.inputs = views_of(inputs);
  request.outputs = views_of(outputs.arrays);
  const ArrayNames names = problem.array_names();
  request.input_names = names.inputs;
  request.output_names = names.outputs;
  request.outputs_preset = outputs.preset;
  request.workspace_bytes = problem.workspace_bytes(c, rung);
  request.host_buffers = problem.host_buffers();
  return request;
}

void renew_outputs(const Problem& problem, const Case& c, const std::vector<HostArray>& inputs,
                   FreshOutputs& outputs) {
  const std::vector<ArraySpec> specs = problem.outputs(c);
  const auto suits = [](const HostArray& array, const ArraySpec& spec) {
    return array.dtype() == spec.dtype && array.shape() == spec.shape;
  };
  bool kept = !outputs.preset && std::ranges::equal(outputs.arrays, specs, suits);
  for (std::size_t i = 0; i < specs.size() && kept; ++i) kept = !problem.initial_output(c, inputs, i);
  if (kept) return;
  outputs = {};  // first, so that not both are in memory
  outputs = fresh_outputs(problem, c, inputs);
}

}  // namespace warplab
