#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/marks/book.hpp"

namespace warplab {

/// A learning platform that takes a table of marks.
enum class MarkPlatform { canvas, moodle, blackboard, gradescope };
/// @throws BadInput with the known names
MarkPlatform mark_platform_by_name(const std::string& name);
const char* name_of(MarkPlatform platform);
std::vector<MarkPlatform> all_mark_platforms();

/// What to upload.
struct MarkExport {
  /// Contents by name. A name is the platform's, with the lab's where there is a table per lab, and .csv or
  /// .xls: "canvas.csv", "moodle-transpose.csv".
  std::map<std::string, std::string> files;
  std::vector<std::string> remarks;  ///< a sentence for each student whom a table must leave out
};

/// The tables that a platform's import takes. A lab that somebody did not hand in, and that nobody gave
/// points for, stays empty: platforms leave such a mark as it is.
///
/// - Canvas: Student, ID, SIS User ID, SIS Login ID, Section and a column per assignment, with the row of
///   possible points. ID is the roster's id. Source: Instructure's guide on importing grades.
/// - Moodle: one worksheet per assignment, as the feedback type "offline grading worksheet" imports it. It
///   finds students by the participant's number, which only the name of a submission shows, so others are
///   left out. Source: mod/assign/feedback/offline/importgradeslib.php, which needs Identifier, Grade and
///   Last modified (grade).
/// - Blackboard: Last Name, First Name, Username, Student ID and a column per item, tabs between. Source:
///   Blackboard's help on working offline with grades.
/// - Gradescope imports no marks. The table has the columns of its own export, for what reads that: per
///   assignment points, most points, time and lateness, and at the end the sum of all latenesses.
MarkExport mark_export(MarkPlatform platform, const Book& book, const Term& term);

}  // namespace warplab
