#include "grader/term/term.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "common/host/bad_input.hpp"
#include "common/host/close_match.hpp"
#include "grader/term/json_lines.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {
namespace {

using TermJson = nlohmann::json;

constexpr std::array policies = {"best", "last", "best_before_deadline"};  // in the order of the enumerators

/// An object of term.json: the whole, or a member of it.
class TermEntry {
 public:
  TermEntry(const JsonWithLines& file, JsonWithLines::Path path, const TermJson& json)
      : file_(file), path_(std::move(path)), json_(json) {}

  const TermJson& json() const { return json_; }
  bool contains(const char* key) const { return json_.contains(key); }
  TermEntry member(const std::string& key) const { return {file_, path_to({key}), json_.at(key)}; }
  /// "term.json:7", the line of something in it.
  std::string place(const JsonWithLines::Path& within) const { return file_.place(path_to(within)); }

  [[noreturn]] void fail(const std::string& what) const { fail_at({}, what); }
  /// @param within it, where the mistake is: {"deadline", "A"}
  [[noreturn]] void fail_at(const JsonWithLines::Path& within, const std::string& what) const {
    throw BadInput(fmt::format("{}: {} {}", place(within), path_.empty() ? "the file" : path_.back(), what));
  }
  void must_be_object() const {
    if (!json_.is_object()) fail("is not an object in braces");
  }
  void allow(const std::vector<std::string>& keys) const {
    must_be_object();
    for (const auto& [key, value] : json_.items())
      if (std::ranges::find(keys, key) == keys.end())
        fail_at({key}, fmt::format("has an unknown key \"{}\"{}; known keys: {}", key,
                                   did_you_mean(key, keys), fmt::join(keys, ", ")));
  }
  template <class T>
  void take(const char* key, T& value) const {
    if (!json_.contains(key)) return;
    try {
      value = json_.at(key).get<T>();
    } catch (const TermJson::exception&) {
      fail_at({key}, fmt::format("has a \"{}\" of the wrong type: {}", key, json_.at(key).dump()));
    }
  }
  unsigned count(const char* key, unsigned most) const {
    const TermJson& value = json_.at(key);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
      fail_at({key}, fmt::format("has a \"{}\" of {}; it takes a whole number from 0 to {}", key,
                                 value.dump(), most));
    return value.get<unsigned>();
  }

 private:
  JsonWithLines::Path path_to(const JsonWithLines::Path& within) const {
    JsonWithLines::Path path = path_;
    path.insert(path.end(), within.begin(), within.end());
    return path;
  }

