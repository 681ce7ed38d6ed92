#include "grader/check/exercise_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <regex>
#include <thread>

#include "common/host/bad_input.hpp"
#include "grader/check/exercise_rules.hpp"
#include "grader/check/grid_layers.hpp"
#include "grader/check/pasted.hpp"
#include "grader/judge/judge.hpp"
#include "grader/release/solution_regions.hpp"
#include "grader/text/report_text.hpp"
#include "grader/text/source_tree.hpp"
#include "grader/text/text_lines.hpp"
#include "harness/problem/problem.hpp"

namespace warplab {
namespace {

constexpr std::size_t min_todo = 20;  // characters that say what to write, after the launcher's name

/// A file to build and judge in a task's place, and the outcome.
struct Trial {
  enum class Of { stub, solution, mutant, pasted };
  std::size_t lab = 0;  ///< its report's index
  const Task* task = nullptr;
  Of of = Of::stub;
  FileTexts files;
  Mutant mutant = {};
  const Task* earlier = nullptr;  ///< whose solution was pasted

  TaskRecord record = {};
  std::string todo = {};   ///< what a stub says
  GridLayers layers = {};  ///< of its launches
  std::string fault = {};  ///< why it could not be judged at all

  std::string name() const {
    return of == Of::stub       ? task->name() + ", its stub"
           : of == Of::solution ? task->name() + ", its solution"
           : of == Of::pasted   ? task->name() + ", with the solution of " + earlier->id
                                : task->name() + ", with the mistake '" + mutant.name + "'";
  }
};

/// Remembers what a record does not hold: what a stub says, and how far down grids went.
class Listener : public RungRunner {
 public:
  explicit Listener(RungRunner& runner) : runner_(runner) {}
  RungReply run(const RungRequest& request) override {
    RungReply reply = runner_.run(request);
    if (reply.status == RungStatus::todo) todo = reply.why;
    if (reply.lens) layers.add(*reply.lens);
    return reply;
  }
  void renew() override { runner_.renew(); }
  std::string todo;
  GridLayers layers;

 private:
  RungRunner& runner_;
};

void run(Trial& trial, const Judge& judge, RungBuilder& builder) try {
  const RungBuilder::Built built = builder.build(*trial.task, trial.files);
  if (!built.runner) {
    trial.record = judge.unjudged(*trial.task, built.status, built.reason);
    return;
  }
  Listener listener(*built.runner);
  trial.record = judge.judge(*trial.task, listener);
  trial.todo = listener.todo;
  trial.layers = listener.layers;
} catch (const std::exception& error) {
  trial.fault = error.what();
}

void run_all(std::vector<Trial>& trials, const Judge& judge, const CheckOptions& options,
             const BuilderMaker& make_builder) {
  std::atomic<std::size_t> next = 0;
  std::mutex telling;
  const auto work = [&](unsigned number) {
    const std::unique_ptr<RungBuilder> builder = make_builder(number);
    for (std::size_t i = next++; i < trials.size(); i = next++) {
      run(trials[i], judge, *builder);
      const std::lock_guard lock(telling);
      if (options.progress) options.progress(trials[i].name());
    }
  };
  const auto count = std::clamp(static_cast<std::size_t>(options.jobs), std::size_t{1},
                                std::max<std::size_t>(1, trials.size()));
  std::vector<std::exception_ptr> faults(count);
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < count; ++i)
      threads.emplace_back([&, i] {
        try {
          work(i);
        } catch (...) {
          faults[i] = std::current_exception();
        }
      });
  }
  for (const std::exception_ptr& fault : faults)
    if (fault) std::rethrow_exception(fault);
}

/// The check of which a student reads first; null if none failed.
const Check* first_failed(const TaskRecord& record) {
  const auto failed = std::ranges::find(record.checks, Check::Status::failed, &Check::status);
  return failed == record.checks.end() ? nullptr : &*failed;
}

