#pragma once

#include <string>
#include <vector>

#include "grader/answers/written_part.hpp"
#include "grader/course/course.hpp"
#include "grader/marks/book.hpp"

namespace warplab {

/// Students who share answers to a lab: one, or a group that hands in together.
struct AnsweringStudents {
  std::vector<const StudentMarks*> rows;
  const LabMark* mark = nullptr;  ///< of the first of them; all have the same submission
  const std::string& answers() const { return mark->answers->record->answers.at(mark->lab); }
};

/// Those with answers to a lab, in the book's order.
std::vector<AnsweringStudents> answering_students(const Book& book, const std::string& lab);

/// The page for whoever marks a lab's answers: per student the counts of the submission and how late the
/// answers are, and per question the answer beside key and rubric, with the points that written.csv has.
/// Students must not get it.
std::string marking_page(const Lab& lab, const Book& book, const ClassFiles& files);

/// written.csv with a row for each question of everybody who has answers: the rows that the class has, then
/// those that are not marked yet, without points. The column `answer` ties points to what was marked.
std::string marking_table(const Course& course, const Book& book, const ClassFiles& files);

/// How many questions of a lab have points for the answers as they are now.
std::size_t marked_questions(const AnsweringStudents& students,
                             const std::vector<WrittenQuestion>& questions);

/// The rows of a lab with points for answers that the submission no longer has.
std::vector<const WrittenPoints*> points_for_old_answers(const Lab& lab, const Book& book);

}  // namespace warplab
