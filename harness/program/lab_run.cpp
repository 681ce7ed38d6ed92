#include "harness/program/lab_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "common/host/bad_input.hpp"
#include "common/host/host_memory.hpp"
#include "common/host/index_text.hpp"
#include "common/host/parallel.hpp"
#include "common/timer.hpp"
#include "harness/console/case_text.hpp"
#include "harness/program/cpu_baseline.hpp"
#include "harness/program/nsight_run.hpp"
#include "harness/results/lens_report.hpp"
#include "harness/rung/build_tree.hpp"

namespace warplab {
namespace {

constexpr const char* only_verified = "--verify-only was given";
constexpr const char* emulator_has_no_times = "the emulator counts what runs; it does not measure time";

std::string readable(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.1f} GB", bytes / 1e9);
  return fmt::format("{:.1f} MB", bytes / 1e6);
}

double total_bytes(const std::vector<ArraySpec>& specs) {
  double total = 0;
  for (const ArraySpec& spec : specs) {
    double bytes = static_cast<double>(size_of(spec.dtype));
    for (std::int64_t extent : spec.shape) bytes *= static_cast<double>(extent);
    total += bytes;
  }
  return total;
}

/// Where a shape is not what was wanted: "--input photo.png" for the first input, else "input 1".
std::string origin_of(std::size_t input, const Options& options) {
  return input == 0 && !options.input.empty() ? "--input " + options.input
                                              : "what stands in for input " + std::to_string(input);
}

/// What the user reads about a case that the problem forbids.
BadInput forbidden(const Case& c, const std::invalid_argument& error) {
  return BadInput(fmt::format("--size {} ({}): {}", size_text(c), name_of(c.dtype), error.what()));
}

/// The samples were taken in turn, so that each has its neighbour. @pre the reply has as many of both
PairedTime paired_time(const std::string& rung, const RungReply& reply) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < reply.samples_ms.size(); ++i)
    ratios.push_back(reply.samples_ms[i] / reply.paired_samples_ms[i]);
  return {rung, summarize(reply.paired_samples_ms), summarize(ratios)};
}

/// No time was taken of it.
void leave_untimed(Measurement& m, const char* why) {
  for (const char* field :
       {"time_ms", "h2d_ms", "d2h_ms", "gb_per_s", "gflop_per_s", "speed_of_light", "cpu", "gpu"})
    m.not_measured[field] = why;
}

}  // namespace

WorkerOptions LabRun::worker_options() const { return {worker_path(), options_.timeout_s, {}}; }

LabRun::LabRun(const Problem& problem, const Options& options) : problem_(problem), options_(options) {
  if (options.lens_as_compiled) as_compiled_.emplace();
  if (options.in_process) {
    device_ = query_device();
  } else {
    // --timeout is for what a rung does: the device may take longer to wake up.
    WorkerOptions patient = worker_options();
    patient.timeout_s = std::max(patient.timeout_s, WorkerOptions{}.timeout_s);
    device_worker_ = std::make_unique<WorkerClient>(std::filesystem::path(), patient);
    device_ = device_worker_->device();
  }
  ceilings_.emplace(problem, options, worker_options(), device_worker_.get());
}

void LabRun::check_memory(const Rung& rung, const Case& c) const {
  // A problem does not tell the size of its inputs before it makes them; what must
  // be read and written bounds it.
  const double arrays = std::max(bytes_per_launch(problem_, c), total_bytes(problem_.outputs(c)));
  const double on_device = arrays + static_cast<double>(workspace_bytes(rung, c));
  const double on_host =
      3 * arrays + (device_.emulator ? on_device : 0);  // with the oracle's and the shared copies
  const auto refuse = [&](double needed, const char* where, double available) {
    throw BadInput(fmt::format("--size {} ({}) needs about {} of {} memory, and {} are available",
                               size_text(c), name_of(c.dtype), readable(needed), where, readable(available)));
  };
  if (!device_.emulator && on_device > static_cast<double>(device_.free_bytes))
    refuse(on_device, "device", static_cast<double>(device_.free_bytes));
  if (const double available = available_host_bytes(); on_host > available)
    refuse(on_host, "host", available);
}

