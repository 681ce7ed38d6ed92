#include "grader/marks/book.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "common/host/bad_input.hpp"
#include "grader/people/entry_name.hpp"
#include "grader/people/matching.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

using Attempts = std::vector<Attempt>;

bool has_answers_to(const SubmissionRecord& record, const std::string& lab) {
  return record.answers.contains(lab);
}

bool has_files_of(const SubmissionRecord& record, const std::string& lab) {
  return std::ranges::any_of(record.tasks, [&](const TaskRecord& task) {
    return task.lab == lab && task.status != TaskRecord::Status::missing;
  });
}

/// Whether nothing could be graded of a submission that may have had files of a lab.
bool is_unread(const SubmissionRecord& record, const std::string& lab) {
  return !record.problem.empty() &&
         std::ranges::find(record.tasks, lab, &TaskRecord::lab) != record.tasks.end();
}

double points_for(const SubmissionRecord& record, const std::string& lab, double TaskRecord::*part) {
  double sum = 0;
  for (const TaskRecord& task : record.tasks)
    if (task.lab == lab) sum += task.*part;
  return sum;
}

/// "jdoe-2.zip" as ("jdoe", 2), so that versions without times stay in order.
std::pair<std::string, unsigned> version_of(const std::string& entry) {
  const std::string plain = without_archive_ending(entry), first = without_version(plain);
  unsigned number = 0;
  if (const std::size_t digit = plain.find_first_of("0123456789", first.size()); digit != std::string::npos)
    std::from_chars(plain.data() + digit, plain.data() + plain.size(), number);
  return {first, number};
}

/// From the first to the last handed in: by the platform's numbers where all have one, else by time. Those of
/// one name and time stay in their order.
void sort_by_time(Attempts& attempts) {
  const bool by_order = std::ranges::all_of(attempts, [](const Attempt& a) { return a.order > 0; });
  std::ranges::stable_sort(attempts, [&](const Attempt& a, const Attempt& b) {
    const Instant epoch{};
    const auto key = [&](const Attempt& one) {
      return std::tuple(by_order ? one.order : 0, by_order ? epoch : one.submitted.value_or(epoch),
                        version_of(one.entry), one.entry);
    };
    return key(a) < key(b);
  });
}

std::vector<std::string> labs_of(const GradedBatch& batch) {
  std::set<std::string> labs;
  for (const SubmissionRecord& record : batch.records)
    for (const TaskRecord& task : record.tasks) labs.insert(task.lab);
  return {labs.begin(), labs.end()};
}

/// Makes a book, student by student and deadline by deadline.
class BookMaker {
 public:
  /// @param points of each lab
  BookMaker(const ClassFiles& files, std::map<std::string, double> points, Book& book)
      : files_(files), points_of_(std::move(points)), book_(book) {}

  void take(const GradedBatch& batch) {
    const Matcher matcher(files_.roster, files_.written_students(), batch.gradescope);
    for (std::size_t i = 0; i < batch.records.size(); ++i)
      take(batch.records[i], matcher, batch.times,
           i + 1 == batch.records.size() || batch.records[i + 1].student != batch.records[i].student);
  }

  /// @param labs of the batch, of which those who handed in nothing are listed
  void make_rows(const std::vector<std::string>& labs) {
    for (const Student& student : files_.roster.students) book_.rows.push_back(row_of(student));
    if (untimed_ > 0)
      book_.remarks.push_back(
          fmt::format("{} without a time of submission, taken as in time; submissions.csv can name it",
                      counted(untimed_, "submission")));
    for (const std::string& entry : marked_late_)
      book_.remarks.push_back(fmt::format(
          "{} is marked late and has no time, so no penalty is taken; submissions.csv can name it", entry));
    note_missing(labs);
    for (const RegradeRequest& request : files_.requests)
      if (request.status == RegradeRequest::Status::open)
        book_.remarks.push_back(fmt::format("{}: the request of {} is open", request.place, request.login));
  }

