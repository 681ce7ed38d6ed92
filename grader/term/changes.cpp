#include "grader/term/changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/host/bad_input.hpp"
#include "common/host/close_match.hpp"
#include "grader/people/csv_table.hpp"
#include "grader/people/entry_name.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr std::array request_statuses = {"open", "accepted", "refused"};  // in the order of the enumerators

std::vector<CsvRow> rows_if_there(const fs::path& file, const CsvColumns& columns) {
  if (!fs::exists(file)) return {};
  return read_csv_rows(file, columns);
}

const Student& student_in(const CsvRow& row, const ChangeContext& context) {
  const std::string& key = row.required("student");
  const Student* const student = context.roster.find(key);
  if (student) return *student;
  std::vector<std::string> logins;
  for (const Student& known : context.roster.students) logins.push_back(known.login);
  row.fail(fmt::format("the roster has no student '{}'{}", key, did_you_mean(key, logins)));
}

const Lab& lab_in(const CsvRow& row, const std::string& stem, const ChangeContext& context) {
  if (const Lab* const lab = context.course.find(stem)) return *lab;
  std::vector<std::string> stems;
  for (const Lab& lab : context.course.labs) stems.push_back(lab.stem);
  row.fail(fmt::format("unknown lab '{}'{}", stem, did_you_mean(stem, stems)));
}

Instant instant_in(const CsvRow& row, const std::string& column, const ChangeContext& context) {
  const std::string& text = row.required(column);
  try {
    return parse_instant(text, context.term.zone);
  } catch (const BadInput& error) {
    row.fail(fmt::format("'{}' {}", text, error.what()));
  }
}

/// The lab of "transpose/tiled", its task, and the most points that it can have.
struct What {
  std::string lab, task;
  double points = 0;
};
What what_in(const CsvRow& row, const ChangeContext& context) {
  const std::string& text = row.required("what");
  const std::size_t slash = text.find('/');
  What what{text.substr(0, slash), slash == std::string::npos ? "" : text.substr(slash + 1), 0};
  const Lab& lab = lab_in(row, what.lab, context);
  std::vector<std::string> ids;
  for (const Task& task : lab.tasks) {
    ids.push_back(task.id);
    if (what.task.empty() || task.id == what.task) what.points += task.points;
  }
  if (slash != std::string::npos && std::ranges::find(ids, what.task) == ids.end())
    row.fail(fmt::format("the lab {} has no task '{}'{}", what.lab, what.task, did_you_mean(what.task, ids)));
  return what;
}

/// Finds the second of two rows about the same.
class Decided {
 public:
  void check(const CsvRow& row, const std::string& key) {
    const auto [first, is_new] = places_.emplace(key, row.place());
    if (!is_new) row.fail(fmt::format("{} has decided on this already", first->second));
  }

 private:
  std::map<std::string, std::string> places_;
};

/// Whether a text is the beginning of a digest, long enough for a class.
bool is_digest(const std::string& text) {
  return text.size() >= 8 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// The points that a lab has beside those of its tasks.
double worth_of_parts(const std::vector<WrittenPoints>& written, const std::string& lab) {
  std::map<std::string, double> parts;  // each has one maximum
  for (const WrittenPoints& one : written)
    if (one.lab == lab) parts[one.part] = one.most;
  double sum = 0;
  for (const auto& [part, most] : parts) sum += most;
  return sum;
}

}  // namespace

const char* name_of(RegradeRequest::Status status) {
  return request_statuses.at(static_cast<std::size_t>(status));
}

std::vector<Extension> read_extensions(const fs::path& file, const ChangeContext& context) {
  std::vector<Extension> extensions;
  Decided decided;
  for (const CsvRow& row : rows_if_there(file, {{"student", "lab", "until"}, {"why"}})) {
    const Student& student = student_in(row, context);
    const Lab& lab = lab_in(row, row.required("lab"), context);
    decided.check(row, student.login + " " + lab.stem);
    const auto usual = context.term.deadline(lab.stem, student.section);
    if (!usual) row.fail(fmt::format("term.json has no deadline for {}, so none can be extended", lab.stem));
    const Instant until = instant_in(row, "until", context);
    if (until < *usual)
      row.fail(fmt::format("'{}' is before the deadline, {}", row["until"], context.term.zone.text(*usual)));
    extensions.push_back({student.login, lab.stem, until, row["why"]});
  }
  return extensions;
}

