#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "grader/course/course.hpp"
#include "grader/course/hidden_cases.hpp"
#include "grader/course/secret.hpp"
#include "grader/judge/case_arrays.hpp"
#include "grader/judge/record.hpp"
#include "grader/judge/rung_builder.hpp"
#include "harness/problem/problem.hpp"
#include "harness/rung/rung_request.hpp"

namespace warplab {

/// Reaches the verdict on tasks, in a process that holds no student's code: it draws inputs, has a runner
/// (a worker in a sandbox) call the rung, and compares what comes back with the oracle. Used by several
/// threads at a time.
class Judge {
 public:
  /// @param hidden the folder tests/hidden, or empty for a student's own tree, which has none: then hidden
  /// checks are not run, and say so
  Judge(Secret secret, std::filesystem::path hidden);

  /// The checks of a task, none of them run: what a task that never came so far is recorded with.
  TaskRecord unjudged(const Task& task, TaskRecord::Status status, const std::string& reason) const;
  /// Runs them all on a rung that was built. On the emulator launches are recorded: some of their blocks, or,
  /// where a limit is counted, all.
  /// @param files that it was built from, in which the barriers around a mistake are counted
  TaskRecord judge(const Task& task, RungRunner& runner, const FileTexts& files = {}) const;

 private:
  struct Verdict;
  /// Each public case of a rung, in one of its element types, which the secret draws: types differ by a word
  /// in a template, and to run them all would take as many times as long.
  std::vector<Case> public_cases(const Task& task) const;
  /// The hidden cases of a rung, read and drawn once.
  const std::vector<HiddenKind>& hidden_kinds(const Problem& problem, const Rung& rung) const;
  /// @param counted whether every block is to be recorded, or enough of them to find races
  Verdict run(const Problem& problem, const Rung& rung, const Case& c, RungRunner& runner,
              bool counted) const;
  std::vector<Check> checks_of(const Task& task) const;
  struct CountedRuns;
  void run_limit(const Task& task, const Limit& limit, Check& check, RungRunner& runner,
                 CountedRuns& runs) const;
  /// Why a right run cannot have computed its outputs by kernels: a sentence, or "".
  static std::string why_not_computed(const Problem& problem, const Case& c, const RungReply& reply);
  /// Why a right run, every block of it recorded, did not do the work: a sentence, or "".
  static std::string why_refused(const Problem& problem, const Case& c, const Verdict& verdict);
  /// Why a right run does not keep to a limit: a sentence, or "".
  /// @param counted of the limit so far, which grows to this run's
  static std::string why_beyond(const Limit& limit, const Problem& problem, const Case& c,
                                const Verdict& verdict, std::optional<double>& counted);

  Secret secret_;
  std::filesystem::path hidden_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::vector<HiddenKind>> hidden_kinds_;
  mutable KnownArrays arrays_;
};

}  // namespace warplab
