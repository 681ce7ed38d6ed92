#include "runner/run_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "common/host/bad_input.hpp"
#include "common/host/close_match.hpp"
#include "harness/console/flag_values.hpp"
#include "harness/console/flags.hpp"
#include "harness/rung/rung_request.hpp"

namespace warplab::runner {
namespace {

namespace fs = std::filesystem;

void check_one_of(const char* flag, const std::string& value, const std::vector<std::string>& accepted) {
  if (std::ranges::find(accepted, value) == accepted.end())
    throw BadInput(fmt::format("{} is '{}'; it takes one of: {}", flag, value, fmt::join(accepted, ", ")));
}

/// "transpose" for "transpose" and "07_transpose". @throws BadInput
std::string lab_named(const std::string& name, const std::vector<std::string>& labs) {
  const bool is_numbered = name.size() > 3 && std::isdigit(static_cast<unsigned char>(name[0])) &&
                           std::isdigit(static_cast<unsigned char>(name[1])) && name[2] == '_';
  const std::string stem = is_numbered ? name.substr(3) : name;
  if (std::ranges::find(labs, stem) != labs.end()) return stem;
  throw BadInput(fmt::format("unknown lab '{}'{}; there are: {}", name, did_you_mean(stem, labs),
                             fmt::join(labs, ", ")));
}

/// The labs of "--labs A,B --labs C", each once.
std::vector<std::string> chosen_labs(const std::vector<std::string>& lists,
                                     const std::vector<std::string>& labs) {
  std::vector<std::string> chosen;
  for (const std::string& list : lists) {
    std::istringstream names(list + ',');
    for (std::string name; std::getline(names, name, ',');)
      if (const std::string lab = lab_named(name, labs); std::ranges::find(chosen, lab) == chosen.end())
        chosen.push_back(lab);
  }
  return chosen;
}

bool is_in_path(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::error_code none; fs::is_regular_file(fs::path(folder) / program, none)) return true;
  return false;
}

void check_group(const std::string& group) {
  const bool is_plain = !group.empty() && std::ranges::all_of(group, [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.';
  });
  if (!is_plain)
    throw BadInput("--group is '" + group +
                   "'; it takes letters, digits, '_' and '.', as it becomes part of file names");
}

void check_profile(const RunOptions& options) {
  check_one_of("--profile", options.profile, {"none", "lens", "ncu"});
  if (options.profile == "ncu" && options.backend != "cuda")
    throw NotAvailable("--profile ncu needs a GPU; on the emulator take --profile lens");
  if (options.profile != "none" && options.backend == "cuda" && !is_in_path("ncu"))
    throw NotAvailable("--profile " + options.profile +
                       ": Nsight Compute (ncu) is not installed; the labs run without it");
}

/// `out` as it was meant in the folder `from`, as seen from here. @throws BadInput
fs::path destination_of(const std::string& out, const fs::path& from) {
  if (out.empty()) throw BadInput("--out needs a folder");
  const fs::path full = (from / out).lexically_normal(), here = fs::current_path();
  const fs::path inside = full.lexically_relative(here);
  const fs::path seen = inside.empty() || *inside.begin() == ".." ? full : inside;
  return seen.has_filename() ? seen : seen.parent_path();
}

}  // namespace

RunOptions parse_run_options(int argc, const char* const* argv, const std::vector<std::string>& labs) {
  RunOptions options;
  std::string out, from = ".", tests, repeat;
  std::vector<std::string> lists;
  Flags flags("builds, runs and reports the labs", "run_all.sh");
  flags.add_texts("--labs", lists);
  flags.add_required_text("--backend", options.backend);
  flags.add_text("--profile", options.profile);
  flags.add_text("--group", options.group);
  flags.add_text("--repeat", repeat);
  flags.add_text("--suite", options.suite);
  flags.add_text("--out", out);
  flags.add_text_or_nothing("--tests", tests);
  flags.add_text("--command", options.command);  // of run_all.sh itself, as is the next
  flags.add_text("--from", from);
  flags.parse(argc, argv);

  options.are_labs_chosen = flags.has("--labs");
  options.labs = options.are_labs_chosen ? chosen_labs(lists, labs) : labs;
  check_one_of("--backend", options.backend, {"cuda", "emulator"});
  check_profile(options);
  check_one_of("--suite", options.suite, {"default", "published", "sweep"});
  if (flags.has("--group"))
    check_group(options.group);
  else
    options.group = options.backend;
  if (flags.has("--repeat"))
    options.repeat = static_cast<int>(parse_number("--repeat", repeat, 1, max_repetitions));
  if (flags.has("--out")) options.out = destination_of(out, from);
  if (flags.has("--tests")) {
    if (!tests.empty() && tests != "all" && tests != "standard")
      throw BadInput("--tests takes 'all' or nothing, not '" + tests + "'");
    options.tests = tests == "all" ? RunOptions::Tests::all : RunOptions::Tests::standard;
  }
  return options;
}

}  // namespace warplab::runner
