#include "tests/house/functions.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>
#include <string_view>

namespace warplab::house {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)); }

/// Copies a text, piece by piece, and leaves spaces where something else than code is.
class Blanker {
 public:
  explicit Blanker(const std::string& text) : text_(text) {}

  std::string blanked() {
    while (at_ < text_.size()) step();
    return std::move(out_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (text_.compare(at_, 2, "//") == 0)
      hide_to(text_.find('\n', at_));
    else if (text_.compare(at_, 2, "/*") == 0)
      hide_to(after(text_.find("*/", at_ + 2), 2));
    else if (c == '#' && begins_line())
      hide_to(end_of_directive());
    else if (c == '"')
      hide_literal(is_raw() ? end_of_raw_string() : end_of_literal('"'));
    else if (c == '\'' && !separates_digits())
      hide_literal(end_of_literal('\''));
    else
      out_ += text_[at_++];
  }

  std::size_t after(std::size_t place, std::size_t count) const {
    return place == std::string::npos ? text_.size() : place + count;
  }
  bool begins_line() const {
    const std::size_t line = out_.rfind('\n') + 1;
    return std::all_of(out_.begin() + static_cast<std::ptrdiff_t>(line), out_.end(), is_space);
  }
  bool is_raw() const { return at_ > 0 && text_[at_ - 1] == 'R' && (at_ == 1 || !is_word(text_[at_ - 2])); }
  bool separates_digits() const {
    return at_ > 0 && is_word(text_[at_ - 1]) && at_ + 1 < text_.size() && is_word(text_[at_ + 1]);
  }
  std::size_t end_of_directive() const {
    std::size_t end = text_.find('\n', at_);
    while (end != std::string::npos && text_[end - 1] == '\\') end = text_.find('\n', end + 1);
    return end;
  }
  std::size_t end_of_raw_string() const {
    const std::size_t open = text_.find('(', at_);
    const std::string close = ")" + text_.substr(at_ + 1, open - at_ - 1) + '"';
    return after(text_.find(close, open), close.size());
  }
  std::size_t end_of_literal(char quote) const {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote) end += text_[end] == '\\' ? 2 : 1;
    return end + 1;
  }

  void hide_to(std::size_t end) {
    for (end = std::min(end, text_.size()); at_ < end; ++at_) out_ += text_[at_] == '\n' ? '\n' : ' ';
  }
  void hide_literal(std::size_t end) {
    const char quote = text_[at_++];
    out_ += quote;
    hide_to(end - 1);
    out_ += quote;
    ++at_;
  }

  const std::string& text_;
  std::string out_;
  std::size_t at_ = 0;
};

/// The head without attributes and template parameters before it.
std::string bare_head(std::string head) {
  static const std::regex before(R"(^\s*(?:\[\[[^]*?\]\]|alignas\s*\([^)]*\)))"), space("\\s+");
  for (std::smatch found; std::regex_search(head, found, before);) head = found.suffix();
  head = std::regex_replace(head, space, " ");
  head.erase(0, head.find_first_not_of(' '));
  while (!head.empty() && head.back() == ' ') head.pop_back();
  if (!head.starts_with("template")) return head;
  int depth = 0;
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (head[i] == '<') ++depth;
    if (head[i] == '>' && --depth == 0) return bare_head(head.substr(i + 1));
  }
  return head;
}

/// Whether the braces after it hold declarations or data rather than statements.
bool opens_scope(const std::string& head) {
  static const std::regex scope(R"(^(?:(?:inline )?namespace|class|struct|union|enum)\b)");
  return head.find('(') == std::string::npos || std::regex_search(head, scope);
}

/// Lines from one place of a text to another, but for the marks that cut solutions and stubs.
std::size_t counted_lines(const std::string& part) {
  static const std::regex mark(R"(\s*// (?:BEGIN SOLUTION|END SOLUTION|STUB.*))");
  std::istringstream in(part);
  std::size_t count = 0;
  for (std::string line; std::getline(in, line);) count += !std::regex_match(line, mark);
  return count;
}

/// Follows the braces of a file.
class FunctionReader {
 public:
  explicit FunctionReader(const std::string& text)
      : text_(text), code_(without_comments_and_literals(text)) {}

  std::vector<Function> functions() {
    for (at_ = 0; at_ < code_.size(); ++at_) {
      const char c = code_[at_];
      if (c == '{')
        open();
      else if (c == '}')
        close();
      if (c == '{' || c == '}' || c == ';' || (c == ':' && ends_access_specifier()))
        begins_head_ = true;
      else if (begins_head_ && !is_space(c))
        begin_head();
    }
    return std::move(found_);
  }

 private:
  bool ends_access_specifier() const {
    const std::string_view word = std::string_view(code_).substr(head_, at_ - head_);
    return !begins_head_ && (word == "public" || word == "private" || word == "protected");
  }
  void begin_head() {
    begins_head_ = false;
    head_ = at_;
  }
  void open() {
    if (body_ < 0) {
      const std::string head = begins_head_ ? "" : bare_head(code_.substr(head_, at_ - head_));
      if (!opens_scope(head)) {
        body_ = depth_;
        begin_ = head_;
        found_.push_back({head,
                          1 + static_cast<std::size_t>(std::count(
                                  code_.begin(), code_.begin() + static_cast<std::ptrdiff_t>(head_), '\n')),
                          0, head.find("__global__") != std::string::npos});
      }
    }
    ++depth_;
  }
  void close() {
    if (--depth_ != body_) return;
    body_ = -1;
    const std::size_t begin = text_.rfind('\n', begin_) + 1;
    found_.back().lines = counted_lines(text_.substr(begin, at_ + 1 - begin));
  }

  const std::string& text_;
  const std::string code_;
  std::vector<Function> found_;
  std::size_t at_ = 0, head_ = 0, begin_ = 0;
  bool begins_head_ = true;
  int depth_ = 0, body_ = -1;  ///< of braces; of those around the function that is open, or -1
};

}  // namespace

std::string without_comments_and_literals(const std::string& text) { return Blanker(text).blanked(); }

std::vector<Function> functions_in(const std::string& text) { return FunctionReader(text).functions(); }

}  // namespace warplab::house
