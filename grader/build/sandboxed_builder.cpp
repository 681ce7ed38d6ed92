#include "grader/build/sandboxed_builder.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>

#include "common/timer.hpp"
#include "grader/build/graded_device.hpp"
#include "grader/build/guard_configuration.hpp"
#include "grader/build/module_build.hpp"
#include "grader/build/module_source.hpp"
#include "grader/release/handed_out.hpp"
#include "grader/sandbox/sandboxed_worker.hpp"
#include "harness/rung/build_tree.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t megabyte = std::uint64_t{1} << 20;

SandboxSpec run_spec(const fs::path& module) {
  SandboxSpec spec;
  spec.visible = library_files();
  spec.visible.push_back(worker_path());
  spec.visible.push_back(module);
  spec.cpu_s = 300;  // of all calls; the judge's clock ends a single one
  spec.memory_bytes = std::uint64_t{4} << 30;
  // One thread, one order of blocks and one device: the same submission gets the same verdict everywhere.
  spec.environment = loader_environment();
  for (const auto& [name, value] : {std::pair("WARPLAB_THREADS", "1"),
                                    {"WARPLAB_SEED", "1"},
                                    {multiprocessors_variable, graded_multiprocessors}})
    spec.environment.emplace_back(name, value);
  return spec;
}

std::string all_spent(const BuilderOptions& options) {
  return fmt::format("the {:g} minutes that grading may take for one submission are over",
                     options.all_s / 60);
}

/// Processor time of this process's children that have ended.
double children_cpu_s() {
  rusage use{};
  getrusage(RUSAGE_CHILDREN, &use);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

/// A worker whose calls together have a bound, too.
class GuardedRunner : public RungRunner {
 public:
  /// @param all_spent_s of the builder, which outlives this
  GuardedRunner(Sandbox& sandbox, const fs::path& module, WorkerOptions worker, const BuilderOptions& options,
                double& all_spent_s)
      : options_(options), all_spent_s_(all_spent_s), worker_(sandbox, module, std::move(worker)) {}
  /// Whoever takes a little less than a call may, in each of all calls, is stopped as well.
  RungReply run(const RungRequest& request) override {
    if (spent_s_ > options_.calls_s)
      return stopped(
          fmt::format("did not finish: all its calls together took more than {:g} s", options_.calls_s));
    if (options_.all_s > 0 && all_spent_s_ > options_.all_s)
      return stopped("did not finish: " + all_spent(options_));
    const HostTimer timer;
    RungReply reply = worker_.client().run(request);
    const double took_s = timer.elapsed_ms() / 1000;
    spent_s_ += took_s;
    all_spent_s_ += std::min(took_s, options_.call_s);
    return reply;
  }
  void renew() override { worker_.client().renew(); }

 private:
  static RungReply stopped(std::string why) {
    RungReply reply;
    reply.status = RungStatus::failed;
    reply.timed_out = true;
    reply.why = std::move(why);
    return reply;
  }

  const BuilderOptions options_;
  double& all_spent_s_;
  double spent_s_ = 0;
  SandboxedWorker worker_;
};

}  // namespace

SandboxSpec compile_spec(const ModuleSource& source, const fs::path& folder,
                         const PrecompiledHeaders& headers, double cpu_s) {
  SandboxSpec spec;
  spec.visible = library_files();
  for (fs::path& path : read_by_build(source)) spec.visible.push_back(std::move(path));
  spec.visible.push_back(headers.folder());
  spec.environment = loader_environment();
  if (const GuardConfiguration* const configuration = guard_configuration()) {
    std::vector<std::string> programs = configuration->tools;
    for (const auto& variable : path_to(programs)) spec.environment.push_back(variable);
    programs.push_back(configuration->compiler);
    for (const std::string& program : programs)
      for (const fs::path& toolchain : toolchain_folders(program)) spec.visible.push_back(toolchain);
  }
  spec.folder = folder;
  spec.cpu_s = cpu_s;
  spec.memory_bytes = 2048 * megabyte;
  return spec;
}

double build_wall_s(const BuilderOptions& options, double spent_s) {
  const double usual = 5 * options.compile_s;
  if (options.all_s <= 0) return usual;
  return std::min(usual, options.compile_s + std::max(0.0, options.all_s - spent_s));
}

SandboxedBuilder::SandboxedBuilder(const Course& course, const BuilderOptions& options, unsigned slot,
                                   std::shared_ptr<PrecompiledHeaders> headers)
    : course_(course),
      given_(given_headers(course)),
      options_(options),
      sandbox_(options.level, slot),
      folder_(std::to_string(slot)),
      headers_(std::move(headers)) {
  see_graded_device();
}
SandboxedBuilder::~SandboxedBuilder() = default;

void SandboxedBuilder::clean_up() { sandbox_.end_all(); }

RungBuilder::Built SandboxedBuilder::build(const Task& task, const FileTexts& files) {
  using Status = TaskRecord::Status;
  if (options_.all_s > 0 && spent_s_ > options_.all_s)
    return {nullptr, Status::failed, "not graded: " + all_spent(options_)};
  const fs::path work = folder_.renewed();
  const ModuleSource source = source_of(*course_.find(task.lab), task, files, given_.at(task.lab));
  const SandboxSpec spec = compile_spec(source, work, *headers_, options_.compile_s);
  const auto run = [&](const std::vector<std::string>& command, double wall_s) {
    const HostTimer timer;
    const double begun_cpu_s = children_cpu_s();
    CommandOutcome outcome =
        sandbox_.run_on_loan(spec, command, std::min(wall_s, build_wall_s(options_, spent_s_)));
    double cpu_s = children_cpu_s() - begun_cpu_s;
    // What a namespace has used is not always added up when it ends; then g++ itself says what ended cc1plus.
    if (outcome.output.find("CPU time limit exceeded signal terminated program") != std::string::npos)
      cpu_s = std::max(cpu_s, options_.compile_s);
    // Of what was killed for the clock on the wall nobody knows the processor time.
    spent_s_ += outcome.timed_out ? timer.elapsed_ms() / 1000 : cpu_s;
    if (outcome.exit_code != 0 && cpu_s > 0.95 * options_.compile_s)
      outcome.output = fmt::format("it took more than {:g} s of a processor\n", options_.compile_s);
    return outcome;
  };
  const ModuleBuild built = build_module(source, work, run, headers_.get());
  if (built.refusal)
    return {nullptr, Status::refused,
            built.refusal->line
                ? fmt::format("{}:{}: {}", built.refusal->file.empty() ? task.file : built.refusal->file,
                              built.refusal->line, built.refusal->text)
                : built.refusal->text};
  if (!built.unproven.empty())
    return {nullptr, Status::refused,
            "the compiled file could not be proven to keep to its own memory, so it was not run; ask your "
            "instructor",
            built.unproven};
  if (built.module.empty()) return {nullptr, Status::not_compiled, built.errors};

  const fs::path module = folder_.kept(built.module);
  WorkerOptions worker{worker_path(), options_.call_s, sandbox_.prefix(run_spec(module))};
  worker.confined = options_.level != SandboxLevel::none;
  return {std::make_unique<GuardedRunner>(sandbox_, module, std::move(worker), options_, spent_s_),
          Status::judged, ""};
}

}  // namespace warplab