void LabRun::check(const Rung& rung, const Case& c) const {
  Measurement m = describe(rung, c);
  if (!admits(rung, c, m)) return;  // its row says why it does not run
  try {
    check_memory(rung, c);
  } catch (const std::invalid_argument& error) {
    throw forbidden(c, error);
  }
}

void LabRun::prepare(const Rung& rung, const Case& c) {
  const std::string key = input_key(c);
  if (prepared_ == key) return;
  prepared_.reset();
  baseline_.reset();
  baseline_measured_ = false;
  try {
    check_memory(rung, c);
    inputs_.clear();
    expected_.clear();
    inputs_ = problem_.inputs(c);
    for (const auto& [i, replacement] : replacements_) {
      HostArray& input = inputs_.at(i);
      if (input.dtype() != replacement.dtype() || input.shape() != replacement.shape())
        throw BadInput(fmt::format("{} holds {} of shape {}, but {} is {} of shape {}",
                                   origin_of(i, options_), name_of(replacement.dtype()),
                                   shape_text(replacement.shape()), i == 0 ? "the first input" : "that input",
                                   name_of(input.dtype()), shape_text(input.shape())));
      input = replacement;
    }
    if (!options_.lens_only) expected_ = problem_.expected(c, inputs_);
  } catch (const std::invalid_argument& error) {
    throw forbidden(c, error);
  } catch (const std::bad_alloc&) {
    throw BadInput(
        fmt::format("--size {} ({}) does not fit in this machine's memory", size_text(c), name_of(c.dtype)));
  }
  prepared_ = key;
}

std::size_t LabRun::workspace_bytes(const Rung& rung, const Case& c) const {
  std::size_t bytes = problem_.workspace_bytes(c, rung);
  if (!rung.peer_of.empty())
    if (const Rung* const ours = last_rung()) bytes = std::max(bytes, problem_.workspace_bytes(c, *ours));
  return bytes;
}

const Rung* LabRun::last_rung() const {
  if (const std::string paired = problem_.paired_with_peers(); !paired.empty())
    return problem_.find_rung(paired);
  const Rung* last = nullptr;
  for (const Rung& rung : problem_.rungs())
    if (rung.peer_of.empty()) last = &rung;
  return last;
}

RungRunner& LabRun::runner(const Rung& rung) {
  if (!runners_) runners_.emplace(worker_options(), options_.in_process, idle_workers(device_));
  return runners_->of(module_path(problem_.lab(), rung.name));
}

bool LabRun::admits(const Rung& rung, const Case& c, Measurement& m) const {
  const auto refuse = [&m](RungStatus status, std::string why) {
    m.status = status;
    m.why = std::move(why);
    return false;
  };
  if (std::find(rung.dtypes.begin(), rung.dtypes.end(), c.dtype) == rung.dtypes.end()) {
    std::string known;
    for (DType dtype : rung.dtypes) known += (known.empty() ? "" : ", ") + std::string(name_of(dtype));
    return refuse(RungStatus::refused, fmt::format("takes {}, not {}", known, name_of(c.dtype)));
  }
  if (c.block && !rung.takes_block)
    return refuse(RungStatus::refused, "its block is fixed: it takes no --block");
  if (c.grid && !rung.takes_grid)
    return refuse(RungStatus::refused, "its grid follows from the size: it takes no --grid");
  if (const std::string lacking = what_is_lacking(rung, c.dtype, device_); !lacking.empty())
    return refuse(RungStatus::unavailable, lacking);
  if (!rung.peer_of.empty() && !std::filesystem::exists(module_path(problem_.lab(), rung.name)))
    return refuse(RungStatus::unavailable,
                  device_.emulator ? fmt::format("{} runs only on a GPU", rung.peer_of)
                                   : fmt::format("{} was not found when this was built", rung.peer_of));
  return true;
}

