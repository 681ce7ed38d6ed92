#include "grader/build/module_build.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "common/host/bad_input.hpp"
#include "common/io/file_content.hpp"
#include "grader/build/error_places.hpp"
#include "grader/build/guard_configuration.hpp"
#include "grader/guard/guard_assembly.hpp"
#include "grader/release/withheld_parts.hpp"
#include "grader/text/report_text.hpp"
#include "grader/text/shell_line.hpp"
#include "grader/validator/validator.hpp"
#include "harness/problem/problem.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr double max_seconds = 300;  // of one command; its runner bounds the processor time
constexpr std::size_t max_lines = 40, max_errors = 3;

std::string text_of(const fs::path& path) {
  std::optional<std::string> text = readable_content(path);
  if (!text) throw std::runtime_error(path.filename().string() + " is not there to be read");
  return *std::move(text);
}

/// What solutions of this lab may call: nothing special without a problem of the lab in this program.
GuardAllowance allowance_of(const std::string& lab) {
  const auto found = problem_registry().find(lab);
  if (found == problem_registry().end()) return {};
  return {.whole_program = found->second->whole_programs(),
          .asynchronous_copies = found->second->copies_asynchronously()};
}

fs::path adapter_of(const GuardConfiguration& configuration, const ModuleSource& source) {
  return fs::path(configuration.build) / adapter_object(source.lab_folder, source.lab, source.rung);
}

class Build {
 public:
  Build(const GuardConfiguration& configuration, const ModuleSource& source, const fs::path& folder,
        const CommandRunner& run, PrecompiledHeaders* headers)
      : c_(configuration),
        source_(source),
        folder_(folder),
        run_(run),
        headers_(headers),
        launcher_(source.launcher.empty() ? source.stem() : source.launcher),
        allowance_(allowance_of(source.lab)) {}

  ModuleBuild run() {
    const fs::path adapter = adapter_of(c_, source_);
    if (!fs::exists(adapter))
      throw std::runtime_error("the build tree lacks " + adapter.string() + "; build the lab " + source_.lab +
                               " first");
    if (is_blank(source_.student)) return {{}, std::nullopt, source_.file + " is empty\n"};
    if (const auto refusal = refusal_of_source(source_.student)) return {{}, refusal, {}};
    for (const auto& [name, header] : source_.headers)
      if (const auto refusal = refusal_of_source(header, SourceKind::header)) return refused(*refusal, name);
    gather(source_, folder_);
    const fs::path kernel = at(".cu"), file = folder_ / source_.file;
    const fs::path preprocessed = at(".ii"), translated = at(".cu.cpp"), assembly = at(".s"),
                   guarded = at(".guarded.s"), object = at(".o"), module = folder_ / (source_.rung + ".so"),
                   part = at(".part");
    std::vector<std::string> command{c_.compiler, "-E", "-w"};
    append(command, c_.preprocess);
    append(command,
           {"-DWARPLAB_RUNG=" + launcher_, "-I" + folder_.string(), "-I" + c_.root, "-o", part, kernel});
    const bool is_translated =
        steps({command, moved(part, preprocessed), {c_.translator, "--graded", preprocessed, translated}});
    if (!fs::exists(preprocessed)) return failed();
    const std::string text = text_of(preprocessed);
    if (const auto refusal = refusal_of_preprocessed(text, file.string())) return {{}, refusal, {}};
    for (const auto& [name, header] : source_.headers)
      if (const auto refusal = refusal_of_preprocessed(text, folder_ / name)) return refused(*refusal, name);
    if (const auto refusal = refusal_of_includes(text, c_.root)) return {{}, refusal, {}};
    if (!is_translated) return failed();
    if (!step(to_assembly(translated, assembly))) {
      outcome_.output = with_own_columns(outcome_.output, text_of(translated), own_texts());
      return failed();
    }
    const std::string compiled = text_of(assembly);
    const auto outcome = guarded_assembly(compiled, launcher_, allowance_);
    if (const Refusal* const refusal = std::get_if<Refusal>(&outcome)) return {{}, *refusal, {}};
    if (!defines_launcher(compiled, launcher_)) return {{}, std::nullopt, lacks_launcher()};
    std::ofstream(guarded, std::ios::binary) << std::get<std::string>(outcome);
    if (!step({c_.compiler, "-c", "-Wa,--gdwarf-5", "-o", object, guarded})) return failed();
    if (std::string violation = violation_in(text_of(object)); !violation.empty())
      return {{}, std::nullopt, {}, std::move(violation)};
    command = {c_.compiler, "-shared", "-o", module, adapter, object};
    append(command, c_.link);
    if (!step(command)) return failed();
    return {module, std::nullopt, {}};
  }

