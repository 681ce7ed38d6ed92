#include "grader/people/gradescope_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "common/host/bad_input.hpp"
#include "grader/people/plain_words.hpp"
#include "grader/text/source_tree.hpp"
#include "grader/text/text_lines.hpp"

namespace warplab {
namespace {

/// A scalar without its quotes.
std::string scalar(std::string text) {
  text = std::string(trimmed(text));
  if (text.size() > 1 && (text[0] == '\'' || text[0] == '"') && text.back() == text[0])
    text = text.substr(1, text.size() - 2);
  return text == "null" || text == "~" ? "" : text;
}

/// "2027-03-02 04:59:10.123456000 Z" without the fraction, its zone as an offset.
std::string plain_time(const std::string& text) {
  std::string_view rest = text;
  const auto take = [&](std::size_t size) {
    const std::string_view part = rest.substr(0, size);
    rest.remove_prefix(part.size());
    return part;
  };
  const std::string_view day = take(10), between = take(1), time = take(8);
  if (!has_shape(day, "0000-00-00") || !has_shape(time, "00:00:00") || (between != " " && between != "T"))
    return text;
  if (rest.starts_with('.')) {
    const std::size_t digits = leading_digits(rest.substr(1)).size();
    if (digits == 0) return text;
    take(1 + digits);
  }
  take(std::min(rest.find_first_not_of(' '), rest.size()));
  const bool is_offset = has_shape(rest, "+0000") || has_shape(rest, "-0000") || has_shape(rest, "+00:00") ||
                         has_shape(rest, "-00:00");
  if (!is_offset && !rest.empty() && rest != "Z" && rest != "UTC") return text;
  return fmt::format("{} {} {}", day, time, is_offset ? rest : "+0000");
}

}  // namespace

std::map<std::string, GradescopeEntry> read_gradescope_export(const std::filesystem::path& submissions) {
  const std::filesystem::path file = submissions / "submission_metadata.yml";
  std::map<std::string, GradescopeEntry> entries;
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(file))) return entries;
  const std::string text = bytes_of_file(file);
  GradescopeEntry* entry = nullptr;
  bool in_submitters = false;
  for (const std::string_view line : lines_of(text)) {
    std::string_view words = trimmed(line);
    const bool is_top = !words.empty() && words.data() == line.data();
    if (is_top && words.starts_with("submission_") && words.ends_with(':')) {
      entry = &entries[std::string(words.substr(0, words.size() - 1))];
      in_submitters = false;
      continue;
    }
    if (!entry) continue;
    if (line.starts_with("  :submitters:")) {  // of the submission, as below
      in_submitters = true;
      continue;
    }
    if (line.starts_with("  :created_at:"))  // of the submission, not of an earlier one
      entry->created_at = plain_time(scalar(std::string(words.substr(12))));
    if (in_submitters && words.starts_with("- ")) {
      entry->submitters.emplace_back();
      words = trimmed(words.substr(2));
    } else if (in_submitters && line.find_first_not_of(' ') <= 2) {
      in_submitters = false;
    }
    if (!in_submitters || entry->submitters.empty()) continue;
    GradescopeEntry::Submitter& last = entry->submitters.back();
    if (words.starts_with(":name:")) last.name = scalar(std::string(words.substr(6)));
    if (words.starts_with(":sid:")) last.sid = scalar(std::string(words.substr(5)));
    if (words.starts_with(":email:")) last.email = scalar(std::string(words.substr(7)));
  }
  if (entries.empty()) throw BadInput(file.string() + ":1: no submission is listed in it");
  return entries;
}

}  // namespace warplab
