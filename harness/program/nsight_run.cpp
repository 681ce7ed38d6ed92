#include "harness/program/nsight_run.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "common/host/bad_input.hpp"
#include "common/io/file_content.hpp"
#include "common/io/temporary_folder.hpp"
#include "harness/program/cuda_tools.hpp"
#include "harness/worker/case_packet.hpp"
#include "harness/worker/child_process.hpp"
#include "lens/nsight_csv.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr const char* case_variable = "WARPLAB_PROFILED_CASE";

/// The environment's variable while it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;

 private:
  const char* name_;
};

/// Runs a command with its stdout in a file. @return what it wrote to stderr
std::string run(std::vector<std::string> command, const std::string& file, double timeout_s) {
  command.insert(command.begin(), {"/bin/sh", "-c", "exec \"$@\" >\"$0\"", file});
  ChildProcess process(command);
  if (process.wait(timeout_s) == ChildProcess::Event::timeout)
    throw std::runtime_error(fmt::format("Nsight Compute did not end within {:g} s", timeout_s));
  return process.err.take();
}

/// What ncu itself says went wrong.
std::string explain(const std::string& said) {
  if (said.find("ERR_NVGPUCTRPERM") != std::string::npos)
    return "the driver lets only an administrator read the GPU's counters (ERR_NVGPUCTRPERM): run this as "
           "root, or have an administrator put `options nvidia NVreg_RestrictProfilingToAdminUsers=0` into "
           "/etc/modprobe.d/nvidia-profiling.conf and restart the machine";
  std::string words;
  for (std::size_t at = 0; (at = said.find("==ERROR==", at)) != std::string::npos;) {
    const std::size_t end = std::min(said.find('\n', at), said.size());
    words += (words.empty() ? "" : "; ") + said.substr(at + 10, end - at - 10);
    at = end;
  }
  return "Nsight Compute failed: " + (words.empty() ? "it made no report" : words);
}

}  // namespace

void require_nsight() {
  if (find_cuda_tool("ncu").empty())
    throw NotAvailable(
        "--lens on a GPU reads its counters with Nsight Compute (ncu), which is neither in PATH nor in "
        "/usr/local/cuda/bin: install the package nsight-compute of the CUDA Toolkit, or build the preset "
        "emulator, whose --lens needs no GPU");
}

NsightOutcome profile_with_nsight(const std::string& rung, const Case& c, const Options& options) {
  const TemporaryFolder scratch(fs::temp_directory_path() / "warplab-nsight-");
  const fs::path& folder = scratch.path();
  const std::string ncu = find_cuda_tool("ncu"), report = folder / "launches.ncu-rep", log = folder / "log";
  const double timeout_s = std::max(120.0, 4 * options.timeout_s);  // a kernel is replayed some ten times
  try {
    std::vector<std::string> command{ncu, "--profile-from-start", "off", "--export", report};
    // A published figure is about whole launches, of kernels that may take a second
    const auto depth = options.published_suite ? lens::NsightDepth::rates : lens::NsightDepth::lines;
    for (const std::string& option : lens::nsight_options(depth)) command.push_back(option);
    command.insert(command.end(), {fs::read_symlink("/proc/self/exe"), "--rung", rung, "--in-process"});
    if (!options.input.empty()) command.insert(command.end(), {"--input", options.input});
    for (const auto& [name, value] : options.lab) command.insert(command.end(), {"--" + name, value});
    std::string said;
    {
      const Variable variable(case_variable, packed_case(c));
      said = run(command, log, timeout_s);
      said += file_content(log);
    }
    if (!fs::exists(report)) return {std::nullopt, explain(said)};
    const std::vector<std::string> import{ncu, "--import", report, "--csv", "--page"};
    const auto page = [&](std::initializer_list<const char*> words) {
      std::vector<std::string> print = import;
      print.insert(print.end(), words.begin(), words.end());
      run(print, log, timeout_s);
      return file_content(log);
    };
    const std::string raw = page({"raw", "--print-units", "base"});
    const std::string source =
        depth == lens::NsightDepth::lines ? page({"source", "--print-source", "cuda,sass"}) : "";
    return {lens::launches_from_nsight(raw, source), ""};
  } catch (const std::exception& error) {
    return {std::nullopt, error.what()};
  }
}

std::optional<Case> case_to_profile() {
  const char* const text = std::getenv(case_variable);
  if (!text) return std::nullopt;
  return unpacked_case(text);
}

bool is_under_profiler() { return std::getenv("WARPLAB_PROFILE_CALLS") != nullptr; }

}  // namespace warplab