std::vector<Override> read_overrides(const fs::path& file, const ChangeContext& context,
                                     const std::vector<WrittenPoints>& written) {
  std::vector<Override> overrides;
  Decided decided;
  for (const CsvRow& row : rows_if_there(file, {{"student", "what", "points", "why", "by"}})) {
    const Student& student = student_in(row, context);
    const What what = what_in(row, context);
    decided.check(row, student.login + " " + what.lab + "/" + what.task);
    const double points = row.points("points");
    const double most = what.points + (what.task.empty() ? worth_of_parts(written, what.lab) : 0);
    if (points > most)
      row.fail(
          fmt::format("{} points are more than the {} that {} is worth", row["points"], most, row["what"]));
    overrides.push_back(
        {student.login, what.lab, what.task, points, row.required("why"), row.required("by")});
  }
  return overrides;
}

std::vector<RegradeRequest> read_requests(const fs::path& file, const ChangeContext& context) {
  std::vector<RegradeRequest> requests;
  for (const CsvRow& row : rows_if_there(file, {{"student", "what", "why"}, {"status", "answer"}})) {
    const Student& student = student_in(row, context);
    const What what = what_in(row, context);
    RegradeRequest request{student.login,       what.lab,      what.task,
                           row.required("why"), row["answer"], RegradeRequest::Status::open,
                           row.place()};
    if (!row["status"].empty()) {
      const auto known = std::ranges::find(request_statuses, row["status"]);
      if (known == request_statuses.end())
        row.fail(fmt::format("unknown status '{}'; known statuses: {}", row["status"],
                             fmt::join(request_statuses, ", ")));
      request.status = static_cast<RegradeRequest::Status>(known - request_statuses.begin());
    }
    if (request.status != RegradeRequest::Status::open && request.answer.empty())
      row.fail("a request that is accepted or refused needs an answer, which the student sees");
    requests.push_back(std::move(request));
  }
  return requests;
}

std::vector<WrittenPoints> read_written_points(const fs::path& file, const ChangeContext& context) {
  std::vector<WrittenPoints> written;
  Decided decided;
  std::map<std::string, std::pair<double, std::string>> maxima;  // by lab and part, and where it was given
  const CsvColumns columns{{"student", "lab", "part", "points", "most"}, {"remark", "answer"}};
  for (const CsvRow& row : rows_if_there(file, columns)) {
    const Student& student = student_in(row, context);
    const Lab& lab = lab_in(row, row.required("lab"), context);
    WrittenPoints one{student.login, lab.stem, csv_text(row.required("part")), {}, row.points("most"), ""};
    one.remark = csv_text(row["remark"]), one.answer = row["answer"];
    if (!row["points"].empty()) one.points = row.points("points");
    decided.check(row, student.login + " " + lab.stem + "/" + one.part);
    if (one.points > one.most)
      row.fail(
          fmt::format("{} points are more than the {} that '{}' has", row["points"], row["most"], one.part));
    const auto [first, is_new] = maxima.emplace(lab.stem + "/" + one.part, std::pair(one.most, row.place()));
    if (!is_new && first->second.first != one.most)
      row.fail(fmt::format("'{}' has {} points here, and {:g} in {}", one.part, row["most"],
                           first->second.first, first->second.second));
    written.push_back(std::move(one));
  }
  return written;
}

std::map<std::string, SubmissionNote> read_submission_notes(const fs::path& file,
                                                            const ChangeContext& context) {
  std::map<std::string, SubmissionNote> notes;
  Decided decided;
  for (const CsvRow& row : rows_if_there(file, {{"entry"}, {"student", "submitted", "digest"}})) {
    const std::string entry = without_archive_ending(row.required("entry"));
    const std::string& digest = row["digest"];
    decided.check(row, entry + " " + digest);
    SubmissionNote& note = notes[entry];
    if (!digest.empty()) {
      if (!is_digest(digest))
        row.fail(
            fmt::format("'{}' is not the beginning of a digest; pages of feedback have 12 digits", digest));
      if (!row["student"].empty()) row.fail("a row with a digest has a time only, without a student");
      note.of_digests[digest] = instant_in(row, "submitted", context);
      continue;
    }
    if (!row["student"].empty()) note.login = student_in(row, context).login;
    if (!row["submitted"].empty()) note.submitted = instant_in(row, "submitted", context);
  }
  return notes;
}

}  // namespace warplab
