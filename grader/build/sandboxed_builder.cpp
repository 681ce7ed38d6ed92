#include "grader/build/sandboxed_builder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/timer.hpp"
#include "grader/build/guard_configuration.hpp"
#include "grader/build/module_build.hpp"
#include "grader/build/module_source.hpp"
#include "grader/sandbox/sandboxed_worker.hpp"
#include "harness/build_tree.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t megabyte = std::uint64_t{1} << 20;

/// What compilers may see: the pristine tree's sources that a rung includes, never tests.
SandboxSpec compile_spec(const Course& course, const fs::path& folder, const PrecompiledHeaders& headers) {
  SandboxSpec spec;
  spec.visible = library_folders();
  spec.visible.push_back(headers.folder());
  for (const char* name : {"labs", "common", "emulator"}) spec.visible.push_back(course.root / name);
  spec.visible.push_back(build_root());
  if (const GuardConfiguration* const configuration = guard_configuration())
    for (const fs::path& toolchain : toolchain_folders(configuration->compiler))
      spec.visible.push_back(toolchain);
  spec.folder = folder;
  spec.cpu_s = 60;
  spec.memory_bytes = 2048 * megabyte;
  return spec;
}

SandboxSpec run_spec(const fs::path& module) {
  SandboxSpec spec;
  spec.visible = library_folders();
  spec.visible.push_back(worker_path());
  spec.visible.push_back(module);
  spec.cpu_s = 300;  // of all calls; the judge's clock ends a single one
  spec.memory_bytes = 4096 * megabyte;
  // One thread and one order of blocks: the same submission gets the same verdict.
  spec.environment = {{"WARPLAB_THREADS", "1"}, {"WARPLAB_SEED", "1"}};
  return spec;
}

/// A worker whose calls together have a bound, too.
class GuardedRunner : public RungRunner {
 public:
  GuardedRunner(Sandbox& sandbox, const fs::path& module, WorkerOptions options, double max_s)
      : max_s_(max_s), worker_(sandbox, module, std::move(options)) {}
  /// Whoever takes a little less than a call may, in each of all calls, is stopped as well.
  RungReply run(const RungRequest& request) override {
    if (spent_s_ > max_s_) {
      RungReply reply;
      reply.status = RungStatus::failed;
      reply.timed_out = true;
      reply.why = fmt::format("did not finish: all its calls together took more than {:g} s", max_s_);
      return reply;
    }
    const HostTimer timer;
    RungReply reply = worker_.client().run(request);
    spent_s_ += timer.elapsed_ms() / 1000;
    return reply;
  }

 private:
  double max_s_, spent_s_ = 0;
  SandboxedWorker worker_;
};

}  // namespace

SandboxedBuilder::SandboxedBuilder(const Course& course, const BuilderOptions& options, unsigned slot,
                                   std::shared_ptr<PrecompiledHeaders> headers)
    : course_(course),
      options_(options),
      sandbox_(options.level, slot),
      folder_(std::to_string(slot)),
      headers_(std::move(headers)) {}
SandboxedBuilder::~SandboxedBuilder() = default;

void SandboxedBuilder::clean_up() { sandbox_.end_all(); }

RungBuilder::Built SandboxedBuilder::build(const Task& task, const FileTexts& files) {
  using Status = TaskRecord::Status;
  const fs::path work = folder_.renewed();
  const ModuleSource source = source_of(*course_.find(task.lab), task, files, folder_.path());
  const SandboxSpec spec = compile_spec(course_, work, *headers_);
  const auto run = [&](const std::vector<std::string>& command, double wall_s) {
    return sandbox_.run_on_loan(spec, command, std::min(wall_s, options_.compile_s));
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
  return {std::make_unique<GuardedRunner>(sandbox_, module, std::move(worker), options_.calls_s),
          Status::judged, ""};
}

}  // namespace warplab
