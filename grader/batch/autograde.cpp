#include "grader/batch/autograde.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "common/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "common/timer.hpp"
#include "grader/intake/intake.hpp"
#include "grader/text/sha256.hpp"

namespace warplab {
namespace {

using Json = nlohmann::json;

/// A member of an object; null where there is none.
Json member(const Json& json, const char* name) {
  return json.is_object() && json.contains(name) ? json.at(name) : Json();
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
  const Intake intake = read_submission(single_submission(options.submission), task_files(course));
  KnownVerdicts known;
  const SubmissionRecord record = grade_submission(course, judge, intake, builder, conditions, known);
  GradescopeOptions shown = options.shown;
  shown.execution_time_s = timer.elapsed_ms() / 1000;
  shown.best_before = best_score_before(options.metadata, conditions);
  write_file_atomically(options.results, gradescope_results(record, shown).dump(1) + "\n");
  fmt::print("{}: {:g} of {:g} points, sandbox: {}\n", record.source, record.score(), record.points(),
             options.sandbox);
}

}  // namespace warplab
