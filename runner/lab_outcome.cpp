#include "runner/lab_outcome.hpp"

#include <fmt/format.h>

#include <fstream>

#include "common/host/bad_input.hpp"
#include "common/io/file_content.hpp"

namespace warplab::runner {
namespace {

namespace fs = std::filesystem;
using report::Json;

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of("\r\n");
  if (end == std::string::npos) return "";
  const std::size_t begin = text.find_last_of("\r\n", end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

/// The files of one lab in a run's folder.
struct LabFiles {
  fs::path out, err, json, csv;
  LabFiles(const RunOptions& options, const RunFolder& folder, const std::string& lab) {
    const std::string stem = fmt::format("{}-{}-{}-{}", lab, options.group, options.profile, folder.number());
    out = folder.gathered() / (stem + ".out");
    err = folder.gathered() / (stem + ".err");
    json = folder.gathered() / (stem + ".json");
    csv = folder.gathered() / (stem + ".csv");
  }
};

/// The program, under Nsight Compute if it is to print: each rung's first call at each size is profiled.
Command command_of(const RunOptions& options, const RunFolder& folder, const std::string& lab,
                   const LabFiles& files) {
  Command command;
  command.out = files.out;
  command.err = files.err;
  if (options.profile == "ncu") {
    command.words = {"ncu",  "--target-processes", "all",    "--profile-from-start", "off", "--clock-control",
                     "none", "--log-file",         files.err};
    command.err = files.out;
    command.is_profiled = true;
  }
  command.words.insert(command.words.end(),
                       {options.program(lab), "--json", files.json, "--csv", files.csv, "--pictures",
                        folder.gathered() / "pictures", "--suite", options.suite});
  if (options.repeat > 0)
    command.words.insert(command.words.end(), {"--repeat", std::to_string(options.repeat)});
  if (options.profile == "lens") command.words.push_back("--lens");
  return command;
}

}  // namespace

int LabOutcome::exit_code() const {
  if (!build.is_runnable || ending.signal != 0) return exit_check_failed;
  switch (ending.exit_code) {
    case exit_ok:
      return build.broken_rungs.empty() ? exit_ok : exit_check_failed;
    case exit_not_available:
    case exit_fault:
      return ending.exit_code;
    default:
      return exit_check_failed;
  }
}

RungStatus LabOutcome::status() const {
  if (!build.is_runnable) return RungStatus::not_built;
  if (ending.is_success()) return RungStatus::ok;
  return ending.signal == 0 && ending.exit_code == exit_not_available ? RungStatus::unavailable
                                                                      : RungStatus::failed;
}

std::string LabOutcome::why() const {
  if (!build.is_runnable) return "the program did not build";
  std::string why = ending.signal != 0 ? fmt::format("the program was ended by signal {}", ending.signal)
                    : status() == RungStatus::unavailable
                        ? "not available here"
                        : fmt::format("the program ended with exit code {}", ending.exit_code);
  return last_words.empty() ? why : why + ": " + last_words;
}

bool LabOutcome::is_complete() const {
  if (!results) return false;
  const Json::json_pointer finished("/run/finished");
  return !results->contains(finished) || results->at(finished) != false;
}

LabOutcome run_lab(const RunOptions& options, const RunFolder& folder, const std::string& lab,
                   const LabBuild& build) {
  LabOutcome outcome{lab, build, {}, "", std::nullopt, ""};
  const LabFiles files(options, folder, lab);
  if (!build.is_runnable) {
    std::ofstream(files.err) << outcome.why() << "\n";
    return outcome;
  }
  try {
    outcome.ending = run_child(command_of(options, folder, lab, files));
  } catch (const Interrupted&) {
    for (const fs::path& file : {files.out, files.err, files.json, files.csv}) fs::remove(file);
    throw;
  }
  const std::string errors = file_content(files.err);
  outcome.last_words = last_line(errors);
  if (errors.empty()) fs::remove(files.err);
  Json results = Json::parse(file_content(files.json), nullptr, /*allow_exceptions=*/false);
  if (results.is_object() && results.contains("measurements")) outcome.results = std::move(results);
  outcome.csv = file_content(files.csv);
  fs::remove(files.json);
  fs::remove(files.csv);
  return outcome;
}

}  // namespace warplab::runner