  void note_unmatched() {
    for (const std::string& entry : unmatched_)
      book_.remarks.push_back(
          fmt::format("{} fits nobody in the roster; submissions.csv can name its student", entry));
  }

 private:
  /// Per lab who handed in nothing, and of whom nothing could be graded. A batch may name labs that nobody
  /// has handed in yet: those are left out.
  void note_missing(const std::vector<std::string>& labs) {
    bool has_any = false;
    for (std::size_t i = 0; i < book_.labs.size(); ++i) {
      const auto has_attempts = [i](const StudentMarks& row) { return row.labs[i].attempts > 0; };
      if (std::ranges::find(labs, book_.labs[i]) == labs.end() ||
          std::ranges::none_of(book_.rows, has_attempts))
        continue;
      has_any = true;
      note_students("without a submission to " + book_.labs[i],
                    [&](const StudentMarks& row) { return !has_attempts(row) && !row.labs[i].unread; });
      note_students("whose submission to " + book_.labs[i] + " could not be graded",
                    [&](const StudentMarks& row) { return row.labs[i].unread.has_value(); });
    }
    if (has_any) return;
    const auto has_unread = [](const LabMark& mark) { return mark.unread.has_value(); };
    note_students("without a submission",
                  [&](const StudentMarks& row) { return std::ranges::none_of(row.labs, has_unread); });
    note_students("whose submission could not be graded",
                  [&](const StudentMarks& row) { return std::ranges::any_of(row.labs, has_unread); });
  }

  template <class IsOne>
  void note_students(const std::string& what, const IsOne& is_one) {
    std::vector<std::string> logins;
    for (const StudentMarks& row : book_.rows)
      if (is_one(row)) logins.push_back(row.student->login);
    if (!logins.empty())
      book_.remarks.push_back(
          fmt::format("{} {}: {}", counted(logins.size(), "student"), what, fmt::join(logins, ", ")));
  }

  /// @param is_last whether nothing came later under the same name
  void take(const SubmissionRecord& record, const Matcher& matcher,
            const std::map<std::string, std::string>& times, bool is_last) {
    const std::vector<const Student*> students = matcher.students_of(record.source);
    if (students.empty()) {
      if (is_last) unmatched_.push_back(record.source);
      return;
    }
    const std::string plain = without_archive_ending(record.source);
    const EntryName name = entry_name(plain);
    std::string time = record.submitted;
    if (const auto listed = times.find(plain); time.empty() && is_last && listed != times.end())
      time = listed->second;
    if (time.empty()) time = name.submitted;
    Attempt attempt{&record, record.source, noted_time(record, is_last, !time.empty()), name.late,
                    name.order};
    if (!attempt.submitted && !time.empty()) attempt.submitted = platform_time(record.source, time);
    for (const Student* student : students) by_student_[student].push_back(attempt);
  }

  /// The time that submissions.csv has: a hand-in's own by its digest, or the entry's for the last one, and
  /// for one before it that has no other.
  std::optional<Instant> noted_time(const SubmissionRecord& record, bool is_last, bool has_other) {
    const auto note = files_.notes.find(without_archive_ending(record.source));
    if (note == files_.notes.end()) return {};
    for (const auto& [digest, time] : note->second.of_digests)
      if (record.digest.starts_with(digest)) return time;
    if (is_last || !note->second.submitted) return note->second.submitted;
    if (has_other) return {};
    book_.remarks.push_back(
        fmt::format("{} was handed in more than once under this name; {} takes its time too, and a row of "
                    "submissions.csv with this digest can give another",
                    record.source, record.digest.substr(0, 12)));
    return note->second.submitted;
  }

