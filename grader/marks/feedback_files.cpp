#include "grader/marks/feedback_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grader/people/entry_name.hpp"
#include "grader/report/feedback.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

/// "transpose/tiled", or "transpose" for the lab as a whole.
std::string subject(const std::string& lab, const std::string& task) {
  return task.empty() ? lab : lab + "/" + task;
}

void add_mark(Page& page, const LabMark& lab, const Term& term) {
  const double share = lab.of > 0 ? std::clamp(lab.mark / lab.of, 0.0, 1.0) : 0;
  if (lab.is_open())
    page.blocks.push_back(Paragraph{"There is no mark yet: warplab failed on the submission."});
  else
    page.blocks.push_back(Meter{points_of_text(lab.mark, lab.of), share, Tone::plain});
  page.blocks.push_back(Heading{2, "How the mark came about"});
  for (const std::string& step : lab.steps) page.blocks.push_back(Item{step});
  if (lab.deadline)
    page.blocks.push_back(
        Paragraph{fmt::format("{} ({})", term.zone.text(*lab.deadline), term.zone.name()), "Deadline"});
}

void add_requests(Page& page, const LabMark& lab) {
  if (lab.requests.empty()) return;
  page.blocks.push_back(Heading{2, "Your requests"});
  for (const RegradeRequest* request : lab.requests) {
    Item item{subject(request->lab, request->task), name_of(request->status), Tone::plain};
    item.facts.emplace_back("you wrote", request->why);
    if (!request->answer.empty()) item.facts.emplace_back("answer", request->answer);
    page.blocks.push_back(item);
  }
}

/// The record as far as it is about one lab.
SubmissionRecord part_of(const SubmissionRecord& record, const std::string& lab, const std::string& name) {
  SubmissionRecord part = record;
  part.student = name;
  std::erase_if(part.tasks, [&](const TaskRecord& task) { return task.lab != lab; });
  return part;
}

}  // namespace

Page mark_page(const StudentMarks& row, const LabMark& lab, const Term& term) {
  Page page{fmt::format("{}: mark of {}", term.title(lab.lab), row.student->name), {}};
  add_mark(page, lab, term);
  add_requests(page, lab);
  if (lab.is_open() || (!lab.counts && !lab.unread)) return page;
  page.blocks.push_back(
      Heading{2, lab.counts ? "The submission that counts" : "The submission that could not be graded"});
  const Attempt& attempt = lab.counts ? *lab.counts : *lab.unread;
  const Page feedback = feedback_page(part_of(*attempt.record, lab.lab, row.student->name));
  page.blocks.insert(page.blocks.end(), feedback.blocks.begin(), feedback.blocks.end());
  return page;
}

std::map<std::string, std::string> feedback_for_upload(MarkPlatform platform, const Book& book,
                                                       std::size_t lab, const Term& term) {
  std::map<std::string, std::string> files;
  for (const StudentMarks& row : book.rows) {
    const LabMark& mark = row.labs[lab];
    const Attempt* const shown = mark.shown();
    if (!shown) continue;
    const std::string entry = without_archive_ending(shown->entry);
    const EntryName::Platform from = entry_name(entry).platform;
    std::string file;
    if (platform == MarkPlatform::canvas && from == EntryName::Platform::canvas)
      file = entry + ".html";
    else if (platform == MarkPlatform::moodle && from == EntryName::Platform::moodle)
      file = entry + "/feedback.html";
    else
      continue;
    // What a person decided about one member is not for the others.
    const bool is_shared = !row.student->group.empty() && term.is_by_group(mark.lab);
    const Page page = is_shared ? feedback_page(part_of(*shown->record, mark.lab, row.student->group))
                                : mark_page(row, mark, term);
    files.emplace(file, to_html(page));
  }
  return files;
}

}  // namespace warplab
