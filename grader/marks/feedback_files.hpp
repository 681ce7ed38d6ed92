#pragma once

#include <map>
#include <string>

#include "grader/marks/book.hpp"
#include "grader/marks/exports.hpp"
#include "grader/report/page.hpp"

namespace warplab {

/// A student's page for a lab: the mark and how it came about, what a person changed and why, requests and
/// their answers, then the feedback on the submission that counts, or that could not be graded.
Page mark_page(const StudentMarks& row, const LabMark& lab, const Term& term);

/// The pages of a lab, by the names under which a platform takes them back in one archive: the submission's
/// own name, from which it reads whose it is; of answers without code and of what could not be graded too. A
/// group's submission is in it once, without the members' own marks. Empty for a platform that takes none.
std::map<std::string, std::string> feedback_for_upload(MarkPlatform platform, const Book& book,
                                                       std::size_t lab, const Term& term);

}  // namespace warplab
