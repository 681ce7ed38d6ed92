#include "grader/sealed/sealed_marks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "grader/people/plain_words.hpp"
#include "grader/predict/questions.hpp"
#include "grader/text/printable.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

/// A field of a table, always quoted. A text that a spreadsheet would take for a formula begins with an
/// apostrophe.
std::string quoted(std::string text) {
  text = shown_line(text);
  std::ranges::replace(text, '"', '\'');
  const std::string field = csv_field(text);
  return field.starts_with('"') ? field : '"' + field + '"';
}

/// Whether a student may be called so: by name, login or both, by id or e-mail address.
bool is_name_of(const std::string& name, const Student& student) {
  const std::string given = squashed(name), login = squashed(student.login);
  if (given == login || given == squashed(student.id)) return true;
  if (!student.email.empty() && given == squashed(student.email)) return true;
  return std::ranges::any_of(squashed_forms(student.name),
                             [&](const std::string& form) { return given == form || given == form + login; });
}

/// Finds the student of a file among those that its entry is from.
void set_student(SealedMark& mark, const std::vector<const Student*>& students) {
  if (students.empty()) {
    mark.doubts.push_back("the entry fits nobody in the roster");
    return;
  }
  const auto named =
      std::ranges::find_if(students, [&](const Student* one) { return is_name_of(mark.name, *one); });
  const bool is_named = named != students.end();
  if (is_named || students.size() == 1) mark.student = is_named ? (*named)->login : students[0]->login;
  if (!is_named && !mark.seal.empty())
    mark.doubts.push_back(fmt::format("the name in it, {}, is not that of {}", mark.name, students[0]->name));
}

SealedMark mark_of(const SealedHandIn& hand_in, const WorthOfSealed& worth_of, const Seals* seals) {
  SealedMark mark;
  mark.entry = hand_in.entry;
  if (!hand_in.answers) {
    mark.refusal = hand_in.problem;
    return mark;
  }
  const SealedAnswers& given = *hand_in.answers;
  mark.name = given.name, mark.given_lab = given.lab, mark.seal = given.seal();
  mark.worth = worth_of(given);
  if (seals) mark.refusal = seals->objection_to(given);
  if (!mark.refusal.empty()) mark.worth.points = 0;
  return mark;
}

/// Notes files with other answers for the same lab under the same name, or of the same student. A student may
/// hand in one file twice.
void note_several_files(std::vector<SealedMark>& marks) {
  std::map<std::pair<std::string, std::string>, std::vector<SealedMark*>> together;
  for (SealedMark& mark : marks) {
    if (!mark.refusal.empty()) continue;
    together[{plain_name(mark.name), mark.given_lab}].push_back(&mark);
    if (!mark.student.empty()) together[{"\n" + mark.student, mark.given_lab}].push_back(&mark);
  }
  for (const auto& [whose, files] : together)
    for (SealedMark* const mark : files)
      for (const SealedMark* const other : files) {
        const bool is_same_again =
            other->seal == mark->seal && !other->student.empty() && other->student == mark->student;
        if (other == mark || is_same_again) continue;
        const std::string doubt = fmt::format("{} has a file with {} for the lab, too", other->entry,
                                              other->seal == mark->seal ? "these answers" : "other answers");
        if (std::ranges::find(mark->doubts, doubt) == mark->doubts.end()) mark->doubts.push_back(doubt);
      }
}

/// For the student: why a file gives nothing, and what is not right in it.
std::string remark_of(const SealedMark& mark) {
  const bool both = !mark.refusal.empty() && !mark.worth.remark.empty();
  return mark.refusal + (both ? "; " : "") + mark.worth.remark;
}

}  // namespace

std::vector<SealedMark> marks_of_sealed(const std::vector<SealedHandIn>& hand_ins,
                                        const WorthOfSealed& worth_of, const Seals* seals,
                                        const Matcher* matcher) {
  std::map<std::string, std::vector<const Student*>> students;
  if (matcher)
    for (const SealedHandIn& hand_in : hand_ins)
      students[hand_in.entry] = matcher->students_of(hand_in.entry);
  std::vector<SealedMark> marks;
  for (const SealedHandIn& hand_in : hand_ins) {
    marks.push_back(mark_of(hand_in, worth_of, seals));
    if (matcher) set_student(marks.back(), students[hand_in.entry]);
  }
  note_several_files(marks);
  return marks;
}

std::string table_of(const std::vector<SealedMark>& marks) {
  std::string table = "entry,student,name,lab,points,of,seal,remarks\n";
  for (const SealedMark& mark : marks) {
    std::vector<std::string> remarks = mark.doubts;
    if (std::string remark = remark_of(mark); !remark.empty()) remarks.push_back(std::move(remark));
    const bool is_read = !mark.seal.empty();
    table +=
        fmt::format("{},{},{},{},{:.4g},{},{},{}\n", quoted(mark.entry), csv_field(mark.student),
                    is_read ? quoted(mark.name) : "", is_read ? quoted(mark.given_lab) : "",
                    mark.worth.points, mark.worth.lab.empty() ? "" : fmt::format("{:.4g}", mark.worth.most),
                    mark.seal, quoted(fmt::format("{}", fmt::join(remarks, "; "))));
  }
  return table;
}

std::string written_rows_of(const std::vector<SealedMark>& marks, SealedKind kind) {
  std::map<std::pair<std::string, std::string>, std::vector<const SealedMark*>> files;  // by student and lab
  for (const SealedMark& mark : marks)
    if (!mark.student.empty() && !mark.worth.lab.empty())
      files[{mark.student, mark.worth.lab}].push_back(&mark);
  std::string table = "student,lab,part,points,most,remark\n";
  for (const auto& [whose, of_one] : files) {
    const auto counts =
        std::ranges::find_if(of_one, [](const SealedMark* mark) { return mark->refusal.empty(); });
    const SealedMark& mark = counts == of_one.end() ? *of_one.front() : **counts;
    table += fmt::format("{},{},{},{},{:.4g},{}\n", csv_field(whose.first), whose.second,
                         kind == SealedKind::hunt ? "hunt" : "predictions",
                         mark.doubts.empty() ? fmt::format("{:.4g}", mark.worth.points) : "", mark.worth.most,
                         quoted(remark_of(mark)));
  }
  return table;
}

}  // namespace warplab
