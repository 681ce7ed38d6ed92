#include "grader/judge/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "grader/text/printable.hpp"

namespace warplab {
namespace {

using Json = nlohmann::ordered_json;
constexpr int schema = 1;

// In the order of the enumerators.
constexpr std::array check_statuses = {"passed", "failed", "not_run"};
constexpr std::array check_kinds = {"public_cases", "hidden_cases", "limit"};
constexpr std::array task_statuses = {"judged", "to_do", "missing", "not_compiled", "refused", "failed"};
constexpr std::array submission_statuses = {"graded", "not_gradable", "own_failure"};
constexpr std::array clock_verdicts = {"meets", "misses", "cannot tell", "not believed", "not timed"};

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error("this is not a record of a submission: " + what);
}

const Json& member(const Json& json, const char* name) {
  if (!json.is_object() || !json.contains(name)) fail(fmt::format("it has no \"{}\"", name));
  return json.at(name);
}

std::string text(const Json& json, const char* name) {
  const Json& value = member(json, name);
  if (!value.is_string()) fail(fmt::format("\"{}\" is not text", name));
  return value.get<std::string>();
}

double number(const Json& json, const char* name) {
  const Json& value = member(json, name);
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    fail(fmt::format("\"{}\" is not a number", name));
  return value.get<double>();
}

const Json& list(const Json& json, const char* name) {
  const Json& value = member(json, name);
  if (!value.is_array()) fail(fmt::format("\"{}\" is not a list", name));
  return value;
}

template <class Enum, std::size_t n>
Enum word(const Json& json, const char* name, const std::array<const char*, n>& words) {
  const std::string given = text(json, name);
  for (std::size_t i = 0; i < n; ++i)
    if (given == words[i]) return static_cast<Enum>(i);
  fail(fmt::format("\"{}\" is none of its words", name));
}

/// A whole number without a fraction: 10, not 10.0.
Json shortest(double value) {
  if (!std::isfinite(value)) throw std::logic_error("a number of a record is not finite");
  const bool whole = value == std::trunc(value) && std::abs(value) < 1e15;
  return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json check_json(const Check& check) {
  Json json{{"name", valid_utf8(check.name)},           {"kind", name_of(check.kind)},
            {"status", name_of(check.status)},          {"points", shortest(check.points)},
            {"max_points", shortest(check.max_points)}, {"input", valid_utf8(check.input)},
            {"expected", valid_utf8(check.expected)},   {"happened", valid_utf8(check.happened)},
            {"reason", valid_utf8(check.reason)}};
  if (check.counted) json["counted"] = shortest(*check.counted);
  for (const SeenMistake& mistake : check.mistakes) {
    Json& seen = json["mistakes"].emplace_back(
        Json{{"kind", lens::name_of(mistake.kind)}, {"hint", lens::name_of(mistake.hint)}});
    if (mistake.barriers) seen["barriers"] = *mistake.barriers;
  }
  return json;
}

SeenMistake mistake_from(const Json& json) {
  const auto kind = lens::finding_kind(text(json, "kind"));
  const auto hint = lens::hint_of(text(json, "hint"));
  if (!kind || !hint) fail("a mistake has a kind or a hint that is unknown");
  SeenMistake mistake{*kind, *hint};
  if (json.contains("barriers")) {
    const double barriers = number(json, "barriers");
    if (!(barriers >= 0 && barriers < 1e9)) fail("\"barriers\" is not a count");
    mistake.barriers = static_cast<unsigned>(barriers);
  }
  return mistake;
}

Check check_from(const Json& json) {
  Check check;
  check.name = text(json, "name");
  check.kind = word<Check::Kind>(json, "kind", check_kinds);
  check.status = word<Check::Status>(json, "status", check_statuses);
  check.points = number(json, "points");
  check.max_points = number(json, "max_points");
  check.input = text(json, "input");
  check.expected = text(json, "expected");
  check.happened = text(json, "happened");
  check.reason = text(json, "reason");
  if (json.contains("counted")) check.counted = number(json, "counted");
  if (json.contains("mistakes"))
    for (const Json& mistake : list(json, "mistakes")) check.mistakes.insert(mistake_from(mistake));
  return check;
}

Json clock_json(const ClockReading& reading) {
  Json json{{"verdict", name_of(reading.verdict)},
            {"device", valid_utf8(reading.device)},
            {"input", valid_utf8(reading.input)},
            {"most", shortest(reading.most)},
            {"rounds", reading.rounds}};
  if (reading.ratio)
    json["ratio"] = {{"median", shortest(reading.ratio->median)},
                     {"low", shortest(reading.ratio->low)},
                     {"high", shortest(reading.ratio->high)}};
  if (!reading.reason.empty()) json["reason"] = valid_utf8(reading.reason);
  return json;
}

ClockReading clock_from(const Json& json) {
  ClockReading reading;
  reading.verdict = word<ClockReading::Verdict>(json, "verdict", clock_verdicts);
  reading.device = text(json, "device");
  reading.input = text(json, "input");
  reading.most = number(json, "most");
  reading.rounds = static_cast<int>(std::clamp(number(json, "rounds"), 0.0, 1e6));
  if (json.contains("ratio")) {
    const Json& ratio = json.at("ratio");
    reading.ratio = {number(ratio, "median"), number(ratio, "low"), number(ratio, "high")};
  }
  if (json.contains("reason")) reading.reason = text(json, "reason");
  return reading;
}

Json task_json(const TaskRecord& task) {
  Json json{{"lab", valid_utf8(task.lab)},
            {"id", valid_utf8(task.id)},
            {"title", valid_utf8(task.title)},
            {"status", name_of(task.status)},
            {"reason", valid_utf8(task.reason)},
            {"score", shortest(task.score)},
            {"points", shortest(task.points)},
            {"hint", valid_utf8(task.hint)},
            {"checks", Json::array()}};
  for (const Check& check : task.checks) json["checks"].push_back(check_json(check));
  if (task.clock) json["clock"] = clock_json(*task.clock);
  if (!task.notice.empty()) json["notice"] = valid_utf8(task.notice);
  return json;
}

TaskRecord task_from(const Json& json) {
  TaskRecord task;
  task.lab = text(json, "lab");
  task.id = text(json, "id");
  task.title = text(json, "title");
  task.status = word<TaskRecord::Status>(json, "status", task_statuses);
  task.reason = text(json, "reason");
  task.score = number(json, "score");
  task.points = number(json, "points");
  task.hint = text(json, "hint");
  for (const Json& check : list(json, "checks")) task.checks.push_back(check_from(check));
  if (json.contains("clock")) task.clock = clock_from(json.at("clock"));
  if (json.contains("notice")) task.notice = text(json, "notice");
  return task;
}

double sum(const std::vector<TaskRecord>& tasks, double TaskRecord::*part) {
  return std::accumulate(tasks.begin(), tasks.end(), 0.0,
                         [&](double total, const TaskRecord& task) { return total + task.*part; });
}

}  // namespace

const char* name_of(Check::Status status) { return check_statuses.at(static_cast<std::size_t>(status)); }
const char* name_of(Check::Kind kind) { return check_kinds.at(static_cast<std::size_t>(kind)); }
const char* name_of(TaskRecord::Status status) { return task_statuses.at(static_cast<std::size_t>(status)); }
const char* name_of(SubmissionRecord::Status status) {
  return submission_statuses.at(static_cast<std::size_t>(status));
}
const char* name_of(ClockReading::Verdict verdict) {
  return clock_verdicts.at(static_cast<std::size_t>(verdict));
}

double SubmissionRecord::score() const { return sum(tasks, &TaskRecord::score); }
double SubmissionRecord::points() const { return sum(tasks, &TaskRecord::points); }

Json to_json(const SubmissionRecord& record) {
  Json json{{"schema", schema},
            {"status", name_of(record.status)},
            {"student", valid_utf8(record.student)},
            {"source", valid_utf8(record.source)},
            {"digest", valid_utf8(record.digest)},
            {"sandbox", valid_utf8(record.sandbox)},
            {"backend", valid_utf8(record.backend)},
            {"seed_digest", valid_utf8(record.seed_digest)},
            {"tasks_digest", valid_utf8(record.tasks_digest)},
            {"problem", valid_utf8(record.problem)},
            {"notes", Json::array()},
            {"tasks", Json::array()}};
  if (!record.submitted.empty()) json["submitted"] = valid_utf8(record.submitted);
  for (const std::string& note : record.notes) json["notes"].push_back(valid_utf8(note));
  for (const TaskRecord& task : record.tasks) json["tasks"].push_back(task_json(task));
  for (const auto& [lab, answers] : record.answers) json["answers"][lab] = valid_utf8(answers);
  for (const SubmissionRecord& before : record.earlier) json["earlier"].push_back(to_json(before));
  return json;
}

SubmissionRecord record_from(const Json& json) {
  const Json& version = member(json, "schema");
  if (!version.is_number_integer() || version.get<std::int64_t>() != schema)
    fail(fmt::format("its schema is not {}", schema));
  SubmissionRecord record;
  record.student = text(json, "student");
  record.source = text(json, "source");
  record.digest = text(json, "digest");
  record.sandbox = text(json, "sandbox");
  record.backend = text(json, "backend");
  record.seed_digest = text(json, "seed_digest");
  record.tasks_digest = text(json, "tasks_digest");
  record.problem = text(json, "problem");
  if (json.contains("submitted")) record.submitted = text(json, "submitted");
  // Records of before have no status.
  record.status = json.contains("status")
                      ? word<SubmissionRecord::Status>(json, "status", submission_statuses)
                  : record.problem.empty() ? SubmissionRecord::Status::graded
                                           : SubmissionRecord::Status::not_gradable;
  for (const Json& note : list(json, "notes")) {
    if (!note.is_string()) fail("a note is not text");
    record.notes.push_back(note.get<std::string>());
  }
  for (const Json& task : list(json, "tasks")) record.tasks.push_back(task_from(task));
  if (json.contains("answers"))
    for (const auto& [lab, answers] : json.at("answers").items())
      record.answers[lab] = text(json.at("answers"), lab.c_str());
  if (json.contains("earlier"))
    for (const Json& before : list(json, "earlier")) record.earlier.push_back(record_from(before));
  return record;
}

}  // namespace warplab