  /// A time that a platform wrote, to which nobody can add an offset: of one that clocks show twice the first
  /// is taken, since it is never the later one.
  std::optional<Instant> platform_time(const std::string& entry, const std::string& time) {
    const TimeZone& zone = files_.term.zone;
    try {
      return parse_instant(time, zone);
    } catch (const BadInput&) {  // it comes twice, or there is another reason
    }
    try {
      const Instant first = parse_instant(time, zone, TimeZone::Twice::take_first);
      book_.remarks.push_back(
          fmt::format("{} has the time {}, which comes twice in {}; the first is taken, and "
                      "submissions.csv can name it",
                      entry, time, zone.name()));
      return first;
    } catch (const BadInput& error) {
      book_.remarks.push_back(fmt::format(
          "{} counts as on time: its time '{}' {}; submissions.csv can name it", entry, time, error.what()));
      return std::nullopt;
    }
  }

  /// Submissions of a student, or of all members of a group, that have something of a lab.
  Attempts attempts_of(const Student& student, const std::string& lab,
                       bool (*has)(const SubmissionRecord&, const std::string&)) const {
    std::vector<const Student*> people = files_.roster.group(student.group);
    if (people.empty() || !files_.term.is_by_group(lab)) people = {&student};
    Attempts attempts;
    std::set<const SubmissionRecord*> seen;
    for (const Student* one : people)
      if (const auto found = by_student_.find(one); found != by_student_.end())
        for (const Attempt& attempt : found->second)
          if (has(*attempt.record, lab) && seen.insert(attempt.record).second) attempts.push_back(attempt);
    sort_by_time(attempts);
    return attempts;
  }

  StudentMarks row_of(const Student& student) {
    StudentMarks row{&student, {}, 0, files_.term.late.days + student.extra_days};
    for (const std::string& lab : book_.labs) {
      LabMark mark;
      mark.lab = lab;
      mark.deadline = files_.deadline(student, lab);
      mark.is_extended = mark.deadline != files_.term.deadline(lab, student.section);
      row.labs.push_back(std::move(mark));
    }
    // Late days are spent in the order of deadlines.
    std::vector<LabMark*> order;
    for (LabMark& mark : row.labs) order.push_back(&mark);
    std::ranges::stable_sort(order, [](const LabMark* a, const LabMark* b) {
      return a->deadline.value_or(Instant::max()) < b->deadline.value_or(Instant::max());
    });
    for (LabMark* mark : order) {
      fill(*mark, student, row.late_days_left);
      row.late_days_used += mark->late.free_days;
      row.late_days_left -= mark->late.free_days;
    }
    return row;
  }

  void fill(LabMark& mark, const Student& student, unsigned days_left) {
    const Attempts attempts = attempts_of(student, mark.lab, has_files_of);
    mark.attempts = attempts.size();
    if (attempts.empty()) note_why_nothing_counts(mark, attempts_of(student, mark.lab, is_unread));
    mark.of = points_of_.at(mark.lab);
    choose(mark, attempts, days_left);
    if (mark.counts && !student.group.empty() && files_.term.is_by_group(mark.lab))
      mark.steps.front() += ", of the group " + student.group;
    choose_answers(mark, attempts_of(student, mark.lab, has_answers_to));
    decide(mark, student);
  }

  static void note_why_nothing_counts(LabMark& mark, const Attempts& unread) {
    if (!unread.empty()) mark.unread = unread.back();
    mark.steps.push_back(mark.unread ? fmt::format("{} could not be graded: {}", mark.unread->entry,
                                                   mark.unread->record->problem)
                                     : "no submission");
  }

  /// Takes the submission that counts by the term's policy.
  void choose(LabMark& mark, const Attempts& attempts, unsigned days_left) {
    if (attempts.empty()) return;
    for (const Attempt& attempt : attempts) {
      const Lateness late = lateness_of(attempt.submitted, mark.deadline, days_left, files_.term);
      const double points = points_for(*attempt.record, mark.lab, &TaskRecord::score);
      if (!is_better(mark, late, points * late.kept)) continue;
      mark.counts = attempt, mark.late = late, mark.automatic = points, mark.mark = points * late.kept;
    }
    add_steps(mark, attempts);
    const Attempt& chosen = *mark.counts;
    if (!mark.deadline || chosen.submitted) return;
    if (chosen.is_marked_late)
      marked_late_.insert(chosen.entry);
    else if (seen_untimed_.insert(chosen.record).second && name_shows_no_time(chosen))
      ++untimed_;
  }