std::string message_of(const TaskRecord& record) {
  if (!record.reason.empty()) return record.reason;
  const Check* const failed = first_failed(record);
  return failed ? failed->name + ": " + failed->happened : "";
}

std::set<std::string> kinds_of(const TaskRecord& record) {
  std::set<std::string> kinds;
  const Check* const failed = first_failed(record);
  if (!failed) return kinds;
  if (!failed->launched) kinds.insert(no_kernel);
  for (const SeenMistake& mistake : failed->mistakes) {
    kinds.insert(name_of(mistake.kind));
    if (mistake.hint != lens::Hint::none) kinds.insert(name_of(mistake.hint));
  }
  return kinds;
}

/// What is wrong with a stub, or "".
std::string fault_of_stub(const Trial& trial) {
  const TaskRecord& record = trial.record;
  if (record.status == TaskRecord::Status::not_compiled) return "its stub does not compile: " + record.reason;
  // A header's stub is called by our rung and says nothing; the grader knows it as it was handed out.
  if (trial.task->file.ends_with(".hpp") && record.score == 0) return "";
  if (record.status != TaskRecord::Status::to_do)
    return fmt::format("its stub is not to do, but {}, with {:g} of {:g} points: {}", name_of(record.status),
                       record.score, record.points, first_line(message_of(record)));
  if (record.score != 0) return fmt::format("its stub gets {:g} points", record.score);
  const std::string& launcher = trial.task->launcher;
  const std::size_t named = trial.todo.find(launcher);
  if (named == std::string::npos || trial.todo.size() - named < launcher.size() + min_todo)
    return fmt::format("its stub's message does not say what to write for {}: '{}'", launcher, trial.todo);
  return "";
}

std::string fault_of_solution(const TaskRecord& record) {
  // All its checks, as a task beyond the points of its lab has none.
  if (record.status == TaskRecord::Status::judged && std::abs(record.score - record.points) < 1e-9 &&
      std::ranges::count(record.checks, Check::Status::passed, &Check::status) == std::ssize(record.checks))
    return "";
  return fmt::format("our solution gets {:g} of {:g} points ({}): {}", record.score, record.points,
                     name_of(record.status), first_line(message_of(record)));
}

MutantOutcome outcome_of(const Trial& trial) {
  using enum Mutant::Killer;
  const TaskRecord& record = trial.record;
  MutantOutcome outcome{trial.mutant, {}, message_of(record), kinds_of(record)};
  if (record.status == TaskRecord::Status::not_compiled)
    outcome.died_of = compile;
  else if (record.status != TaskRecord::Status::judged)
    outcome.died_of = refused;
  else
    for (const Check& check : record.checks) {
      if (check.status == Check::Status::passed) continue;
      const Mutant::Killer killer = check.kind == Check::Kind::public_cases   ? public_cases
                                    : check.kind == Check::Kind::hidden_cases ? hidden_cases
                                                                              : limit;
      outcome.died_of = std::min(outcome.died_of.value_or(killer), killer);
    }
  return outcome;
}

/// What a mutant's fate says against our tests, or "".
std::string fault_of_tests(const MutantOutcome& outcome) {
  const Mutant& mutant = outcome.mutant;
  if (!outcome.died_of) return fmt::format("the mistake '{}' survives with all points", mutant.name);
  if (*outcome.died_of > mutant.killed_by)
    return fmt::format("the mistake '{}' gets past what must kill it, '{}', and dies of '{}': {}",
                       mutant.name, name_of(mutant.killed_by), name_of(*outcome.died_of),
                       first_line(outcome.message));
  if (*outcome.died_of != mutant.killed_by) return "";
  if (!mutant.kind.empty() && !outcome.kinds.contains(mutant.kind))
    return fmt::format("the mistake '{}' is not seen as '{}'; the student reads: {}", mutant.name,
                       mutant.kind, outcome.message);
  if (!std::regex_search(outcome.message, std::regex(mutant.says)))
    return fmt::format("of the mistake '{}' the student reads nothing like /{}/, but: {}", mutant.name,
                       mutant.says, outcome.message);
  return "";
}

