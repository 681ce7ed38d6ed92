#include "grader/marks/marking_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "grader/report/task_words.hpp"
#include "grader/text/printable.hpp"
#include "grader/text/report_text.hpp"
#include "grader/text/sha256.hpp"
#include "grader/text/text_lines.hpp"
#include "report/html/html.hpp"

namespace warplab {
namespace {

using report::escaped;

constexpr const char* style = R"css(
h2{display:flex;gap:.3rem 1rem;justify-content:space-between;flex-wrap:wrap}
h3{font-size:1.02rem;margin:1.1rem 0 .3rem}
h4{font-size:.875rem;margin:0 0 .3rem;color:var(--soft)}
p{max-width:none}
.over{color:var(--warn);font-weight:600}.failed{color:var(--bad)}
.pair{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:.6rem 1.4rem;align-items:start}
.answer{white-space:pre-wrap;border-left:4px solid var(--accent);padding:.1rem 0 .1rem .8rem}
.none{border-color:var(--line);color:var(--soft)}
.key{font-size:.9rem}.key ul{margin:0;padding-left:1.1rem}.key li{margin:.15rem 0}
.names{columns:14rem;list-style:none;padding:0;font-size:.9rem}
summary{cursor:pointer;color:var(--accent)}
@media(max-width:46rem){.pair{grid-template-columns:1fr}main{padding-left:.7rem;padding-right:.7rem}
section{padding:.9rem .9rem .7rem}}
)css";

std::string code(std::string_view text) { return fmt::format("<code>{}</code>", escaped(text)); }

/// A line of our own Markdown, with its code as code and nothing else rendered.
std::string inline_html(std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const std::size_t open = text.find('`'), close = text.find('`', std::min(open, text.size() - 1) + 1);
    html += escaped(text.substr(0, close == std::string_view::npos ? text.size() : open));
    if (close == std::string_view::npos) break;
    html += code(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  return html;
}

/// A rubric: a list, whose items may go on in the next line.
std::string rubric_html(const std::string& rubric) {
  std::vector<std::string> items;
  for (const std::string_view line : lines_of(rubric)) {
    const std::string words = with_single_blanks(line);
    if (line.starts_with("- "))
      items.push_back(words.substr(2));
    else if (!words.empty() && !items.empty())
      items.back() += " " + words;
    else if (!words.empty())
      items.push_back(words);
  }
  std::string html = "<ul>\n";
  for (const std::string& item : items) html += fmt::format("<li>{}</li>\n", inline_html(item));
  return html + "</ul>\n";
}

/// "Jane Doe (jdoe), Max Ray (max)"
std::string names_of(const AnsweringStudents& students) {
  std::vector<std::string> names;
  for (const StudentMarks* row : students.rows)
    names.push_back(fmt::format("{} ({})", shown_line(row->student->name), row->student->login));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What ties points to an answer: the first digits of its digest, which no spreadsheet takes for a number.
std::string answer_digest(const std::map<int, std::string>& answers, int question) {
  constexpr std::size_t digits = 12;
  const auto found = answers.find(question);
  return found == answers.end() ? "none" : "sha256:" + sha256(found->second).substr(0, digits);
}

/// Whether points are for an answer as it is now, as far as the class's table has that.
bool are_for(const WrittenPoints& points, const std::map<int, std::string>& answers, int question) {
  return points.answer.empty() || points.answer == answer_digest(answers, question);
}

const WrittenPoints* points_for(const AnsweringStudents& students, const std::string& part) {
  const auto& written = students.mark->written;
  const auto found = std::ranges::find(written, part, &WrittenPoints::part);
  return found == written.end() ? nullptr : *found;
}

/// What the lens counted of a task, limit by limit.
void add_limits(report::HtmlTable& table, const TaskRecord& task) {
  for (const Check& check : task.checks) {
    if (check.kind != Check::Kind::limit) continue;
    const bool is_over = check.status == Check::Status::failed;
    const std::string counted = check.counted ? fmt::format("{:.4g}", *check.counted)
                                : check.status == Check::Status::not_run ? "not counted"
                                                                         : "nothing to count";
    const std::string input = check.input.empty() ? "" : ", " + shown_line(check.input);
    table.rows.push_back({report::text_cell(shown_line(check.name) + input),
                          report::number_cell(counted, is_over ? "failed" : ""),
                          report::text_cell(shown_line(check.expected), "whole")});
  }
}

std::string counts_html(const AnsweringStudents& students) {
  const LabMark& mark = *students.mark;
  report::HtmlTable table{{"counted by the lens", "count", "limit"}, {}, {}};
  const SubmissionRecord& record = mark.counts ? *mark.counts->record : *mark.answers->record;
  for (const TaskRecord& task : record.tasks) {
    if (task.lab != mark.lab) continue;
    const std::string outcome = task.status == TaskRecord::Status::judged
                                    ? points_of_text(task.score, task.points)
                                    : words_for(task.status);
    const std::string heading = fmt::format("<b>{}</b>: {}", escaped(task.id), escaped(outcome));
    table.rows.push_back({{.html = heading, .style = "", .span = 3}});
    add_limits(table, task);
  }
  return fmt::format("<details><summary>The submission's own counts</summary>\n{}</details>\n",
                     report::table_html(table, "counts of " + record.student));
}

std::string length_html(const WrittenQuestion& question, std::size_t words) {
  if (question.max_words == 0) return fmt::format("<span class=\"soft\">{} words</span>", words);
  return fmt::format("<span class=\"{}\">{} words of at most {}</span>",
                     words > question.max_words ? "over" : "soft", words, question.max_words);
}

std::string marked_html(const WrittenPoints* points, const WrittenQuestion& question,
                        const std::map<int, std::string>& answers) {
  if (!points)
    return fmt::format("<p class=\"soft\">Not marked yet, at most {:g} points.</p>\n", question.points);
  std::string html = fmt::format("<p><b>{} points</b> {}</p>\n",
                                 points_text(*points->points) + " of " + points_text(points->most),
                                 escaped(shown_line(points->remark)));
  if (!are_for(*points, answers, question.number))
    html += fmt::format(
        "<p class=\"over\">The answer changed after it got these points. With new points, its row in {} "
        "needs {} in the column {}.</p>\n",
        code("written.csv"), code(answer_digest(answers, question.number)), code("answer"));
  return html;
}

std::string question_html(const AnsweringStudents& students, const WrittenQuestion& question,
                          const std::map<int, std::string>& answers) {
  const auto found = answers.find(question.number);
  const bool is_answered = found != answers.end();
  constexpr std::size_t max_lines = 400, max_columns = 20'000;
  const std::string answer =
      is_answered ? escaped(shown_text(found->second, max_lines, max_columns)) : "No answer.";
  return fmt::format(
      "<h3>Question {}{}</h3>\n<p class=\"soft\">{}</p>\n<div class=\"pair\"><div>\n<div "
      "class=\"answer{}\">{}</div>\n</div><div class=\"key\">\n<h4>Key</h4>\n{}{}</div></div>\n",
      question.number, is_answered ? ": " + length_html(question, words_in(found->second)) : "",
      inline_html(with_single_blanks(question.text)), is_answered ? "" : " none", answer,
      rubric_html(question.rubric),
      marked_html(points_for(students, part_name(question.number)), question, answers));
}

std::string student_html(const AnsweringStudents& students, const std::vector<WrittenQuestion>& questions,
                         const Term& term) {
  const Attempt& attempt = *students.mark->answers;
  std::string from = "Answers from " + shown_line(attempt.entry);
  if (attempt.submitted) from += ", handed in " + term.zone.text(*attempt.submitted);
  if (students.mark->answers_late) from += ", " + counted(students.mark->answers_late, "day") + " late";
  if (!students.mark->counts || students.mark->counts->record != attempt.record)
    from += "; the code that counts is from another submission";
  std::string html =
      fmt::format("<section id=\"{}\">\n<h2><span>{}</span></h2>\n<p class=\"soft\">{}.</p>\n{}",
                  escaped(students.rows.front()->student->login), escaped(names_of(students)), escaped(from),
                  counts_html(students));
  const std::map<int, std::string> answers = answers_in(students.answers());
  for (const WrittenQuestion& question : questions) html += question_html(students, question, answers);
  return html + "</section>\n";
}

/// Where to go from the top: who has answers, and how many of them are marked.
std::string contents_html(const std::vector<AnsweringStudents>& all,
                          const std::vector<WrittenQuestion>& questions) {
  std::string html = "<ul class=\"names\">\n";
  for (const AnsweringStudents& students : all)
    html += fmt::format("<li><a href=\"#{0}\">{0}</a> <span class=\"soft\">{1} of {2} marked</span></li>\n",
                        escaped(students.rows.front()->student->login), marked_questions(students, questions),
                        questions.size());
  return html + "</ul>\n";
}

using RowKey = std::tuple<std::string, std::string, std::string>;  // login, lab, part
RowKey key_of_row(const WrittenPoints& row) { return {row.login, row.lab, row.part}; }

/// A row for each question of everybody who has answers.
std::vector<WrittenPoints> unmarked_rows(const Course& course, const Book& book) {
  std::vector<WrittenPoints> rows;
  for (const Lab& lab : course.labs)
    for (const AnsweringStudents& students : answering_students(book, lab.stem)) {
      const std::map<int, std::string> answers = answers_in(students.answers());
      for (const StudentMarks* row : students.rows)
        for (const WrittenQuestion& question : written_questions(lab)) {
          WrittenPoints one{row->student->login, lab.stem, part_name(question.number), {},
                            question.points,     ""};
          one.answer = answer_digest(answers, question.number);
          rows.push_back(std::move(one));
        }
    }
  return rows;
}

}  // namespace

std::vector<AnsweringStudents> answering_students(const Book& book, const std::string& lab) {
  std::vector<AnsweringStudents> all;
  for (const StudentMarks& row : book.rows) {
    const auto mark = std::ranges::find(row.labs, lab, &LabMark::lab);
    if (mark == row.labs.end() || !mark->answers) continue;
    const auto same = std::ranges::find_if(all, [&](const AnsweringStudents& one) {
      return one.mark->answers->record == mark->answers->record;
    });
    (same == all.end() ? all.emplace_back(AnsweringStudents{{}, &*mark}) : *same).rows.push_back(&row);
  }
  return all;
}

std::string marking_page(const Lab& lab, const Book& book, const ClassFiles& files) {
  const std::vector<WrittenQuestion> questions = written_questions(lab);
  const std::vector<AnsweringStudents> all = answering_students(book, lab.stem);
  const std::string title = fmt::format("{}: answers to mark", files.term.title(lab.stem));
  std::string body = fmt::format(
      "<h1>{}</h1>\n<p>For instructors only: this page has the key. Copy {} to the class's folder, fill in "
      "its points, and {} adds them to the marks.</p>\n{}",
      escaped(title), code("written.csv"), code("warplab collect"), contents_html(all, questions));
  for (const AnsweringStudents& students : all) body += student_html(students, questions, files.term);
  return report::page_html(title, body, style);
}

std::string marking_table(const Course& course, const Book& book, const ClassFiles& files) {
  const std::vector<WrittenPoints> unmarked = unmarked_rows(course, book);
  std::map<RowKey, const WrittenPoints*> asked;
  for (const WrittenPoints& row : unmarked) asked[key_of_row(row)] = &row;
  std::string text = "student,lab,part,points,most,remark,answer\n";
  const auto add = [&](const WrittenPoints& one, const std::string& answer) {
    text += fmt::format("{},{},{},{},{},{},{}\n", csv_field(one.login), csv_field(one.lab),
                        csv_field(one.part), one.points ? fmt::format("{:g}", *one.points) : "",
                        fmt::format("{:g}", one.most), csv_field(one.remark), csv_field(answer));
  };
  for (const WrittenPoints& one : files.written) {
    const auto now = asked.find(key_of_row(one));
    const bool is_of_now = now != asked.end() && (!one.points || one.answer.empty());
    add(one, is_of_now ? now->second->answer : one.answer);
    if (now != asked.end()) asked.erase(now);
  }
  for (const WrittenPoints& one : unmarked)
    if (asked.contains(key_of_row(one))) add(one, one.answer);
  return text;
}

std::size_t marked_questions(const AnsweringStudents& students,
                             const std::vector<WrittenQuestion>& questions) {
  const std::map<int, std::string> answers = answers_in(students.answers());
  return static_cast<std::size_t>(std::ranges::count_if(questions, [&](const WrittenQuestion& question) {
    const WrittenPoints* const points = points_for(students, part_name(question.number));
    return points && are_for(*points, answers, question.number);
  }));
}

std::vector<const WrittenPoints*> points_for_old_answers(const Lab& lab, const Book& book) {
  std::vector<const WrittenPoints*> old;
  const std::vector<WrittenQuestion> questions = written_questions(lab);
  for (const StudentMarks& row : book.rows)
    for (const LabMark& mark : row.labs) {
      if (mark.lab != lab.stem) continue;
      std::map<int, std::string> answers;
      if (mark.answers) answers = answers_in(mark.answers->record->answers.at(lab.stem));
      for (const WrittenPoints* points : mark.written)
        for (const WrittenQuestion& question : questions)
          if (points->part == part_name(question.number) && !are_for(*points, answers, question.number))
            old.push_back(points);
    }
  return old;
}

}  // namespace warplab