  /// Whether an attempt takes the place of the one that counts so far. What is too late counts only where
  /// everything is.
  bool is_better(const LabMark& mark, const Lateness& late, double value) const {
    if (!mark.counts) return true;
    if (late.is_too_late != mark.late.is_too_late) return mark.late.is_too_late;
    if (files_.term.policy == Policy::last || value > mark.mark + 1e-9) return true;
    return value > mark.mark - 1e-9 &&
           std::pair(late.free_days, late.days) <= std::pair(mark.late.free_days, mark.late.days);
  }

  bool is_too_late(const Attempt& attempt, const LabMark& mark) const {
    return lateness_of(attempt.submitted, mark.deadline, 0, files_.term).is_too_late;
  }

  void add_steps(LabMark& mark, const Attempts& attempts) const {
    const Attempt& chosen = *mark.counts;
    std::vector<std::string> passed_over;
    for (const Attempt& attempt : attempts)
      if (is_too_late(attempt, mark) && !mark.late.is_too_late)
        passed_over.push_back(fmt::format("{} of {} was too late to count", attempt.entry,
                                          files_.term.zone.text(*attempt.submitted)));
    std::string step =
        fmt::format("{} of {} from {}", points_text(mark.automatic), points_text(mark.of), chosen.entry);
    if (const std::size_t several = attempts.size() - passed_over.size(); several > 1)
      step += fmt::format(" ({} of {})", files_.term.policy == Policy::last ? "last" : "best", several);
    mark.steps.push_back(step);
    if (chosen.submitted) mark.steps.push_back("handed in " + files_.term.zone.text(*chosen.submitted));
    if (mark.is_extended)
      mark.steps.push_back("deadline extended to " + files_.term.zone.text(*mark.deadline));
    if (mark.late.days) mark.steps.push_back(words_for(mark.late));
    mark.steps.insert(mark.steps.end(), passed_over.begin(), passed_over.end());
  }

  /// Answers belong to the code that counts, unless they were handed in without it. Those that are too late
  /// are left out.
  void choose_answers(LabMark& mark, const Attempts& attempts) const {
    const auto time = [&](const Attempt& attempt) { return files_.term.zone.text(*attempt.submitted); };
    const auto are_of_the_code = [&] {
      return mark.answers && mark.counts && mark.answers->record == mark.counts->record;
    };
    for (const Attempt& attempt : attempts)
      if (!is_too_late(attempt, mark)) {
        if (!are_of_the_code()) mark.answers = attempt;
      } else if (!has_files_of(*attempt.record, mark.lab)) {
        mark.steps.push_back(
            fmt::format("answers of {} from {} were too late to count", time(attempt), attempt.entry));
      }
    if (!mark.answers) return;
    mark.answers_late = lateness_of(mark.answers->submitted, mark.deadline, 0, files_.term).days;
    if (mark.answers_late && !are_of_the_code())
      mark.steps.push_back(
          fmt::format("answers of {}, {} late", time(*mark.answers), counted(mark.answers_late, "day")));
  }

  /// Canvas marks what is late, so a name without that mark is in time.
  static bool name_shows_no_time(const Attempt& attempt) {
    return entry_name(without_archive_ending(attempt.entry)).platform != EntryName::Platform::canvas;
  }

  /// What people decided: points of tasks before penalties, a lab's mark after them.
  void decide(LabMark& mark, const Student& student) {
    mark.decided = mark.automatic;
    for (const Override& one : files_.overrides) {
      if (one.login != student.login || one.lab != mark.lab) continue;
      mark.overrides.push_back(&one);
      if (!one.task.empty()) mark.decided += one.points - task_points(mark, one.task);
    }
    mark.mark = mark.decided * mark.late.kept;
    add_written(mark, student);
    for (const Override* one : mark.overrides) {
      const std::string what = one->task.empty() ? mark.lab : one->task;
      const double before = one->task.empty() ? mark.mark : task_points(mark, one->task);
      mark.steps.push_back(fmt::format("{} changed from {} to {} by {}: {}", what, points_text(before),
                                       points_text(one->points), one->by, one->why));
    }
    for (const Override* one : mark.overrides)
      if (one->task.empty()) mark.mark = one->points;
    for (const RegradeRequest& request : files_.requests)
      if (request.login == student.login && request.lab == mark.lab) mark.requests.push_back(&request);
  }