/// Adds what a pasted solution got, and says what is wrong if that is everything; else "".
std::string fault_of_task(const Trial& trial, std::vector<PastedOutcome>& outcomes) {
  const double score = trial.record.score, points = trial.record.points;
  if (score <= 0) return "";
  const auto same = std::ranges::find(outcomes, trial.task->id, &PastedOutcome::task);
  if (same == outcomes.end())
    outcomes.push_back({trial.task->id, trial.earlier->id, score, points});
  else if (score > same->score)
    *same = {trial.task->id, trial.earlier->id, score, points};
  // A task without limits asks only for values, which are right however they are made.
  if (score < points - 1e-9 || trial.task->limits.empty()) return "";
  return fmt::format("the solution of {} gets all of its {:g} points", trial.earlier->id, points);
}

/// A task's files as stubs or as solutions.
FileTexts texts_of(const Lab& lab, const Task& task,
                   std::string (*version)(std::string_view, const std::string&)) {
  FileTexts texts;
  for (const std::string& file : task.files()) texts[file] = version(bytes_of_file(lab.folder / file), file);
  return texts;
}

/// Stubs and solutions of a lab's tasks, and its mutants if they are asked for.
void add_trials(std::vector<Trial>& trials, std::size_t index, const Lab& lab, const CheckOptions& options,
                LabReport& report) {
  const auto attempt = [&](const std::string& about, const auto& add) {
    try {
      add();
    } catch (const BadInput& error) {
      report.problems.push_back(about + ": " + error.what());
    }
  };
  for (const Task& task : lab.tasks)
    attempt(task.name(), [&] {
      trials.push_back({index, &task, Trial::Of::stub, texts_of(lab, task, without_solutions)});
      trials.push_back({index, &task, Trial::Of::solution, texts_of(lab, task, with_solutions)});
    });
  if (options.pasted)
    attempt(lab.stem, [&] {
      for (Pasted& one : pasted_solutions(lab))
        trials.push_back({index, one.as, Trial::Of::pasted, std::move(one.files), {}, one.of});
    });
  if (!options.mutants) return;
  std::vector<Mutant> mutants;
  attempt(lab.stem, [&] { mutants = mutants_of(lab, options.hidden / "mutants" / (lab.stem + ".json")); });
  std::map<std::string, std::size_t> of_task;
  std::erase_if(mutants, [&](const Mutant& mutant) {
    return options.max_mutants != 0 && ++of_task[mutant.task] > options.max_mutants;
  });
  for (const Mutant& mutant : mutants)
    attempt(lab.stem, [&] {
      const Task& task = *std::ranges::find(lab.tasks, mutant.task, &Task::id);
      FileTexts files = texts_of(lab, task, with_solutions);
      files[task.file] = with_mistake(bytes_of_file(lab.folder / task.file), task.file, mutant);
      trials.push_back({index, &task, Trial::Of::mutant, std::move(files), mutant});
    });
}

void judge_trial(const Trial& trial, const Lab& lab, LabReport& report) {
  std::string fault = trial.fault;
  if (!fault.empty()) {
    report.problems.push_back(trial.name() + ": it could not be judged: " + fault);
    return;
  }
  if (trial.of == Trial::Of::stub) fault = fault_of_stub(trial);
  if (trial.of == Trial::Of::solution) {
    fault = fault_of_solution(trial.record);
    if (fault.empty() && reads_layers(lab, trial.files))
      for (const std::string& sentence : trial.layers.in_one_layer())
        report.problems.push_back(trial.task->name() + ": " + sentence);
  }
  if (trial.of == Trial::Of::mutant) {
    report.mutants.push_back(outcome_of(trial));
    fault = fault_of_tests(report.mutants.back());
  }
  if (trial.of == Trial::Of::pasted) fault = fault_of_task(trial, report.pasted);
  if (!fault.empty()) report.problems.push_back(trial.task->name() + ": " + fault);
}

