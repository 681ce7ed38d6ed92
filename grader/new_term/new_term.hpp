#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/course/course.hpp"

namespace warplab {

/// What the next term is made from.
struct NewTermOptions {
  std::filesystem::path roster;                ///< of the term that has ended, with its files beside it
  std::filesystem::path out;                   ///< a folder that is not there yet
  std::string name;                            ///< "fall 2027", or ""
  int weeks = 0;                               ///< by which deadlines move
  std::vector<std::filesystem::path> batches;  ///< of the term that has ended
  std::vector<std::filesystem::path> submissions = {};  ///< whose logs of tests are read
};

/// What was done, for the command's last lines.
struct NewTermReport {
  std::size_t deadlines = 0;  ///< that moved
  std::size_t archived = 0;   ///< files in last_term.tar.gz
  bool has_course = false;    ///< whether the tree has a course.json, of which `out` has the next
};

/// Makes `out`: term.json with all deadlines later by whole weeks at the same time of the day, a roster
/// without students, seed with a fresh secret that only its owner can read, last_term.tar.gz with the class
/// files, course.json, records, marks and seeds of the old term, and mistakes.md and .html. Where the tree
/// has a course.json, the next one is in `out` too; the tree stays as it is. `out` is whole or absent.
/// @throws BadInput if `out` is there, or for what ClassFiles::read or a batch refuses; NotAvailable without
/// libarchive
NewTermReport make_new_term(const Course& course, const NewTermOptions& options);

/// "2027-03-01 18:00 +0100" so many weeks later: "2027-08-30 18:00 +0100".
/// @param text a time that parse_instant() reads
std::string weeks_later(const std::string& text, int weeks);

}  // namespace warplab
