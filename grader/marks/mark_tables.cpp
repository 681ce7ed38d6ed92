#include "grader/marks/mark_tables.hpp"

#include <fmt/format.h>

#include "grader/text/printable.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

std::string cell(const std::string& text) { return csv_field(shown_line(text)); }

std::string steps_text(const LabMark& lab) { return fmt::format("{}", fmt::join(lab.steps, "; ")); }

/// A mark, or nothing where there is none yet.
std::string mark_text(const LabMark& lab) { return lab.is_open() ? "" : points_text(lab.mark); }

std::string how_text(const StudentMarks& row) {
  std::string how;
  for (const LabMark& lab : row.labs)
    how += fmt::format("{}{}: {} = {}", how.empty() ? "" : " | ", lab.lab, steps_text(lab),
                       lab.is_open() ? "open" : points_text(lab.mark));
  return how;
}

}  // namespace

std::string marks_csv(const Book& book) {
  std::string text = "id,login,name,section,group";
  for (const std::string& lab : book.labs) text += "," + cell(lab);
  text += ",total,of,late_days_used,late_days_left,how\n";
  for (const StudentMarks& row : book.rows) {
    const Student& student = *row.student;
    text += fmt::format("{},{},{},{},{}", cell(student.id), cell(student.login), cell(student.name),
                        cell(student.section), cell(student.group));
    double of = 0;
    for (const LabMark& lab : row.labs) {
      text += "," + mark_text(lab);
      of += lab.of;
    }
    text += fmt::format(",{},{},{},{},{}\n", points_text(row.total()), points_text(of), row.late_days_used,
                        row.late_days_left, cell(how_text(row)));
  }
  return text;
}

std::string marks_by_lab_csv(const Book& book, const Term& term) {
  std::string text =
      "login,name,lab,submission,submissions,submitted,deadline,days_late,late_days_used,days_penalised,"
      "automatic,decided,mark,of,how\n";
  const auto time = [&](const std::optional<Instant>& instant) {
    return instant ? term.zone.text(*instant) : std::string();
  };
  for (const StudentMarks& row : book.rows)
    for (const LabMark& lab : row.labs)
      text +=
          fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", cell(row.student->login),
                      cell(row.student->name), cell(lab.lab), lab.counts ? cell(lab.counts->entry) : "",
                      lab.attempts, lab.counts ? time(lab.counts->submitted) : "", time(lab.deadline),
                      lab.late.days, lab.late.free_days, lab.late.penalised, points_text(lab.automatic),
                      points_text(lab.decided), mark_text(lab), points_text(lab.of), cell(steps_text(lab)));
  return text;
}

}  // namespace warplab