  /// Points that a person gave for answers: no penalty is taken off them.
  void add_written(LabMark& mark, const Student& student) const {
    std::set<std::string> parts;
    std::size_t waiting = 0;
    for (const WrittenPoints& one : files_.written) {
      if (one.lab != mark.lab) continue;
      if (parts.insert(one.part).second) mark.of += one.most;
      if (one.login != student.login) continue;
      if (!one.points) {
        ++waiting;
        continue;
      }
      mark.written.push_back(&one);
      mark.mark += *one.points;
      mark.steps.push_back(fmt::format("{}: {} of {}{}", one.part, points_text(*one.points),
                                       points_text(one.most),
                                       one.remark.empty() ? "" : " (" + one.remark + ")"));
    }
    if (waiting > 0) mark.steps.push_back(counted(waiting, "answer") + " not marked yet");
  }

  static double task_points(const LabMark& mark, const std::string& id) {
    if (!mark.counts) return 0;
    for (const TaskRecord& task : mark.counts->record->tasks)
      if (task.lab == mark.lab && task.id == id) return task.score;
    return 0;
  }

  const ClassFiles& files_;
  const std::map<std::string, double> points_of_;  ///< by lab
  Book& book_;
  std::map<const Student*, Attempts> by_student_;
  std::vector<std::string> unmatched_;
  std::set<std::string> marked_late_;
  std::set<const SubmissionRecord*> seen_untimed_;
  std::size_t untimed_ = 0;
};

}  // namespace

const Attempt* LabMark::shown() const {
  for (const std::optional<Attempt>* attempt : {&counts, &answers, &unread})
    if (*attempt) return &**attempt;
  return nullptr;
}

bool LabMark::is_open() const {
  return unread && unread->record->status == SubmissionRecord::Status::own_failure &&
         std::ranges::none_of(overrides, [](const Override* one) { return one->task.empty(); });
}

double StudentMarks::total() const {
  double sum = 0;
  for (const LabMark& lab : labs) sum += lab.mark;
  return sum;
}

Book make_book(const Course& course, const ClassFiles& files, const std::vector<GradedBatch>& batches) {
  Book book;
  std::map<std::string, double> points;
  for (const GradedBatch& batch : batches)
    for (const SubmissionRecord& record : batch.records)
      for (const TaskRecord& task : record.tasks) points[task.lab] = 0;
  for (const Lab& lab : course.labs) {
    if (!points.contains(lab.stem)) continue;
    book.labs.push_back(lab.stem);
    for (const Task& task : lab.tasks) points[lab.stem] += task.points;
  }
  BookMaker maker(files, std::move(points), book);
  for (const GradedBatch& batch : batches) maker.take(batch);
  maker.note_unmatched();
  maker.make_rows(batches.empty() ? std::vector<std::string>{} : labs_of(batches.back()));
  return book;
}

std::vector<SubmissionRecord> counting_records(const Book& book, const std::string& lab) {
  std::vector<SubmissionRecord> records;
  std::map<const SubmissionRecord*, std::size_t> places;
  for (const StudentMarks& row : book.rows)
    for (const LabMark& mark : row.labs) {
      if (mark.lab != lab || !mark.counts) continue;
      const auto [place, is_new] = places.emplace(mark.counts->record, records.size());
      if (is_new)
        records.push_back(*mark.counts->record), records.back().student = row.student->login;
      else
        records[place->second].student += ", " + row.student->login;
    }
  return records;
}

}  // namespace warplab