bool LabRun::verify(const std::vector<HostArray>& outputs, Measurement& m) const {
  const auto keep_worst = [](std::optional<double>& kept, double error) {
    if (!kept || std::abs(error) > std::abs(*kept)) kept = error;
  };
  m.verified = true;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Comparison comparison = problem_.check(m.problem_case, inputs_, expected_, i, outputs[i]);
    const Tolerance tolerance = comparison.tolerance;
    keep_worst(m.max_abs_error, comparison.max_abs_error);
    keep_worst(m.max_rel_error, comparison.max_rel_error);
    keep_worst(m.mean_abs_error, comparison.mean_abs_error);
    keep_worst(m.mean_error, comparison.mean_error);
    m.tolerance.atol = std::max(m.tolerance.atol, tolerance.atol);
    m.tolerance.rtol = std::max(m.tolerance.rtol, tolerance.rtol);
    if (comparison.accepted) continue;
    m.verified = false;
    m.status = RungStatus::failed;
    m.why += (m.why.empty() ? "" : "\n") + (outputs.size() > 1 ? fmt::format("output {}: ", i) : "") +
             comparison.report;
  }
  return m.verified;
}

Measurement LabRun::describe(const Rung& rung, const Case& c) const {
  Measurement m;
  m.lab = problem_.lab();
  m.rung = rung.name;
  m.role = rung.peer_of.empty() ? "rung" : "peer";
  m.backend = device_.emulator ? "emulator" : "cuda";
  m.device = device_.name;
  m.problem_case = c;
  m.not_measured["lens"] = "the lens was not asked for";
  return m;
}

RungRequest LabRun::request_for(const Rung& rung, const Case& c) {
  renew_outputs(problem_, c, inputs_, outputs_);
  RungRequest request = warplab::request_for(problem_, rung, c, inputs_, outputs_);
  request.workspace_bytes = workspace_bytes(rung, c);
  request.benchmark.repeat = options_.repeat;
  return request;
}

Measurement LabRun::measure(const Rung& rung, const Case& c) {
  Measurement m = describe(rung, c);
  if (!admits(rung, c, m)) {
    if (options_.lens) m.not_measured["lens"] = "the rung did not run";
    return m;
  }
  prepare(rung, c);
  const Cost cost = problem_.cost(c);
  m.bytes = cost.bytes;
  m.flops = cost.flops;

  if (options_.lens_only) {
    count_only(rung, c, m);
    return m;
  }
  const RungReply reply = run_once(rung, c, m);
  const bool right = m.status == RungStatus::ok && verify(outputs_.arrays, m);
  if (m.status == RungStatus::failed) explain_failure(reply, m);
  const std::string shortfall = right ? problem_.shortfall(c, rung, *m.max_abs_error) : "";
  if (!shortfall.empty()) {
    m.status = RungStatus::unavailable;
    m.why = shortfall;
  } else if (right) {
    m.figures = problem_.figures(c, outputs_.arrays);
    std::swap(last_outputs_, outputs_.arrays);
    verified_.insert(rung.name + " " + input_key(c));
    time(rung, c, m);
  }
  if (!m.verified) m.not_measured["time_ms"] = "what is not verified is not timed";
  if (!shortfall.empty()) m.not_measured["time_ms"] = "what is of no use is not timed";
  if (options_.lens) look_through_lens(rung, c, reply.timed_out, m);
  return m;
}

RungReply LabRun::run_once(const Rung& rung, const Case& c, Measurement& m) {
  RungRequest request = request_for(rung, c);
  request.profiled = is_under_profiler();
  RungReply reply = runner(rung).run(request);
  m.printed = reply.printed;
  if (reply.status == RungStatus::ok) m.printed += reply.errors;  // else the reason says what matters of it
  m.counts = reply.counts;
  m.kernels = reply.kernels;
  if (m.kernels.empty())
    m.not_measured["kernels"] = device_.emulator ? "the emulator has no registers" : "no launch was seen";
  m.status = reply.status;
  m.why = reply.why;
  return reply;
}

