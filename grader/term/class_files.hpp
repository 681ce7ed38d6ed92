#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/course/course.hpp"
#include "grader/people/roster.hpp"
#include "grader/term/changes.hpp"
#include "grader/term/term.hpp"

namespace warplab {

/// All that an instructor has written about a class: the roster and the files beside it.
struct ClassFiles {
  Roster roster;
  Term term;                                    ///< term.json, or no rules without it
  std::vector<Extension> extensions;            ///< extensions.csv
  std::vector<Override> overrides;              ///< overrides.csv
  std::vector<RegradeRequest> requests;         ///< requests.csv
  std::vector<WrittenPoints> written;           ///< written.csv
  std::map<std::string, SubmissionNote> notes;  ///< submissions.csv

  /// Reads all of them, so that nothing is written where one of them is wrong. Only the roster must be there.
  /// @param course all labs of the course, not only those that are graded now
  /// @throws BadInput, a sentence with file and line
  static ClassFiles read(const std::filesystem::path& roster, const Course& course);

  /// The students whom submissions.csv names, by entries.
  std::map<std::string, std::string> written_students() const;
  /// The deadline of a student for a lab, extensions included.
  std::optional<Instant> deadline(const Student& student, const std::string& lab) const;
};

}  // namespace warplab
