#include "grader/marks/exports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

#include "common/host/bad_input.hpp"
#include "common/io/csv.hpp"
#include "grader/people/entry_name.hpp"
#include "grader/people/plain_words.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

constexpr std::array platforms = {
    std::pair{MarkPlatform::canvas, "canvas"}, std::pair{MarkPlatform::moodle, "moodle"},
    std::pair{MarkPlatform::blackboard, "blackboard"}, std::pair{MarkPlatform::gradescope, "gradescope"}};

/// "Doe, Jane", by which Canvas sorts.
std::string sortable(const std::string& name) {
  const NameParts parts = parts_of_name(name);
  return parts.given.empty() ? parts.family : parts.family + ", " + parts.given;
}

std::string mark_or_nothing(const LabMark& lab) {
  const bool has_nothing = lab.attempts == 0 && lab.overrides.empty() && lab.written.empty();
  return has_nothing || lab.is_open() ? "" : points_text(lab.mark);
}

std::string canvas_csv(const Book& book, const Term& term) {
  std::string header = "Student,ID,SIS User ID,SIS Login ID,Section", possible = ",,,,";
  for (std::size_t i = 0; i < book.labs.size(); ++i) {
    header += "," + csv_quoted(term.column(book.labs[i]));
    possible += "," + points_text(book.rows[0].labs[i].of);
  }
  // The blanks are Canvas's own: by them it knows the row.
  std::string text = header + "\n    Points Possible" + possible + "\n";
  for (const StudentMarks& row : book.rows) {
    const Student& student = *row.student;
    text += fmt::format("{},{},,{},{}", csv_quoted(sortable(student.name)), csv_quoted(student.id),
                        csv_quoted(student.login), csv_quoted(student.section));
    for (const LabMark& lab : row.labs) text += "," + mark_or_nothing(lab);
    text += "\n";
  }
  return text;
}

/// The number by which Moodle knows a student in this assignment; "" where no name shows it.
/// What is shown may be a partner's of the group, whose number is not the student's.
std::string participant_of(const LabMark& lab, const Student& student) {
  if (!lab.shown()) return "";
  const EntryName name = entry_name(without_archive_ending(lab.shown()->entry));
  if (name.platform != EntryName::Platform::moodle) return "";
  const std::vector<std::string> forms = squashed_forms(student.name);
  return std::ranges::find(forms, squashed(name.who)) == forms.end() ? "" : name.number;
}

std::string moodle_csv(const Book& book, std::size_t lab, std::vector<std::string>& remarks) {
  std::string text =
      "Identifier,Full name,Email address,Grade,Maximum grade,Last modified (grade),Feedback comments\n";
  std::vector<std::string> left_out;
  for (const StudentMarks& row : book.rows) {
    const LabMark& mark = row.labs[lab];
    const std::string participant = participant_of(mark, *row.student);
    const std::string points = mark_or_nothing(mark);
    if (points.empty()) continue;
    if (participant.empty()) {
      left_out.push_back(row.student->login);
      continue;
    }
    text += fmt::format("Participant {},{},{},{},{},-,{}\n", participant, csv_quoted(row.student->name),
                        csv_quoted(row.student->email), points, points_text(mark.of),
                        csv_quoted(fmt::format("{}", fmt::join(mark.steps, "; "))));
  }
  if (!left_out.empty())
    remarks.push_back(fmt::format("moodle-{}.csv lacks those whose participant's number no name shows: {}",
                                  book.labs[lab], fmt::join(left_out, ", ")));
  return text;
}

std::string tab_field(std::string text) {
  std::ranges::replace(text, '\t', ' ');
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string blackboard_table(const Book& book, const Term& term) {
  std::string text = "Last Name\tFirst Name\tUsername\tStudent ID";
  for (const std::string& lab : book.labs) text += "\t" + tab_field(term.column(lab));
  text += "\n";
  for (const StudentMarks& row : book.rows) {
    const NameParts name = parts_of_name(row.student->name);
    text += fmt::format("{}\t{}\t{}\t{}", tab_field(name.family), tab_field(name.given),
                        tab_field(row.student->login), tab_field(row.student->id));
    for (const LabMark& lab : row.labs) text += "\t" + mark_or_nothing(lab);
    text += "\n";
  }
  return text;
}

/// How long after its deadline a submission came, if it is late.
std::chrono::seconds lateness(const LabMark& lab) {
  if (!lab.counts || !lab.counts->submitted || !lab.deadline || lab.late.days == 0) return {};
  return std::max(std::chrono::seconds(0), *lab.counts->submitted - *lab.deadline);
}

/// "25:00:05"
std::string hours_text(std::chrono::seconds time) {
  return fmt::format("{:02}:{:02}:{:02}", time.count() / 3600, time.count() / 60 % 60, time.count() % 60);
}

std::string gradescope_csv(const Book& book, const Term& term) {
  std::string text = "First Name,Last Name,SID,Email,Sections";
  for (const std::string& lab : book.labs) {
    const std::string column = term.column(lab);
    for (const char* part : {"", " - Max Points", " - Submission Time", " - Lateness (H:M:S)"})
      text += "," + csv_quoted(column + part);
  }
  text += ",Total Lateness (H:M:S)\n";
  for (const StudentMarks& row : book.rows) {
    const Student& student = *row.student;
    const NameParts name = parts_of_name(student.name);
    text += fmt::format("{},{},{},{},{}", csv_quoted(name.given), csv_quoted(name.family),
                        csv_quoted(student.id), csv_quoted(student.email), csv_quoted(student.section));
    std::chrono::seconds all(0);
    for (const LabMark& lab : row.labs) {
      const bool timed = lab.counts && lab.counts->submitted;
      text += fmt::format(",{},{},{},{}", mark_or_nothing(lab), points_text(lab.of),
                          timed ? term.zone.text_with_offset(*lab.counts->submitted) : "",
                          hours_text(lateness(lab)));
      all += lateness(lab);
    }
    text += "," + hours_text(all) + "\n";
  }
  return text;
}

}  // namespace

MarkPlatform mark_platform_by_name(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [platform, its_name] : platforms) {
    if (name == its_name) return platform;
    names.emplace_back(its_name);
  }
  throw BadInput(fmt::format("--export names the unknown platform '{}'; known platforms: {}", name,
                             fmt::join(names, ", ")));
}

const char* name_of(MarkPlatform platform) {
  return std::ranges::find(platforms, platform, &std::pair<MarkPlatform, const char*>::first)->second;
}

std::vector<MarkPlatform> all_mark_platforms() {
  std::vector<MarkPlatform> all;
  for (const auto& [platform, name] : platforms) all.push_back(platform);
  return all;
}

MarkExport mark_export(MarkPlatform platform, const Book& book, const Term& term) {
  MarkExport made;
  switch (platform) {
    case MarkPlatform::canvas:
      made.files["canvas.csv"] = canvas_csv(book, term);
      break;
    case MarkPlatform::moodle:
      for (std::size_t i = 0; i < book.labs.size(); ++i)
        made.files[fmt::format("moodle-{}.csv", book.labs[i])] = moodle_csv(book, i, made.remarks);
      break;
    case MarkPlatform::blackboard:
      made.files["blackboard.xls"] = blackboard_table(book, term);
      break;
    case MarkPlatform::gradescope:
      made.files["gradescope.csv"] = gradescope_csv(book, term);
      break;
  }
  return made;
}

}  // namespace warplab
