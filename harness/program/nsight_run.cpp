#include "harness/program/nsight_run.hpp"

#include <fmt/format.h>
#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "common/host/bad_input.hpp"
#include "common/io/file_content.hpp"
#include "common/io/temporary_folder.hpp"
#include "harness/program/cuda_tools.hpp"
#include "harness/worker/case_packet.hpp"
#include "harness/worker/child_process.hpp"
#include "lens/nvidia/nsight_csv.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// Names a file with a line for each call: the rung, a tab, the case.
constexpr const char* calls_variable = "WARPLAB_NSIGHT_CALLS_FILE";

/// Where the started program leaves a byte for each call that was right.
fs::path list_of_right(const fs::path& list) { return list.string() + ".right"; }

constexpr const char* how_to_permit =
    "the driver lets only an administrator read the GPU's counters (ERR_NVGPUCTRPERM): run this as root, or "
    "have an administrator put `options nvidia NVreg_RestrictProfilingToAdminUsers=0` into "
    "/etc/modprobe.d/nvidia-profiling.conf and restart the machine";

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

/// What one start of Nsight Compute counted: of the first calls, as far as it came.
struct Counted {
  std::vector<std::vector<lens::Launch>> calls;
  std::string why_no_more;
  bool may_not = false;  ///< no start will count anything
};

/// What ncu and the program that it ran said.
struct Said {
  std::string errors;      ///< of ncu; "" if it had none
  std::string last_words;  ///< of the program
  explicit Said(const std::string& text) {
    constexpr std::string_view error = "==ERROR== ";
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(error)) errors += (errors.empty() ? "" : "; ") + line.substr(error.size());
      if (!line.empty() && !line.starts_with("==")) last_words = line;
    }
  }
  std::string why() const {
    return "Nsight Compute failed: " + (!errors.empty()       ? errors
                                        : !last_words.empty() ? last_words
                                                              : "it made no report");
  }
};

std::vector<std::string> profiled_program(const Options& options) {
  std::vector<std::string> command{fs::read_symlink("/proc/self/exe"), "--in-process"};
  if (!options.input.empty()) command.insert(command.end(), {"--input", options.input});
  for (const auto& [name, value] : options.lab) command.insert(command.end(), {"--" + name, value});
  return command;
}

/// The launches of each call in a report of ncu.
std::vector<std::vector<lens::Launch>> read_report(const fs::path& report, lens::NsightDepth depth,
                                                   std::size_t calls, double timeout_s) {
  const fs::path csv = report.parent_path() / "page.csv";
  const auto page = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {find_cuda_tool("ncu"), "--import", report, "--csv", "--page"});
    run(words, csv, timeout_s);
    return file_content(csv);
  };
  const std::string raw = page({"raw", "--print-units", "base"});
  const std::string source =
      depth == lens::NsightDepth::lines ? page({"source", "--print-source", "cuda,sass"}) : "";
  return lens::launches_by_call(raw, source, calls);
}

Counted count(const std::vector<ProfiledCall>& calls, const Options& options) {
  constexpr double shared_call_s = 20;
  const TemporaryFolder scratch(fs::temp_directory_path() / "warplab-nsight-");
  const fs::path& folder = scratch.path();
  const fs::path report = folder / "launches.ncu-rep", log = folder / "log", list = folder / "calls";
  // A kernel is replayed some ten times
  const double timeout_s =
      std::max(120.0, 4 * options.timeout_s) + shared_call_s * static_cast<double>(calls.size() - 1);
  const auto depth = options.published_suite ? lens::NsightDepth::rates : lens::NsightDepth::lines;
  Counted counted;
  try {
    {
      std::ofstream file(list), right(list_of_right(list));
      for (const auto& [rung, c] : calls) file << rung << '\t' << packed_case(c) << '\n';
    }
    std::vector<std::string> command{
        find_cuda_tool("ncu"), "--nvtx", "--profile-from-start", "off", "--export", report};
    for (const std::vector<std::string>& words : {lens::nsight_options(depth), profiled_program(options)})
      command.insert(command.end(), words.begin(), words.end());
    std::string text;
    {
      const Variable variable(calls_variable, list);
      text = run(command, log, timeout_s);
      text += file_content(log);
    }
    const Said said(text);
    counted.may_not = text.find("ERR_NVGPUCTRPERM") != std::string::npos;
    counted.why_no_more = counted.may_not ? how_to_permit : said.why();
    // The last call in the report may be one that was not right.
    const std::size_t right = std::min(calls.size(), file_content(list_of_right(list)).size());
    if (fs::exists(report))
      counted.calls = read_report(report, depth, right, timeout_s);
    else if (said.errors.empty())  // there was nothing to report
      counted.calls.resize(right);
  } catch (const std::exception& error) {
    counted.why_no_more = error.what();
  }
  return counted;
}

}  // namespace

void require_nsight() {
  if (find_cuda_tool("ncu").empty())
    throw NotAvailable(
        "--lens on a GPU reads its counters with Nsight Compute (ncu), which is neither in PATH nor in "
        "/usr/local/cuda/bin: install the package nsight-compute of the CUDA Toolkit, or build the preset "
        "emulator, whose --lens needs no GPU");
}

std::vector<NsightOutcome> profile_with_nsight(const std::vector<ProfiledCall>& calls,
                                               const Options& options) {
  std::vector<NsightOutcome> outcomes;
  // Kernels of published experiments may take minutes each: one that is too slow shall not cost the others.
  if (calls.size() > 1 && !options.published_suite) {
    Counted counted = count(calls, options);
    for (std::vector<lens::Launch>& launches : counted.calls) outcomes.push_back({std::move(launches), ""});
    if (counted.may_not)
      outcomes.resize(calls.size(), {std::nullopt, counted.why_no_more});
    else if (outcomes.size() < calls.size())
      fmt::print(stderr, "{} of {} calls were counted at once, and the others are now one by one: {}\n",
                 outcomes.size(), calls.size(), counted.why_no_more);
  }
  while (outcomes.size() < calls.size()) {
    Counted counted = count({calls[outcomes.size()]}, options);
    if (counted.calls.empty())
      outcomes.push_back({std::nullopt, counted.why_no_more});
    else
      outcomes.push_back({std::move(counted.calls.front()), ""});
  }
  return outcomes;
}

bool has_calls_to_profile() { return std::getenv(calls_variable) != nullptr; }

bool run_calls_to_profile(const std::function<bool(const ProfiledCall&)>& is_right) {
  const fs::path path = std::getenv(calls_variable);
  std::ifstream list(path);
  std::ofstream right(list_of_right(path), std::ios::app);
  std::size_t number = 0;
  for (std::string rung, packed; std::getline(list, rung, '\t') && std::getline(list, packed); ++number) {
    nvtxRangePushA(lens::nsight_range(number).c_str());
    const bool was_right = is_right({rung, unpacked_case(packed)});
    nvtxRangePop();
    if (!was_right) return false;
    right << '.' << std::flush;
  }
  return true;
}

bool is_under_profiler() { return std::getenv("WARPLAB_PROFILE_CALLS") != nullptr; }

}  // namespace warplab