void LabRun::explain_failure(const RungReply& reply, Measurement& m) const {
  if (!device_.emulator || !problem_.launches_kernels()) return;
  if (reply.counts && reply.counts->launches == 0)
    m.why += "\n  no kernel was launched";
  else if (!options_.lens && !reply.timed_out)
    m.why += "\n  next: --lens, which names lines that race, leave an array or read what nobody wrote";
}

void LabRun::time(const Rung& rung, const Case& c, Measurement& m) {
  if (device_.emulator || options_.verify_only) {
    leave_untimed(m, device_.emulator ? emulator_has_no_times : only_verified);
    return;
  }
  RungRequest request = request_for(rung, c);
  request.measure = true;
  const Rung* const ours = m.role == "peer" ? last_rung() : nullptr;
  if (ours && verified_.contains(ours->name + " " + input_key(problem_.for_rung(c, *ours))))
    request.paired_with = module_path(problem_.lab(), ours->name);
  const RungReply reply = run_watched(rung, request, m);
  m.status = reply.status;
  m.why = reply.why;
  m.verified = m.status == RungStatus::ok && verify(outputs_.arrays, m);
  if (m.verified) add_times(reply, m);
  // The reply comes from a process that runs the rung's code.
  if (m.time_ms && !request.paired_with.empty() && !reply.paired_samples_ms.empty() &&
      reply.paired_samples_ms.size() == reply.samples_ms.size() &&
      std::ranges::all_of(reply.paired_samples_ms, [](double ms) { return ms > 0; }))
    m.paired_with = paired_time(ours->name, reply);
  if (!m.verified && !m.why.empty()) m.why = "right before the timing, not after it: " + m.why;
}

RungReply LabRun::run_watched(const Rung& rung, const RungRequest& request, Measurement& m) {
  if (!monitor_) monitor_ = std::make_unique<GpuMonitor>(device_.pci_bus_id);
  RungReply reply;
  m.gpu = monitor_->watch([&] { reply = runner(rung).run(request); });
  if (!m.gpu) m.not_measured["gpu"] = std::string("the driver's library ") + nvml_library + " has no figures";
  return reply;
}

void LabRun::look_through_lens(const Rung& rung, const Case& c, bool timed_out, Measurement& m) {
  std::string& reason = m.not_measured["lens"];
  reason = m.status == RungStatus::todo ? "the rung is to do"
           : m.status == RungStatus::ok
               ? ""
               : fmt::format("the rung {}", m.status == RungStatus::failed ? "failed" : "did not run");
  if (m.status != RungStatus::ok && (m.status != RungStatus::failed || !device_.emulator || timed_out))
    return;
  if (!device_.emulator) {
    reason = "Nsight Compute has not counted it yet";
    return;
  }

  RungRequest request = request_for(rung, c);
  request.lens_blocks = options_.lens_blocks;
  const RungReply reply = runner(rung).run(request);
  if (m.status == RungStatus::failed) {  // nothing to count, but the lens may know why
    if (reply.lens) m.why += findings_text(*reply.lens);
    return;
  }
  m.status = reply.status;
  m.why = reply.why;
  m.verified = m.status == RungStatus::ok && verify(outputs_.arrays, m);
  if (m.verified && reply.lens) return keep_counts(rung, *reply.lens, m);
  reason = reply.lens ? "the rung failed when it was recorded" : "nothing was recorded";
  m.why = "right at first, but not when it was recorded: " + m.why;
  if (reply.lens) m.why += findings_text(*reply.lens);
}

void LabRun::count_with_nsight(std::vector<Measurement>& measurements) {
  std::vector<Measurement*> right;
  std::vector<ProfiledCall> calls;
  for (Measurement& m : measurements)
    if (m.role != "ceiling" && m.status == RungStatus::ok) {
      right.push_back(&m);
      calls.push_back({m.rung, m.problem_case});
    }
  if (calls.empty()) return;
  std::vector<NsightOutcome> outcomes = profile_with_nsight(calls, options_);
  for (std::size_t i = 0; i < right.size(); ++i) {
    right[i]->not_measured["lens"] = outcomes[i].why;
    if (outcomes[i].launches)
      keep_counts(*problem_.find_rung(right[i]->rung), std::move(*outcomes[i].launches), *right[i]);
  }
}

