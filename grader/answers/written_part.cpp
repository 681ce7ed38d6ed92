#include "grader/answers/written_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>

#include "grader/text/source_tree.hpp"
#include "grader/text/text_lines.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// Parts of a document, by the numbers that their first lines begin with.
using NumberedParts = std::map<int, std::string>;

/// The number after a mark, "## 12 (at most ..." with the mark "## "; 0 if the line is another.
int number_after(std::string_view line, std::string_view mark) {
  if (!line.starts_with(mark)) return 0;
  line.remove_prefix(mark.size());
  int number = 0;
  std::size_t digits = 0;
  while (digits < line.size() && digits < 3 && std::isdigit(static_cast<unsigned char>(line[digits])))
    number = number * 10 + (line[digits++] - '0');
  const bool ends = digits == line.size() || !std::isalnum(static_cast<unsigned char>(line[digits]));
  return digits > 0 && ends ? number : 0;
}

/// What is below each heading "## N".
NumberedParts below_headings(std::string_view text) {
  NumberedParts parts;
  int current = 0;
  for (const std::string_view line : lines_of(text)) {
    if (const int number = number_after(line, "## "))
      current = number;
    else if (current)
      parts[current].append(line) += '\n';
  }
  for (auto& [number, part] : parts) part = std::string(trimmed(part));
  return parts;
}

/// A comment that nothing ends is none.
std::string without_comments(std::string_view text) {
  std::string kept;
  for (;;) {
    const std::size_t begin = text.find("<!--"),
                      end = begin == text.npos ? text.npos : text.find("-->", begin);
    kept += text.substr(0, end == text.npos ? text.npos : begin);
    if (end == text.npos) return kept;
    text.remove_prefix(end + 3);
  }
}

/// How many bytes a blank takes that a text begins with, in UTF-8; 0 if it begins with something else.
std::size_t blank_at(std::string_view text) {
  if (!text.empty() && is_white(text[0])) return 1;
  if (text.starts_with("\u00a0")) return 2;
  const std::string_view next = text.substr(0, 3);
  const bool is_wide =
      next == "\u202f" || next == "\u205f" || next == "\u3000" || (next >= "\u2000" && next <= "\u200b");
  return is_wide ? 3 : 0;
}

/// The questions of a handout: the numbered list below "## Questions".
NumberedParts questions_of_handout(std::string_view handout) {
  NumberedParts questions;
  bool is_inside = false;
  int current = 0;
  for (const std::string_view line : lines_of(handout)) {
    if (line.starts_with("## ")) {
      is_inside = line == "## Questions";
      current = 0;
      continue;
    }
    if (!is_inside) continue;
    const std::string next = fmt::format("{}. ", current + 1);
    if (line.starts_with(next)) {
      questions[++current] = std::string(line.substr(next.size())) + "\n";
    } else if (current) {
      const std::size_t margin = std::min(line.find_first_not_of(' '), std::size_t{3});
      questions[current].append(line.substr(std::min(margin, line.size()))) += '\n';
    }
  }
  for (auto& [number, question] : questions) question = std::string(trimmed(question));
  return questions;
}

NumberedParts parts_of(const fs::path& file, NumberedParts (*read)(std::string_view)) {
  return fs::exists(file) ? read(bytes_of_file(file)) : NumberedParts();
}

}  // namespace

std::string part_name(int question) { return fmt::format("question {}", question); }

std::vector<WrittenQuestion> written_questions(const Lab& lab) {
  if (!fs::exists(lab.folder / answers_file)) return {};
  const NumberedParts texts = parts_of(lab.folder / "README.md", questions_of_handout),
                      rubrics = parts_of(lab.folder / answer_key_file, [](std::string_view key) {
                        return below_headings(without_comments(key));
                      });
  static const std::regex heading(R"(## (\d{1,3})\b(?: \(at most (\d{1,6}) words, (\d{1,3}) points?\))?.*)");
  std::vector<WrittenQuestion> questions;
  const std::string places = bytes_of_file(lab.folder / answers_file);
  for (const std::string_view line : lines_of(places)) {
    std::match_results<std::string_view::const_iterator> found;
    const std::string_view place = trimmed(line);
    if (!std::regex_match(place.begin(), place.end(), found, heading)) continue;
    WrittenQuestion question;
    question.number = std::stoi(found[1]);
    if (found[2].matched) question.max_words = std::stoul(found[2]), question.points = std::stod(found[3]);
    if (const auto text = texts.find(question.number); text != texts.end()) question.text = text->second;
    if (const auto key = rubrics.find(question.number); key != rubrics.end()) question.rubric = key->second;
    questions.push_back(std::move(question));
  }
  return questions;
}

std::map<int, std::string> answers_in(std::string_view text) {
  NumberedParts answers = below_headings(text);
  for (auto& [number, answer] : answers) answer = std::string(trimmed(without_comments(answer)));
  std::erase_if(answers, [](const auto& one) { return words_in(one.second) == 0; });
  return answers;
}

std::size_t words_in(std::string_view answer) {
  std::size_t words = 0;
  bool in_word = false;
  const std::string shown = without_comments(answer);
  for (std::string_view rest = shown; !rest.empty();) {
    if (const std::size_t blank = blank_at(rest)) {
      in_word = false;
      rest.remove_prefix(blank);
      continue;
    }
    // Bytes beyond ASCII are parts of letters, or of signs with blanks around them.
    const auto byte = static_cast<unsigned char>(rest[0]);
    const bool counts = std::isalnum(byte) || byte >= 0x80;
    if (counts && !in_word) in_word = true, ++words;
    rest.remove_prefix(1);
  }
  return words;
}

}  // namespace warplab
