#pragma once

#include <string>
#include <vector>

#include "grader/judge/record.hpp"
#include "grader/report/page.hpp"
#include "grader/report/similarity.hpp"

namespace warplab {

/// The instructor's page of a class: how scores are distributed, how each task went, which checks failed
/// most, which submissions need a look, which are alike, and each student's page, which lies in feedback/
/// beside it. It holds no times.
/// @param unread what RecordStore::read_all() could not read
Page class_page(const std::vector<SubmissionRecord>& records, const std::vector<std::string>& unread,
                const std::vector<SimilarPair>& similar);

}  // namespace warplab
