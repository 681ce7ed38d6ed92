#pragma once

#include <string>

#include "grader/marks/book.hpp"

namespace warplab {

/// A row per student: id, login, name, section, group, a column per lab, total, of, late_days_used,
/// late_days_left, how. The same bytes for the same book.
std::string marks_csv(const Book& book);

/// A row per student and lab, with each step from the record to the mark: login, name, lab, submission,
/// submissions, submitted, deadline, days_late, late_days_used, days_penalised, automatic, decided, mark, of,
/// how. Times are in the term's zone.
std::string marks_by_lab_csv(const Book& book, const Term& term);

}  // namespace warplab
