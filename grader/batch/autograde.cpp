#include "grader/batch/autograde.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "common/timer.hpp"
#include "grader/batch/child_result.hpp"
#include "grader/batch/failed_record.hpp"
#include "grader/batch/isolated_child.hpp"
#include "grader/intake/intake.hpp"
#include "grader/text/sha256.hpp"

namespace warplab {
namespace {

using Json = nlohmann::json;

/// A member of an object; null where there is none.
Json member(const Json& json, const char* name) {
  return json.is_object() && json.contains(name) ? json.at(name) : Json();
}

/// A submission that ends the process that grades it still gets a result.
SubmissionRecord graded_in_child(const Course& course, const Judge& judge, const Submission& submission,
                                 RungBuilder& builder, const GradingConditions& conditions) {
  IsolatedChild child([&] {
    return text_of_result([&] {
      KnownVerdicts known;
      const Intake intake = read_submission(submission, submission_files(course));
      return to_json(grade_submission(course, judge, intake, builder, conditions, known));
    });
  });
  while (!child.take()) {
  }
  const IsolatedChild::End end = child.end();
  builder.clean_up();
  std::string why = end.why;
  const auto json = end.result ? result_in(*end.result, why) : nlohmann::ordered_json();
  if (!json.is_null()) return record_from(json);
  Intake unread;
  unread.student = submission.student;
  unread.source = submission.source;
  return failed_record(course, judge, unread, conditions, why);
}

}  // namespace

std::optional<double> best_score_before(const std::filesystem::path& metadata,
                                        const GradingConditions& conditions) {
  std::ifstream in(metadata);
  const Json known = Json::parse(in, nullptr, false), submissions = member(known, "previous_submissions");
  std::optional<double> best;
  if (!submissions.is_array()) return best;
  for (const Json& submission : submissions) {
    const Json graded = member(member(submission, "results"), "extra_data"),
               score = member(graded, "score_of_this_submission");
    if (member(graded, "seed_digest") != conditions.seed_digest ||
        member(graded, "tasks_digest") != conditions.tasks_digest || !score.is_number())
      continue;
    best = std::max(best.value_or(0), score.get<double>());
  }
  return best;
}

void autograde(const Course& course, const Secret& secret, const AutogradeOptions& options,
               RungBuilder& builder) {
  const HostTimer timer;
  const Judge judge(secret, options.hidden);
  const GradingConditions conditions{options.sandbox, sha256(secret.digits()),
                                     digest_of_tasks(course, options.hidden)};
  const Submission submission = single_submission(options.submission);
  const SubmissionRecord record = graded_in_child(course, judge, submission, builder, conditions);
  GradescopeOptions shown = options.shown;
  shown.execution_time_s = timer.elapsed_ms() / 1000;
  shown.best_before = best_score_before(options.metadata, conditions);
  write_file_atomically(options.results, gradescope_results(record, shown).dump(1) + "\n");
  fmt::print("{}: {:g} of {:g} points, sandbox: {}\n", record.source, record.score(), record.points(),
             options.sandbox);
}

}  // namespace warplab
