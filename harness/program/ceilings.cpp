#include "harness/program/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common/host/bad_input.hpp"
#include "harness/console/case_text.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/worker/rung_runners.hpp"

namespace warplab {

double bytes_per_launch(const Problem& problem, const Case& c) {
  return problem.cost(c).bytes / std::max(1.0, c.param("launches", 1));
}

const std::optional<Ceiling>& Ceilings::of_copy(double bytes) {
  const auto [found, is_new] = of_copies_.try_emplace(bytes);
  if (is_new && bytes >= 32) {
    BenchmarkOptions benchmark;
    benchmark.repeat = options_.repeat;
    const auto moved = static_cast<std::size_t>(bytes);
    found->second =
        device_ ? device_->copy_ceiling(moved, benchmark) : measure_copy_ceiling(moved, benchmark);
  }
  return found->second;
}

const std::optional<Ceiling>& Ceilings::of_lab(const OwnCeiling& own) {
  const auto [found, is_new] = of_lab_.try_emplace(input_key(own.problem_case));
  const std::filesystem::path module = module_path(problem_.lab(), own.module);
  if (!is_new || !std::filesystem::exists(module)) return found->second;
  const std::vector<HostArray> inputs = problem_.inputs(own.problem_case);
  FreshOutputs outputs = fresh_outputs(problem_, own.problem_case, inputs);
  RungRequest request = request_for(problem_, Rung{}, own.problem_case, inputs, outputs);
  request.benchmark.repeat = options_.repeat;
  request.measure = true;
  const RungReply reply = RungRunners(worker_, options_.in_process, 0).of(module).run(request);
  if (reply.status == RungStatus::ok && !reply.samples_ms.empty())
    found->second = Ceiling{own.what, problem_.cost(own.problem_case).flops, summarize(reply.samples_ms)};
  return found->second;
}

const Ceiling* Ceilings::of_arithmetic(DType dtype) {
  if (dtype != DType::f16 && dtype != DType::f32 && dtype != DType::f64) return nullptr;
  const auto [found, is_new] = of_types_.try_emplace(dtype);
  if (is_new) {
    BenchmarkOptions benchmark;
    benchmark.repeat = options_.repeat;
    try {
      found->second = device_ ? device_->arithmetic_ceiling(dtype, benchmark)
                              : measure_arithmetic_ceiling(dtype, benchmark);
    } catch (const NotAvailable&) {  // then the copy is what is left to compare with
    }
  }
  return found->second ? &*found->second : nullptr;
}

std::optional<Ceilings::Binding> Ceilings::of(const Case& c) {
  if (const std::optional<OwnCeiling> own = problem_.own_ceiling(c)) {
    const std::optional<Ceiling>& ceiling = of_lab(*own);
    return ceiling ? std::optional(Binding{*ceiling, true}) : std::nullopt;
  }
  const Cost cost = problem_.cost(c);
  const std::optional<Ceiling>& copy = of_copy(bytes_per_launch(problem_, c));
  const double copy_ms = copy ? cost.bytes / (copy->rate() * 1e6) : 0;
  // What cannot take long is not worth measuring: no device does more than a
  // hundred operations per byte copied.
  const Ceiling* const arithmetic =
      cost.flops > 4 * cost.bytes ? of_arithmetic(cost.arithmetic.value_or(c.dtype)) : nullptr;
  if (arithmetic && cost.flops / (arithmetic->rate() * 1e6) > copy_ms) return Binding{*arithmetic, true};
  // Then a copy bounds nothing, and the operations have a rate that nobody has measured.
  if (!arithmetic && cost.flops > 100 * cost.bytes) return std::nullopt;
  if (copy) return Binding{*copy, false};
  return std::nullopt;
}

void Ceilings::compare(Measurement& m) {
  const std::optional<Binding> binding = of(m.problem_case);
  if (binding && binding->is_arithmetic && m.gflop_per_s())
    m.speed_of_light = SpeedOfLight{binding->ceiling.what, "GFLOP/s", binding->ceiling.rate(),
                                    *m.gflop_per_s() / binding->ceiling.rate()};
  else if (binding && !binding->is_arithmetic && m.gb_per_s())
    m.speed_of_light = SpeedOfLight{"copy of the same bytes by " + binding->ceiling.what, "GB/s",
                                    binding->ceiling.rate(), *m.gb_per_s() / binding->ceiling.rate()};
  else
    m.not_measured["speed_of_light"] =
        of_copy(bytes_per_launch(problem_, m.problem_case))
            ? fmt::format("operations bound it, and their highest rate in {} is not measured",
                          name_of(m.problem_case.dtype))
            : "too few bytes move for a copy to compare with";
}

}  // namespace warplab