  const JsonWithLines& file_;
  JsonWithLines::Path path_;
  const TermJson& json_;
};

LateRules late_rules_of(const TermEntry& entry) {
  entry.allow({"days", "percent_per_day", "latest", "grace_minutes"});
  LateRules late;
  if (entry.contains("days")) late.days = entry.count("days", 365);
  if (entry.contains("latest")) late.latest = entry.count("latest", 365);
  if (entry.contains("grace_minutes")) late.grace_minutes = entry.count("grace_minutes", 1440);
  entry.take("percent_per_day", late.percent_per_day);
  if (!(late.percent_per_day >= 0 && late.percent_per_day <= 100))
    entry.fail_at({"percent_per_day"}, "has a \"percent_per_day\" that is not from 0 to 100");
  return late;
}

/// @param within entry, where the deadline is
Instant deadline_at(const TermEntry& entry, const JsonWithLines::Path& within, const TermJson& value,
                    const TimeZone& zone) {
  if (!value.is_string()) entry.fail_at(within, "has a deadline that is not text: " + value.dump());
  const std::string text = value.get<std::string>();
  try {
    return parse_instant(text, zone);
  } catch (const BadInput& error) {
    entry.fail_at(within, fmt::format("has the deadline '{}', which {}", text, error.what()));
  }
}

LabTerms lab_terms_of(const TermEntry& entry, const Term& term) {
  entry.allow({"deadline", "by_group", "column"});
  LabTerms lab;
  entry.take("by_group", lab.by_group);
  entry.take("column", lab.column);
  if (!entry.contains("deadline")) return lab;
  const TermJson& deadline = entry.json().at("deadline");
  if (!deadline.is_object()) {
    lab.deadlines[""] = deadline_at(entry, {"deadline"}, deadline, term.zone);
    return lab;
  }
  for (const auto& [section, value] : deadline.items()) {
    const JsonWithLines::Path within{"deadline", section};
    if (term.sections.empty())
      entry.fail_at(within,
                    fmt::format("has a deadline for the section '{}', and \"sections\" lists none", section));
    if (!section.empty() && std::ranges::find(term.sections, section) == term.sections.end())
      entry.fail_at(within, fmt::format("has a deadline for the unknown section '{}'; known sections: {}",
                                        section, fmt::join(term.sections, ", ")));
    lab.deadlines[section] = deadline_at(entry, within, value, term.zone);
  }
  return lab;
}

void read_rules(const TermEntry& all, Term& term) {
  all.take("term", term.name);
  all.take("sections", term.sections);
  const std::set<std::string> different(term.sections.begin(), term.sections.end());
  if (different.size() != term.sections.size())
    throw BadInput(all.place({"sections"}) + ": sections has a section twice");
  if (std::string zone; all.contains("time_zone")) {
    all.take("time_zone", zone);
    try {
      term.zone = TimeZone(zone);
    } catch (const BadInput& error) {
      throw BadInput(fmt::format("{}: time_zone: {}", all.place({"time_zone"}), error.what()));
    }
  }
  if (std::string policy; all.contains("policy")) {
    all.take("policy", policy);
    const auto known = std::ranges::find(policies, policy);
    if (known == policies.end())
      throw BadInput(fmt::format("{}: policy: unknown policy '{}'; known policies: {}", all.place({"policy"}),
                                 policy, fmt::join(policies, ", ")));
    term.policy = static_cast<Policy>(known - policies.begin());
  }
  if (all.contains("late")) term.late = late_rules_of(all.member("late"));
}

}  // namespace

const char* name_of(Policy policy) { return policies.at(static_cast<std::size_t>(policy)); }

Term Term::read(const std::filesystem::path& path, const Course& course) {
  const JsonWithLines file = json_with_lines(bytes_of_file(path), path.string());
  const TermEntry all(file, {}, file.json);
  all.allow({"term", "time_zone", "policy", "late", "sections", "labs"});
  Term term;
  read_rules(all, term);
  if (!all.contains("labs")) return term;
  std::vector<std::string> stems;
  for (const Lab& lab : course.labs) stems.push_back(lab.stem);
  const TermEntry labs = all.member("labs");
  labs.must_be_object();
  for (const auto& [stem, terms] : labs.json().items()) {
    if (!course.find(stem))
      throw BadInput(
          fmt::format("{}: unknown lab '{}'{}", labs.place({stem}), stem, did_you_mean(stem, stems)));
    term.labs[stem] = lab_terms_of(labs.member(stem), term);
  }
  return term;
}

std::optional<Instant> Term::deadline(const std::string& lab, const std::string& section) const {
  const auto terms = labs.find(lab);
  if (terms == labs.end()) return {};
  auto found = terms->second.deadlines.find(section);
  if (found == terms->second.deadlines.end()) found = terms->second.deadlines.find("");
  if (found == terms->second.deadlines.end()) return {};
  return found->second;
}

std::string Term::column(const std::string& lab) const {
  const auto terms = labs.find(lab);
  return terms == labs.end() || terms->second.column.empty() ? lab : terms->second.column;
}

std::string Term::title(const std::string& lab) const {
  static const std::regex number(R"( \(\d+\)$| \[Total Pts:.*)");
  return std::regex_replace(column(lab), number, "");
}

bool Term::is_by_group(const std::string& lab) const {
  const auto terms = labs.find(lab);
  return terms == labs.end() || terms->second.by_group;
}

}  // namespace warplab
