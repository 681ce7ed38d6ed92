#include "grader/clock/clock_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <wordexp.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "common/host/bad_input.hpp"
#include "grader/sandbox/work_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr double max_seconds = 180;  // of one command: nvcc compiles a file for each architecture

/// @return null if there is no such file, or none that is JSON
Json read_json(const fs::path& path) {
  std::ifstream in(path);
  Json json = in ? Json::parse(in, nullptr, false) : Json();
  return json.is_discarded() ? Json() : json;
}

}  // namespace

std::vector<std::string> words_of_command(const std::string& command) {
  wordexp_t expanded{};
  if (wordexp(command.c_str(), &expanded, WRDE_NOCMD | WRDE_UNDEF) != 0)
    throw std::runtime_error("compile_commands.json holds what is not a plain command: " + command);
  std::vector<std::string> words(expanded.we_wordv, expanded.we_wordv + expanded.we_wordc);
  wordfree(&expanded);
  return words;
}

ClockTree::ClockTree(const fs::path& folder, const fs::path& root) {
  const std::string name = "--clock is '" + folder.string() + "', ";
  const Json said = read_json(folder / "clock.json");
  if (!said.is_object())
    throw BadInput(
        name + "which is not a build tree of warplab; it takes one of the preset cuda, such as build/cuda");
  if (said.value("backend", "") != "cuda")
    throw BadInput(name +
                   "a build tree of the emulator, which has no times; it takes one of the preset cuda");
  root_ = said.at("root").get<std::string>();
  std::error_code ignored;
  if (!fs::equivalent(root_, root, ignored))
    throw BadInput(fmt::format("{}a build tree of the sources in {}; it takes one of those in {}", name,
                               root_, root.string()));
  folder_ = fs::canonical(folder);
  kernel_compiler_ = said.at("kernel_compiler").get<std::string>();
  linker_ = said.at("linker").get<std::string>();
  link_ = said.at("link").get<std::vector<std::string>>();
  if (!fs::exists(kernel_compiler_))
    throw NotAvailable(fmt::format("{}whose compiler {} is not there", name, kernel_compiler_));
  visible_ = {folder_};
  for (const std::string& compiler : {kernel_compiler_, linker_})
    for (const fs::path& toolchain : toolchain_folders(compiler)) visible_.push_back(toolchain);
}

fs::path ClockTree::module(const std::string& lab, const std::string& rung) const {
  return folder_ / "lib" / "warplab" / lab / (rung + ".so");
}

void ClockTree::expect_rungs(const std::vector<const Task*>& tasks) const {
  std::set<std::string> missing;
  for (const Task* const task : tasks)
    if (!fs::exists(module(task->lab, task->rung))) missing.insert(task->lab);
  if (!missing.empty() || !fs::exists(worker()))
    throw BadInput(fmt::format(
        "--clock is '{0}', where {1} not built; build it first: cmake --build {0} --target {2}",
        folder_.string(),
        missing.empty() ? "warplab-worker is"
                        : fmt::format("{} {}", fmt::join(missing, ", "), missing.size() == 1 ? "is" : "are"),
        missing.empty() ? "warplab_worker" : fmt::format("{}", fmt::join(missing, " "))));
}

std::vector<std::string> ClockTree::compile_words(const fs::path& kernel, const fs::path& from,
                                                  const fs::path& to) const {
  for (const Json& entry : read_json(folder_ / "compile_commands.json")) {
    if (entry.value("file", "") != kernel) continue;
    std::vector<std::string> words = words_of_command(entry.at("command").get<std::string>());
    words.erase(words.begin(), std::ranges::find(words, kernel_compiler_));  // ccache, or the like
    // What is only doubtful is not a reason to have no time.
    std::erase_if(words, [](const std::string& word) {
      return word.starts_with("--Werror") || word.starts_with("-Werror");
    });
    const auto source = std::ranges::find(words, kernel.string());
    const auto output = std::ranges::find(words, "-o");
    if (words.empty() || source == words.end() || output == words.end() || output + 1 == words.end()) break;
    *source = from;
    *(output + 1) = to;
    words.insert(words.begin() + 1, "-I" + from.parent_path().string());  // headers as they were handed out
    return words;
  }
  throw std::runtime_error(fmt::format("{} does not say how {} is compiled; configure it again",
                                       (folder_ / "compile_commands.json").string(), kernel.string()));
}

ModuleBuild ClockTree::build(const ModuleSource& source, const fs::path& folder,
                             const CommandRunner& run) const {
  gather(source, folder);
  const std::string stem = source.stem();
  const fs::path kernel = folder / (stem + ".cu");
  const fs::path object = folder / (stem + ".o"), module = folder / (source.rung + ".so");
  std::vector<std::string> link{linker_, folder_ / adapter_object(source.lab_folder, source.lab, source.rung),
                                object, "-o", module};
  link.insert(link.end(), link_.begin(), link_.end());
  const fs::path ours = fs::path(root_) / "labs" / source.lab_folder.filename() / kernel.filename();
  for (const std::vector<std::string>& command : {compile_words(ours, kernel, object), link}) {
    const CommandOutcome outcome = run(command, max_seconds);
    if (outcome.exit_code == 0 && !outcome.timed_out) continue;
    if (outcome.timed_out) return {{}, {}, "the compiler did not end in time\n"};
    std::string errors =
        shortened_errors(outcome.output, {folder.string(), source.lab_folder.string(), root_});
    return {{},
            {},
            errors.empty() ? fmt::format("the compiler ended with code {}\n", outcome.exit_code)
                           : std::move(errors)};
  }
  return {module, {}, {}};
}

}  // namespace warplab
