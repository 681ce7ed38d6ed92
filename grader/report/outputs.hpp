#pragma once

#include <filesystem>
#include <vector>

#include "grader/judge/record_store.hpp"
#include "grader/report/gradescope.hpp"
#include "grader/report/similarity.hpp"

namespace warplab {

/// Writes what is made of one record into a batch's folder: `feedback/<student>.md` and .html, and
/// `gradescope/<student>.json`. To be called as soon as the record is written: others may still be at work.
/// @throws BadInput if a file cannot be written, std::invalid_argument for a student's name as
/// RecordStore::write() does
void write_student_outputs(const std::filesystem::path& folder, const SubmissionRecord& record,
                           const GradescopeOptions& options = {});

/// Writes what is made of all records: gradebook.csv, junit.xml, summary.md and summary.html, and clock.csv
/// where a clock was asked. Each file
/// appears whole, and is the same, byte for byte, for the same records.
/// @throws BadInput if a file cannot be written
void write_class_outputs(const std::filesystem::path& folder, const RecordStore::Contents& contents,
                         const std::vector<SimilarPair>& similar);

}  // namespace warplab
