#include "grader/report/feedback.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "grader/report/task_words.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

Tone tone_of_share(double part, double whole) {
  return part >= whole - 1e-9 && whole > 0 ? Tone::good : part > 1e-9 ? Tone::partial : Tone::bad;
}

Item item_of(const Check& check) {
  const Check shown = shown_to_student(check);
  Item item;
  item.text = shown.name;
  const bool open = shown.status == Check::Status::not_run;
  item.tone = shown.status == Check::Status::passed ? Tone::good : open ? Tone::quiet : Tone::bad;
  item.aside = std::string(shown.status == Check::Status::passed ? "passed" : open ? "not run" : "failed");
  if (shown.max_points > 0) item.aside += ", " + points_of_text(shown.points, shown.max_points);
  if (shown.status == Check::Status::passed) return item;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) item.facts.emplace_back(name, value);
  };
  add(check.kind == Check::Kind::hidden_cases ? "kind of input" : "input", shown.input);
  add("expected", shown.expected);
  add("happened", shown.happened);
  add("reason", shown.reason);
  return item;
}

Tone tone_of(ClockReading::Verdict verdict) {
  switch (verdict) {
    case ClockReading::Verdict::meets:
      return Tone::good;
    case ClockReading::Verdict::misses:
      return Tone::partial;
    case ClockReading::Verdict::not_believed:
      return Tone::bad;
    case ClockReading::Verdict::cannot_tell:
    case ClockReading::Verdict::not_timed:
      break;
  }
  return Tone::quiet;
}

void add_task(Page& page, const TaskRecord& task) {
  const Credit credit = credit_of(task);
  const bool untouched =
      task.status == TaskRecord::Status::to_do || task.status == TaskRecord::Status::missing;
  page.blocks.push_back(Heading{3, name_of(task) + ": " + task.title, points_of_text(task.score, task.points),
                                untouched ? Tone::quiet : tone_of(credit)});
  if (task.status != TaskRecord::Status::judged) {
    const std::string words = words_for(task.status);
    const bool short_reason = task.reason.size() <= 200 && task.reason.find('\n') == std::string::npos;
    page.blocks.push_back(Paragraph{words + (task.reason.empty() ? "."
                                             : short_reason      ? ": " + task.reason
                                                                 : ":"),
                                    "What happened"});
    if (!short_reason) page.blocks.push_back(Verbatim{task.reason});
  }
  for (const Check& check : task.checks) {
    page.blocks.push_back(item_of(check));
    // None ran, for the reason above.
    if (task.status != TaskRecord::Status::judged) std::get<Item>(page.blocks.back()).facts.clear();
  }
  if (task.clock)
    page.blocks.push_back(Item{sentence_of(*task.clock), "no points", tone_of(task.clock->verdict)});
  if (credit != Credit::full && !task.hint.empty()) page.blocks.push_back(Paragraph{task.hint, "Hint"});
}

std::string step_for(const TaskRecord& task) {
  const std::string name = name_of(task);
  switch (task.status) {
    case TaskRecord::Status::not_compiled:
      return fmt::format("Make {} compile.", name);
    case TaskRecord::Status::refused:
      return fmt::format("Remove the rejected construct from {}.", name);
    case TaskRecord::Status::failed:
      return fmt::format("Find out why {} does not come to its end.", name);
    case TaskRecord::Status::missing:
      return fmt::format("Hand in the file of {} as well.", name);
    case TaskRecord::Status::to_do:
      return fmt::format("Write {}, and delete its call of todo().", name);
    case TaskRecord::Status::judged:
      break;
  }
  const auto failed = std::find_if(task.checks.begin(), task.checks.end(),
                                   [](const Check& check) { return check.status == Check::Status::failed; });
  if (failed == task.checks.end()) return fmt::format("Look at {} again.", name);
  return fmt::format("Fix {}: the first check that fails is \"{}\".", name, failed->name);
}

/// The tasks nearest to points come first: those that were begun, then the others.
void add_next(Page& page, const SubmissionRecord& record) {
  page.blocks.push_back(Heading{2, "What to do next"});
  if (record.status != SubmissionRecord::Status::graded) {
    page.blocks.push_back(Paragraph{"Make an archive of your work and hand it in again:"});
    page.blocks.push_back(Verbatim{"build/emulator/bin/warplab pack"});
    return;
  }
  std::vector<const TaskRecord*> open;
  for (const TaskRecord& task : record.tasks)
    if (credit_of(task) != Credit::full && task.points > 0) open.push_back(&task);
  if (open.empty()) {
    page.blocks.push_back(Paragraph{record.tasks.empty()
                                        ? "No task was graded."
                                        : "Nothing is left to do: every task has all its points."});
    return;
  }
  std::stable_partition(open.begin(), open.end(), [](const TaskRecord* task) {
    return task->status != TaskRecord::Status::to_do && task->status != TaskRecord::Status::missing;
  });
  const TaskRecord& first = *open.front();
  page.blocks.push_back(
      Paragraph{fmt::format("{} It is worth {} more points. This judges it as it was judged "
                            "here, at the public sizes:",
                            step_for(first), points_text(first.points - first.score))});
  page.blocks.push_back(Verbatim{"build/emulator/bin/warplab test " + name_of(first)});
  if (open.size() == 1) return;
  page.blocks.push_back(Paragraph{"Then:"});
  constexpr std::size_t most = 5;
  for (std::size_t i = 1; i < std::min(open.size(), most + 1); ++i)
    page.blocks.push_back(
        Item{step_for(*open[i]), points_text(open[i]->points - open[i]->score) + " more points"});
  if (open.size() > most + 1)
    page.blocks.push_back(Item{fmt::format("and {} more", counted(open.size() - most - 1, "task"))});
}

Page begun_page(const SubmissionRecord& record) {
  Page page{"Feedback for " + record.student, {}};
  const double score = record.score(), points = record.points();
  page.blocks.push_back(
      Meter{points_of_text(score, points), share(score, points), tone_of_share(score, points)});
  std::string from = fmt::format("Handed in as {}.", record.source);
  if (!record.digest.empty())
    from += fmt::format(" Digest of the files that were taken: {}.", record.digest.substr(0, 12));
  if (!record.backend.empty())
    from += fmt::format(" Graded on {}.", record.backend == "cuda" ? "a GPU" : "the emulator");
  page.blocks.push_back(Paragraph{from});
  if (record.status != SubmissionRecord::Status::graded)
    page.blocks.push_back(Paragraph{record.problem, "Nothing could be graded"});
  if (!record.notes.empty()) {
    page.blocks.push_back(Paragraph{"Of what you handed in:"});
    for (const std::string& note : record.notes) page.blocks.push_back(Item{note});
  }
  return page;
}

}  // namespace

Page overview_page(const SubmissionRecord& record) {
  Page page = begun_page(record);
  add_next(page, record);
  return page;
}

Page feedback_page(const SubmissionRecord& record) {
  Page page = begun_page(record);
  std::vector<std::string> labs;
  for (const TaskRecord& task : record.tasks)
    if (std::find(labs.begin(), labs.end(), task.lab) == labs.end()) labs.push_back(task.lab);
  for (const std::string& lab : labs) {
    double score = 0, points = 0;
    for (const TaskRecord& task : record.tasks)
      if (task.lab == lab) score += task.score, points += task.points;
    page.blocks.push_back(Heading{2, lab, points_of_text(score, points)});
    for (const TaskRecord& task : record.tasks)
      if (task.lab == lab) add_task(page, task);
  }
  add_next(page, record);
  return page;
}

}  // namespace warplab
