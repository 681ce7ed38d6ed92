#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/judge/clock_reading.hpp"
#include "lens/finding.hpp"

namespace warplab {

/// What kind of mistake the lens found, its likely cause, and between which barriers: nothing of the input.
struct SeenMistake {
  lens::FindingKind kind = lens::FindingKind::fault;
  lens::Hint hint = lens::Hint::none;
  std::optional<unsigned> barriers = {};  ///< above its line in the function, where that is known
  auto operator<=>(const SeenMistake&) const = default;
};

/// One requirement on a task's solution, and its outcome.
struct Check {
  enum class Status { passed, failed, not_run };
  enum class Kind { public_cases, hidden_cases, limit };
  std::string
      name;  ///< "right at hidden sizes"; of a limit: "at most 1.05 times the shared wavefronts needed"
  Kind kind = Kind::public_cases;
  bool where_it_fits = false;  ///< of public cases: the first of two steps; not in files
  Status status = Status::not_run;
  double points = 0, max_points = 0;
  /// For a student: what was expected and what happened first: the first wrong element with its index, the
  /// source line of a finding, "32 sectors per request, ideal 4". Of hidden cases without the input.
  std::string expected, happened;
  std::string input;   ///< the case; of hidden ones its kind: "a size that no tile divides"
  std::string reason;  ///< of one that was not run: "it did not compile"
  /// Of a limit: what was counted, where that could be; of several sizes the largest.
  std::optional<double> counted = {};
  bool launched = true;                 ///< whether a kernel was, where it failed; not in files
  std::set<SeenMistake> mistakes = {};  ///< that the lens found when it failed; for a class's statistics
};

/// One task of one submission.
struct TaskRecord {
  /// The outcome of the student's file as a whole; the checks tell the rest.
  enum class Status {
    judged,        ///< its checks ran
    to_do,         ///< the stub is still there
    missing,       ///< the submission has no such file
    not_compiled,  ///< `reason` has the compiler's first words
    refused,       ///< for what it contains, or for what it did: `reason`
    failed         ///< it crashed, hung or went beyond a limit before any check ended: `reason`
  };
  std::string lab, id, title, hint;
  Status status = Status::missing;
  std::string reason;
  std::string notice = {};  ///< for the instructor only: what could not be proven of the compiled file, or
                            ///< oddities.hpp
  double score = 0, points = 0;  ///< points: what it is worth
  std::vector<Check> checks;
  std::optional<ClockReading> clock = {};  ///< where it was timed too; no points depend on it
};

/// One submission, graded. But for readings of a clock and the time of handing in it holds no times: graded
/// again with the same seed it is the same, byte for byte.
struct SubmissionRecord {
  /// Whether there was anything to grade.
  enum class Status {
    graded,
    not_gradable,  ///< for what was handed in: `problem`
    own_failure    ///< warplab failed on it: it must be graded again
  };
  Status status = Status::graded;
  std::string
      student;  ///< the submission's name, made printable: its folder's, or its archive's without ending
  std::string source;              ///< the name as it was handed in, made printable
  std::string digest;              ///< SHA-256 over the names and contents of the files that were taken
  std::string submitted = {};      ///< when, as a list beside the submissions had it when graded; or ""
  std::string sandbox;             ///< "bubblewrap", "confined" or "none"
  std::string backend;             ///< "emulator" or "cuda"
  std::string seed_digest;         ///< SHA-256 of the batch's secret seed: which batch, not its inputs
  std::string tasks_digest;        ///< digest_of_tasks() of what it was graded by
  std::string problem;             ///< why it was not graded: "the archive is truncated"; else ""
  std::vector<std::string> notes;  ///< for the student: files that were not taken, an enclosing folder
  std::vector<TaskRecord> tasks;
  /// Each lab's answers.md, as it was handed in, by the lab's stem; where no question is answered, none.
  std::map<std::string, std::string> answers = {};
  /// What was handed in under the same name before, and graded by the same tasks: the first one first.
  std::vector<SubmissionRecord> earlier = {};
  double score() const;
  double points() const;
};

nlohmann::ordered_json to_json(const SubmissionRecord& record);
/// @throws std::runtime_error for what is not a record of this schema
SubmissionRecord record_from(const nlohmann::ordered_json& json);

const char* name_of(Check::Status status);
const char* name_of(Check::Kind kind);
const char* name_of(TaskRecord::Status status);
const char* name_of(SubmissionRecord::Status status);

}  // namespace warplab