std::string killed_text(std::size_t killed, std::size_t all) {
  return fmt::format("{} of {} mutants killed ({:.4g} %)", killed, all,
                     100 * static_cast<double>(killed) / static_cast<double>(all));
}

}  // namespace

bool ExerciseReport::sound() const {
  return leaks.empty() &&
         std::ranges::all_of(labs, [](const LabReport& lab) { return lab.problems.empty(); });
}

ExerciseReport check_exercises(const Course& course, const CheckOptions& options,
                               const BuilderMaker& make_builder) {
  ExerciseReport report;
  std::vector<Trial> trials;
  for (const Lab& lab : course.labs) {
    const auto problem = problem_registry().find(lab.stem);
    if (problem == problem_registry().end())
      throw BadInput("the problem of the lab " + lab.stem + " is not linked into this program");
    report.labs.push_back({lab.stem, lab.tasks.size(), {}, {}, {}});
    LabReport& own = report.labs.back();
    own.problems = broken_rules(lab, *problem->second, course.root, options.hidden);
    add_trials(trials, report.labs.size() - 1, lab, options, own);
  }
  if (options.leaks) {
    report.leaks = options.leaks(course);
    report.leaks_looked_for = true;
  }
  const Judge judge(options.secret, options.hidden);
  run_all(trials, judge, options, make_builder);
  for (const Trial& trial : trials) judge_trial(trial, course.labs[trial.lab], report.labs[trial.lab]);
  return report;
}

std::string to_text(const ExerciseReport& report) {
  std::string problems, labs;
  std::size_t tasks = 0, faults = report.leaks.size(), mutants = 0, killed = 0;
  for (const LabReport& lab : report.labs) {
    for (const std::string& problem : lab.problems) problems += problem + '\n';
    for (const PastedOutcome& one : lab.pasted)
      problems += fmt::format("{}/{}: note: the solution of {} gets {:.4g} of its {:g} points\n", lab.lab,
                              one.task, one.of, one.score, one.points);
    std::size_t own = 0, earlier = 0;
    for (const MutantOutcome& outcome : lab.mutants) {
      own += outcome.died_of.has_value();
      if (!outcome.died_of || *outcome.died_of >= outcome.mutant.killed_by) continue;
      ++earlier;
      problems +=
          fmt::format("{}/{}: note: the mistake '{}' is killed earlier than by '{}', by '{}': {}\n", lab.lab,
                      outcome.mutant.task, outcome.mutant.name, name_of(outcome.mutant.killed_by),
                      name_of(*outcome.died_of), first_line(outcome.message));
    }
    labs += fmt::format("{:<14} {:<8}", lab.lab, counted(lab.tasks, "task"));
    if (!lab.mutants.empty()) labs += "  " + killed_text(own, lab.mutants.size());
    if (earlier > 0) labs += fmt::format(", {} earlier than named", earlier);
    labs += lab.problems.empty() ? "  sound\n" : "  " + counted(lab.problems.size(), "problem") + '\n';
    tasks += lab.tasks;
    faults += lab.problems.size();
    mutants += lab.mutants.size();
    killed += own;
  }
  for (const std::string& leak : report.leaks) problems += "leak: " + leak + '\n';
  std::string summary = fmt::format("{}, {}", counted(report.labs.size(), "lab"), counted(tasks, "task"));
  if (mutants > 0) summary += ", " + killed_text(killed, mutants);
  summary += report.leaks_looked_for ? ", " + counted(report.leaks.size(), "leak") : ", leaks not looked for";
  return problems + labs + summary + (faults == 0 ? ": sound\n" : ": " + counted(faults, "problem") + '\n');
}

}  // namespace warplab
