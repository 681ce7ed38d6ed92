#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/course/course.hpp"
#include "grader/people/roster.hpp"
#include "grader/term/term.hpp"

namespace warplab {

/// A later deadline of one student for a lab.
struct Extension {
  std::string login, lab;
  Instant until;
  std::string why;
};

/// Points that a person decided on.
struct Override {
  std::string login, lab;
  std::string task;  ///< its points before penalties; "" for the lab's mark, after all penalties
  double points = 0;
  std::string why, by;
};

/// A student's wish to have something looked at again, and the answer.
struct RegradeRequest {
  enum class Status { open, accepted, refused };
  std::string login, lab, task;  ///< task: "" for the whole lab
  std::string why, answer;
  Status status = Status::open;
  std::string place;  ///< "requests.csv:3"
};
const char* name_of(RegradeRequest::Status status);

/// Points for what a person reads: a part of a lab's answers, or a student's predictions.
struct WrittenPoints {
  std::string login, lab;
  std::string part;              ///< "question 2"
  std::optional<double> points;  ///< none where it is not marked yet
  double most = 0;
  std::string remark;       ///< for the student; or ""
  std::string answer = {};  ///< which answer was marked: "sha256:1a2b3c4d5e6f" or "none"; "" if not known
};

/// What the name of an entry does not show, by the entry's name without the ending of its archive.
struct SubmissionNote {
  std::string login;  ///< or "" where the name shows it
  std::optional<Instant> submitted;
  std::map<std::string, Instant> of_digests = {};  ///< by the first digits of what was handed in
};

/// What course and class the rows of a table may name.
struct ChangeContext {
  const Course& course;
  const Roster& roster;
  const Term& term;
};

// Each reads a table; an absent file has no rows. @throws BadInput, a sentence with the line, for a student,
// lab or task that is not there, a time or points that cannot be, and two rows about the same

/// Columns student, lab, until, why.
std::vector<Extension> read_extensions(const std::filesystem::path& file, const ChangeContext& context);
/// Columns student, what ("transpose/tiled" or "transpose"), points, why, by.
/// @param written what makes labs worth more than their tasks
std::vector<Override> read_overrides(const std::filesystem::path& file, const ChangeContext& context,
                                     const std::vector<WrittenPoints>& written);
/// Columns student, what, why, status ("open", "accepted" or "refused"; "" is open), answer.
std::vector<RegradeRequest> read_requests(const std::filesystem::path& file, const ChangeContext& context);
/// Columns student, lab, part, points, most, remark, answer. A part of a lab has one maximum. A part without
/// points is not marked yet.
std::vector<WrittenPoints> read_written_points(const std::filesystem::path& file,
                                               const ChangeContext& context);
/// Columns entry, student, submitted, digest. A row with a digest is about one of several things that were
/// handed in under one name, and has its time.
std::map<std::string, SubmissionNote> read_submission_notes(const std::filesystem::path& file,
                                                            const ChangeContext& context);

}  // namespace warplab
