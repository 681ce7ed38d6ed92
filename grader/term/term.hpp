#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/course/course.hpp"
#include "grader/term/instant.hpp"

namespace warplab {

/// Which of a student's submissions counts.
enum class Policy {
  best,                 ///< the one with the highest mark after penalties
  last,                 ///< the one handed in last
  best_before_deadline  ///< the best of those that are not late; late ones count nothing
};
const char* name_of(Policy policy);

/// What a late submission costs.
struct LateRules {
  unsigned days = 0;               ///< that each student may be late in the term without a penalty
  double percent_per_day = 0;      ///< taken off what was earned, for each further day
  std::optional<unsigned> latest;  ///< later than so many days, it counts nothing
  unsigned grace_minutes = 0;      ///< after the deadline that are not late
};

/// What the term says of one lab.
struct LabTerms {
  std::map<std::string, Instant> deadlines;  ///< by section; "" for all others
  bool by_group = true;                      ///< groups hand it in together
  std::string column;                        ///< at the learning platform: "Lab 07 (4711)"; or ""
};

/// The rules of a term, as term.json has them.
struct Term {
  std::string name;  ///< "spring 2027"
  TimeZone zone;
  Policy policy = Policy::best;
  LateRules late;
  std::vector<std::string> sections;
  std::map<std::string, LabTerms> labs;  ///< by stem; a lab that it does not name has no deadline

  /// A term without a file: no deadlines.
  Term() = default;
  /// @param course all labs, which the file may name
  /// @throws BadInput, a sentence that names the file and the key
  static Term read(const std::filesystem::path& file, const Course& course);

  /// The deadline of a lab for a section, where it has one.
  std::optional<Instant> deadline(const std::string& lab, const std::string& section) const;
  /// What a lab's column is called; the lab's own name without another.
  std::string column(const std::string& lab) const;
  /// The column as people read it: without the number by which Canvas or Blackboard finds it.
  std::string title(const std::string& lab) const;
  bool is_by_group(const std::string& lab) const;
};

}  // namespace warplab
