#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/marks/book.hpp"
#include "grader/marks/exports.hpp"

namespace warplab {

/// Writes a book into `folder`/marks: marks.csv, marks_by_lab.csv, `feedback/<lab>/<login>.html` and .md, and
/// for each platform its tables and `feedback-<platform>-<lab>.zip`. Files with such names that this run does
/// not write are removed, whatever their platform and lab, since they may hold other marks. Each file appears
/// whole, and is the same, byte for byte, for the same book.
/// @return a sentence for each thing that somebody should look at
/// @throws BadInput if a file cannot be written, NotAvailable for a zip without libarchive
std::vector<std::string> write_marks(const std::filesystem::path& folder, const Book& book, const Term& term,
                                     const std::vector<MarkPlatform>& platforms);

/// Writes what whoever marks answers needs into `folder`/marks/answers: `<lab>.html` for each lab that has
/// answers, and written.csv with a row per question; or removes them where no lab has answers. A table that
/// somebody changed stays as it is while the class's own does not have all that is in it.
/// @return a sentence for each lab with answers, and for each answer that changed after it was marked
/// @throws BadInput if a file cannot be written
std::vector<std::string> write_marking(const std::filesystem::path& folder, const Course& course,
                                       const Book& book, const ClassFiles& files);

}  // namespace warplab