void LabRun::count_only(const Rung& rung, const Case& c, Measurement& m) {
  RungRequest request = request_for(rung, c);
  request.lens_blocks = options_.lens_blocks;
  request.lens_only = true;
  const RungReply reply = runner(rung).run(request);
  m.status = reply.status;
  m.why = reply.why;
  leave_untimed(m, emulator_has_no_times);
  for (const char* field : {"max_abs_error", "max_rel_error", "counts", "kernels"})
    m.not_measured[field] = "only the blocks that the lens recorded ran";
  m.not_measured["lens"] = "nothing was recorded";
  if (m.status == RungStatus::ok && reply.lens) keep_counts(rung, *reply.lens, m);
}

void LabRun::keep_counts(const Rung& rung, std::vector<lens::Launch> launches, Measurement& m) {
  m.lens = std::move(launches);
  m.not_measured.erase("lens");
  if (as_compiled_) as_compiled_->annotate(problem_.lab() + "_" + rung.name + ".cu", *m.lens);
}

Measurement LabRun::profile(const Rung& rung, const Case& c) {
  Measurement m = describe(rung, c);
  if (!admits(rung, c, m)) return m;
  prepare(rung, c);
  RungRequest request = request_for(rung, c);
  request.profiled = true;
  const RungReply reply = runner(rung).run(request);
  m.status = reply.status;
  m.why = reply.why;
  m.verified = m.status == RungStatus::ok && verify(outputs_.arrays, m);
  return m;
}

std::optional<Summary> LabRun::time_baseline(const Case& c, unsigned threads) {
  constexpr double enough_ms = 300;
  constexpr std::size_t enough_samples = 15;
  std::vector<double> samples_ms;
  const HostTimer total;
  // The first run wakes the threads and touches new pages: it counts only where it takes all the time there
  // is.
  for (bool first = true;
       samples_ms.empty() || (samples_ms.size() < enough_samples && total.elapsed_ms() < enough_ms);
       first = false) {
    const HostTimer timer;
    if (!problem_.baseline(c, inputs_, outputs_.arrays, static_cast<int>(threads))) return std::nullopt;
    if (const double ms = timer.elapsed_ms(); !first || ms >= enough_ms) samples_ms.push_back(ms);
  }
  return summarize(samples_ms);
}

void LabRun::measure_baseline(const Case& c) {
  if (baseline_measured_) return;
  baseline_measured_ = true;
  baseline_ = time_on_cpu(host_cores(), [&](unsigned threads) { return time_baseline(c, threads); });
}

void LabRun::add_times(const RungReply& reply, Measurement& m) {
  m.h2d_ms = reply.h2d_ms;
  m.d2h_ms = reply.d2h_ms;
  if (reply.samples_ms.empty()) {
    m.not_measured["time_ms"] = "the worker took no samples";
    return;
  }
  m.time_ms = summarize(reply.samples_ms);
  ceilings_->compare(m);
  if (m.time_ms->median > 0) {
    measure_baseline(m.problem_case);
    m.cpu = baseline_;
  }
  if (!m.cpu) m.not_measured["cpu"] = "the lab has no CPU baseline for this case";
}

std::optional<Measurement> LabRun::ceiling(const Case& c) {
  if (device_.emulator || options_.verify_only) return std::nullopt;
  const std::optional<Ceilings::Binding> binding = ceilings_->of(c);
  if (!binding) return std::nullopt;
  Measurement m;
  m.lab = problem_.lab();
  m.rung = binding->ceiling.what;
  m.role = "ceiling";
  m.backend = "cuda";
  m.device = device_.name;
  m.problem_case = c;
  (binding->is_arithmetic ? m.flops : m.bytes) = binding->ceiling.amount;
  m.time_ms = binding->ceiling.time_ms;
  m.not_measured["h2d_ms"] = m.not_measured["d2h_ms"] = "it stays within the device";
  m.not_measured["verified"] = "what it computes is tested elsewhere";
  return m;
}

}  // namespace warplab
