#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "grader/predict/sealed_answers.hpp"

namespace warplab {

// What `predict` and `hunt` share: they ask a student, and mark what was sealed.

/// A line of what the student types. @throws BadInput at the end of the input
std::string line_after(const std::string& prompt);

/// The sealed answers in a folder, sorted by place, and files that may have been some. @throws BadInput if it
/// is not a folder
std::vector<std::filesystem::path> sealed_files(const std::filesystem::path& folder, SealedKind kind);

/// The seals that were handed in, one "name,lab,seal" per line. @throws BadInput
std::set<std::string> seals_in(const std::string& file);

/// Marks what was handed in, and writes the table to a file, or prints it where `out` is empty. A file that
/// cannot be read has a line without points, and a sentence on standard error.
/// @param row_of makes the line of a student's answers
void write_marks_of(const std::vector<std::filesystem::path>& files, SealedKind kind,
                    const std::function<std::string(const SealedAnswers&)>& row_of, const std::string& out);

/// A field of a CSV file. A text that a spreadsheet would take for a formula begins with a quotation mark.
std::string csv_words(std::string text);

}  // namespace warplab
