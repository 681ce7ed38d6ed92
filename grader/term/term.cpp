#include "grader/term/term.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "common/bad_input.hpp"
#include "common/close_match.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {
namespace {

using TermJson = nlohmann::json;

constexpr std::array policies = {"best", "last", "best_before_deadline"};  // in the order of the enumerators

/// An object of term.json and where it is.
struct TermEntry {
  const TermJson& json;
  std::string place;

  [[noreturn]] void fail(const std::string& what) const { throw BadInput(place + " " + what); }
  void allow(const std::vector<std::string>& keys) const {
    if (!json.is_object()) fail("is not an object in braces");
    for (const auto& [key, value] : json.items())
      if (std::ranges::find(keys, key) == keys.end())
        fail(fmt::format("has an unknown key \"{}\"{}; known keys: {}", key, did_you_mean(key, keys),
                         fmt::join(keys, ", ")));
  }
  template <class T>
  void take(const char* key, T& value) const {
    if (!json.contains(key)) return;
    try {
      value = json.at(key).get<T>();
    } catch (const TermJson::exception&) {
      fail(fmt::format("has a \"{}\" of the wrong type: {}", key, json.at(key).dump()));
    }
  }
  unsigned count(const char* key, unsigned most) const {
    const TermJson& value = json.at(key);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
      fail(fmt::format("has a \"{}\" of {}; it takes a whole number from 0 to {}", key, value.dump(), most));
    return value.get<unsigned>();
  }
};

/// The line of a byte of a text.
std::size_t line_at(const std::string& text, std::size_t byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  return static_cast<std::size_t>(std::count(text.begin(), end, '\n')) + 1;
}

/// The file as JSON. A key that an object has twice would silently lose its first value.
TermJson parsed_term(const std::string& text, const std::string& file) {
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  const auto keep = [&](int, TermJson::parse_event_t event, const TermJson& value) {
    if (event == TermJson::parse_event_t::object_start) keys.emplace_back();
    if (event == TermJson::parse_event_t::object_end) keys.pop_back();
    if (event != TermJson::parse_event_t::key || keys.back().insert(value).second) return true;
    const auto key = value.get<std::string>();
    throw BadInput(
        fmt::format("{}:{}: \"{}\" is there twice", file, line_at(text, text.rfind('"' + key + '"')), key));
  };
  try {
    return TermJson::parse(text, keep);
  } catch (const TermJson::parse_error& error) {
    const std::size_t byte = error.byte ? error.byte - 1 : 0;
    throw BadInput(fmt::format("{}:{}: this is not JSON", file, line_at(text, byte)));
  }
}

/// "term.json:7", the line of a key's first mention, which a person looks for.
std::string place_of(const std::string& text, const std::string& file, const std::string& key) {
  const std::size_t at = text.find('"' + key + '"');
  return fmt::format("{}:{}: {}", file, line_at(text, at == std::string::npos ? 0 : at), key);
}

LateRules late_rules_of(const TermEntry& entry) {
  entry.allow({"days", "percent_per_day", "latest", "grace_minutes"});
  LateRules late;
  if (entry.json.contains("days")) late.days = entry.count("days", 365);
  if (entry.json.contains("latest")) late.latest = entry.count("latest", 365);
  if (entry.json.contains("grace_minutes")) late.grace_minutes = entry.count("grace_minutes", 1440);
  entry.take("percent_per_day", late.percent_per_day);
  if (!(late.percent_per_day >= 0 && late.percent_per_day <= 100))
    entry.fail("has a \"percent_per_day\" that is not from 0 to 100");
  return late;
}

Instant deadline_at(const TermEntry& entry, const TermJson& value, const TimeZone& zone) {
  if (!value.is_string()) entry.fail("has a deadline that is not text: " + value.dump());
  const std::string text = value.get<std::string>();
  try {
    return parse_instant(text, zone);
  } catch (const BadInput& error) {
    entry.fail(fmt::format("has the deadline '{}', which {}", text, error.what()));
  }
}

LabTerms lab_terms_of(const TermEntry& entry, const Term& term) {
  entry.allow({"deadline", "by_group", "column"});
  LabTerms lab;
  entry.take("by_group", lab.by_group);
  entry.take("column", lab.column);
  if (!entry.json.contains("deadline")) return lab;
  const TermJson& deadline = entry.json.at("deadline");
  if (!deadline.is_object()) {
    lab.deadlines[""] = deadline_at(entry, deadline, term.zone);
    return lab;
  }
  for (const auto& [section, value] : deadline.items()) {
    if (term.sections.empty())
      entry.fail(fmt::format("has a deadline for the section '{}', and \"sections\" lists none", section));
    if (!section.empty() && std::ranges::find(term.sections, section) == term.sections.end())
      entry.fail(fmt::format("has a deadline for the unknown section '{}'; known sections: {}", section,
                             fmt::join(term.sections, ", ")));
    lab.deadlines[section] = deadline_at(entry, value, term.zone);
  }
  return lab;
}

void read_rules(const TermEntry& all, const std::string& text, const std::string& file, Term& term) {
  all.take("term", term.name);
  all.take("sections", term.sections);
  const std::set<std::string> different(term.sections.begin(), term.sections.end());
  if (different.size() != term.sections.size())
    throw BadInput(place_of(text, file, "sections") + " has a section twice");
  if (std::string zone; all.json.contains("time_zone")) try {
      all.take("time_zone", zone);
      term.zone = TimeZone(zone);
    } catch (const BadInput& error) {
      throw BadInput(fmt::format("{}: {}", place_of(text, file, "time_zone"), error.what()));
    }
  if (std::string policy; all.json.contains("policy")) {
    all.take("policy", policy);
    const auto known = std::ranges::find(policies, policy);
    if (known == policies.end())
      throw BadInput(fmt::format("{}: unknown policy '{}'; known policies: {}",
                                 place_of(text, file, "policy"), policy, fmt::join(policies, ", ")));
    term.policy = static_cast<Policy>(known - policies.begin());
  }
  if (all.json.contains("late"))
    term.late = late_rules_of({all.json.at("late"), place_of(text, file, "late")});
}

}  // namespace

const char* name_of(Policy policy) { return policies.at(static_cast<std::size_t>(policy)); }

Term Term::read(const std::filesystem::path& path, const Course& course) {
  const std::string text = bytes_of_file(path), file = path.string();
  const TermJson json = parsed_term(text, file);
  const TermEntry all{json, file + ":1: the file"};
  all.allow({"term", "time_zone", "policy", "late", "sections", "labs"});
  Term term;
  read_rules(all, text, file, term);
  if (!json.contains("labs")) return term;
  std::vector<std::string> stems;
  for (const Lab& lab : course.labs) stems.push_back(lab.stem);
  if (!json.at("labs").is_object())
    throw BadInput(place_of(text, file, "labs") + " is not an object in braces");
  for (const auto& [stem, terms] : json.at("labs").items()) {
    const std::string place = place_of(text, file, stem);
    if (!course.find(stem))
      throw BadInput(fmt::format("{}: unknown lab '{}'{}", place.substr(0, place.rfind(':')), stem,
                                 did_you_mean(stem, stems)));
    term.labs[stem] = lab_terms_of({terms, place}, term);
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
