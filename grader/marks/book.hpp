#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/judge/record.hpp"
#include "grader/marks/late_days.hpp"
#include "grader/people/gradescope_export.hpp"
#include "grader/term/class_files.hpp"

namespace warplab {

/// The records of a graded batch.
struct GradedBatch {
  std::vector<SubmissionRecord> records;                   ///< of an entry together, the last one last
  std::map<std::string, GradescopeEntry> gradescope = {};  ///< of the folder that was graded
  /// When entries were handed in, by their names, for what was graded before a list had it.
  std::map<std::string, std::string> times = {};
};

/// A submission as one of those that could count.
struct Attempt {
  const SubmissionRecord* record = nullptr;
  std::string entry;                 ///< its name as handed in
  std::optional<Instant> submitted;  ///< where that is known
  bool is_marked_late = false;       ///< by the platform
  std::uint64_t order = 0;           ///< larger for a later one of the same student; 0: not known
};

/// A student's mark for a lab, and how it came about.
struct LabMark {
  std::string lab;
  double of = 0;                    ///< points that the lab has
  std::optional<Attempt> counts;    ///< the submission that counts, where there is one
  std::optional<Attempt> answers;   ///< whose answers are read: its, or the last that are not too late
  std::optional<Attempt> unread;    ///< where nothing counts, the last of which nothing could be graded
  unsigned answers_late = 0;        ///< days, for which no points are taken off
  std::size_t attempts = 0;         ///< submissions with files of the lab
  std::optional<Instant> deadline;  ///< the student's own, extensions included
  bool is_extended = false;
  Lateness late;
  double automatic = 0;  ///< points of the record
  double decided = 0;    ///< after overrides of tasks
  double mark = 0;       ///< after penalties and an override of the lab
  std::vector<const WrittenPoints*> written;
  std::vector<const Override*> overrides;
  std::vector<const RegradeRequest*> requests;
  std::vector<std::string> steps;  ///< a phrase per step, in order

  /// What the feedback is about: what counts, else answers that came without code, else what was not graded.
  const Attempt* shown() const;
  /// Whether there is no mark yet, since warplab failed on the submission and nobody decided on the lab.
  bool is_open() const;
};

/// A student's marks.
struct StudentMarks {
  const Student* student = nullptr;
  std::vector<LabMark> labs;  ///< in the book's order
  unsigned late_days_used = 0, late_days_left = 0;
  double total() const;
};

/// The marks of a class, a row per student in the roster's order.
struct Book {
  std::vector<std::string> labs;  ///< stems, in the course's order
  std::vector<StudentMarks> rows;
  std::vector<std::string> remarks;  ///< a sentence for each thing that somebody should look at
};

/// Whose each record is, which counts, and what is left of its points.
/// @param course all labs, in their order
/// @param batches whose records outlive the book, as the class does; remarks on who handed in nothing are
/// about the labs of the last one
/// @throws BadInput if an entry fits two students
Book make_book(const Course& course, const ClassFiles& files, const std::vector<GradedBatch>& batches);

/// The records that count for a lab, each once and under the login of its student; of a group under all
/// logins: "ada, bob". In the book's order.
std::vector<SubmissionRecord> counting_records(const Book& book, const std::string& lab);

}  // namespace warplab