 private:
  /// What decides whether the object may be loaded: nothing before it has to be believed.
  std::string violation_in(std::string object) const {
    const auto violation = validator::violation_of(
        std::move(object),
        {launcher_, [&](std::string_view symbol) { return may_import(symbol, allowance_); }});
    return violation ? validator::to_text(*violation) : "";
  }
  static void append(std::vector<std::string>& command, const std::vector<std::string>& words) {
    command.insert(command.end(), words.begin(), words.end());
  }
  std::string lacks_launcher() const {
    return fmt::format(
        "{} does not define {}(), which the grader calls: hand in the whole file, and keep the head of that "
        "function and any lines `template void {}(...);` as they were handed out\n",
        source_.file, launcher_, launcher_);
  }
  static ModuleBuild refused(Refusal refusal, const std::string& header) {
    refusal.file = header;
    return {{}, std::move(refusal), {}};
  }
  /// The student's files, by the paths that the compiler names.
  std::map<std::string, std::string> own_texts() const {
    std::map<std::string, std::string> texts{{folder_ / source_.file, source_.student}};
    for (const auto& [name, header] : source_.headers) texts.emplace(folder_ / name, header);
    return texts;
  }
  /// Takes the headers out of the file if they are compiled already.
  std::vector<std::string> to_assembly(const fs::path& translated, const fs::path& assembly) {
    std::vector<std::string> command{c_.compiler};
    append(command, c_.compile);
    if (headers_) {
      std::set<std::string> own{at(".cu"), folder_ / source_.file};
      for (const auto& [name, header] : source_.headers) own.insert(folder_ / name);
      const std::string text = text_of(translated);
      const TextBehindHeaders split = split_behind_headers(text, own, folder_);
      const auto compile = [&](const fs::path& source, const fs::path& compiled) {
        std::vector<std::string> words = command;
        append(words, {"-x", "c++-header", "-o", compiled, source});
        return step(words);
      };
      if (const fs::path header = headers_->find(split.headers, folder_, compile); !header.empty()) {
        append(command, {"-include", header});
        std::ofstream(translated, std::ios::binary | std::ios::trunc) << split.rest;
      }
    }
    append(command, {"-S", "-o", assembly, translated});
    return command;
  }
  fs::path at(const char* ending) const { return folder_ / (source_.stem() + ending); }
  bool step(const std::vector<std::string>& command) {
    outcome_ = run_(command, max_seconds);
    return outcome_.exit_code == 0 && !outcome_.timed_out;
  }
  /// What a command that is killed leaves is not a result: those that are looked at are moved to their place.
  static std::vector<std::string> moved(const fs::path& from, const fs::path& to) {
    return {"/bin/mv", from, to};
  }
  /// Each if the one before it went well, in one sandbox: to make one takes longer than to preprocess.
  bool steps(const std::vector<std::vector<std::string>>& commands) {
    std::string line;
    for (const std::vector<std::string>& command : commands)
      line += (line.empty() ? "" : " && ") + shell_line(command);
    return step({"/bin/sh", "-c", line});
  }
  ModuleBuild failed() const {
    if (outcome_.timed_out) return {{}, std::nullopt, "the compiler did not end in time\n"};
    std::string errors =
        shortened_errors(outcome_.output, {folder_.string(), c_.root + "/emulator/include", c_.root});
    if (errors.empty())
      errors = "the compiler ended with code " + std::to_string(outcome_.exit_code) + "\n";
    else if (errors.find("rror") == std::string::npos)  // it found none, and ran out of memory or the like
      errors = "the compiler failed: " + errors;
    return {{}, std::nullopt, std::move(errors)};
  }

  const GuardConfiguration& c_;
  const ModuleSource& source_;
  const fs::path& folder_;
  const CommandRunner& run_;
  PrecompiledHeaders* const headers_;  ///< or null
  std::string launcher_;
  GuardAllowance allowance_;
  CommandOutcome outcome_;
};

}  // namespace

std::string shortened_errors(std::string text, const std::vector<std::string>& folders) {
  for (std::string folder : folders) {
    if (!folder.ends_with('/')) folder += '/';
    for (std::size_t at; (at = text.find(folder)) != std::string::npos;) text.erase(at, folder.size());
  }
  std::istringstream lines(text);
  std::string result;
  std::size_t count = 0, errors = 0;
  for (std::string line; std::getline(lines, line);) {
    // What follows the first ones mostly follows from them.
    errors += line.find(" error: ") != std::string::npos;
    if (errors <= max_errors && count++ < max_lines) result += line + "\n";
  }
  if (errors > max_errors) result += fmt::format("and {}\n", counted(errors - max_errors, "more error"));
  return result;
}

std::vector<fs::path> read_by_build(const ModuleSource& source) {
  const GuardConfiguration* const configuration = guard_configuration();
  if (configuration == nullptr) return {};
  const fs::path root = configuration->root, adapter = adapter_of(*configuration, source);
  std::vector<fs::path> paths{root / "common", root / "emulator/include", configuration->translator};
  if (fs::exists(adapter)) paths.push_back(adapter);  // else build_module() says what is missing
  for (const std::string& word : configuration->link)
    if (word.starts_with('/')) paths.push_back(word);
  return paths;
}

ModuleBuild build_module(const ModuleSource& source, const fs::path& folder, const CommandRunner& run,
                         PrecompiledHeaders* headers) {
  const GuardConfiguration* const configuration = guard_configuration();
  if (configuration == nullptr)
    throw NotAvailable(
        "submissions are judged by the preset emulator on x86-64 only, since their machine code must be "
        "proven before it runs; elsewhere run a lab's own tests (docs/platforms.md)");
  return Build(*configuration, source, folder, run, headers).run();
}

}  // namespace warplab
