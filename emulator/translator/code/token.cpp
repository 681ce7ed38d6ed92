#include "emulator/translator/code/token.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>

namespace warplab::translator {
namespace {

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80);
}
bool continues_name(char c) { return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)); }

/// What is in the quotes of a marker: `file.cu` of `# 12 "file.cu" 1 3`. Empty if it is something else.
std::string_view file_of_marker(std::string_view line) {
  const std::size_t open = line.find('"'), close = line.rfind('"');
  return open == std::string_view::npos || open == close ? "" : line.substr(open + 1, close - open - 1);
}

bool marks_system_header(std::string_view line) {
  return line.find(" 3", line.rfind('"')) != std::string_view::npos;
}

std::string_view line_around(std::string_view text, std::size_t at) {
  const std::size_t first = text.rfind('\n', at) + 1;
  return text.substr(first, text.find('\n', at) - first);
}

/// The files that hold CUDA code though they are system headers for the preprocessor, because `-isystem` or
/// `#pragma GCC system_header` says so. They have to be translated all the same. Their last marker has the
/// flag: in a file of another kind what follows a system header's macro has a marker without.
using Files = std::set<std::string, std::less<>>;
Files system_headers_with_cuda(std::string_view text) {
  Files with_cuda;
  for (const std::string_view word :
       {"__device__", "__global__", "__host__", "__shared__", "__constant__", "<<<"})
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; at += word.size()) {
      const std::string_view line = line_around(text, at);
      if (std::count(line.begin(), text.begin() + at, '"') % 2 != 0) continue;  // in a message
      const std::size_t newline = text.rfind("\n# ", at);
      with_cuda.emplace(
          file_of_marker(line_around(text, newline == std::string_view::npos ? 0 : newline + 1)));
    }
  Files found;
  for (std::size_t at = 0; (at = text.find("\n# ", at)) != std::string_view::npos; ++at) {
    const std::string_view line = line_around(text, at + 1), file = file_of_marker(line);
    if (!with_cuda.contains(file)) continue;
    if (marks_system_header(line))
      found.emplace(file);
    else if (const auto known = found.find(file); known != found.end())
      found.erase(known);
  }
  return found;
}

class Tokenizer {
 public:
  Tokenizer(std::string text, const std::vector<std::string>& libraries) : libraries_(libraries) {
    source_.text = std::move(text);
    source_.text.reserve(64);  // on the heap, so that views outlive a move
    system_headers_with_cuda_ = system_headers_with_cuda(source_.text);
  }

  Source run() {
    const std::string& text = source_.text;
    while (at_ < text.size()) {
      const char c = text[at_];
      if (c == '#' && at_line_start_)
        directive();
      else if (opaque_)
        system_text();
      else if (std::isspace(static_cast<unsigned char>(c)))
        space();
      else if (starts_name(c))
        name();
      else if (std::isdigit(static_cast<unsigned char>(c)) ||
               (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1)))))
        number();
      else if (c == '"')
        quoted('"', at_);
      else if (c == '\'')
        quoted('\'', at_);
      else {
        spell_out_digraph();
        emit(Token::Kind::punctuation, at_ + 1);
      }
    }
    pair_brackets();
    return std::move(source_);
  }

 private:
  char peek(std::size_t ahead) const {
    return at_ + ahead < source_.text.size() ? source_.text[at_ + ahead] : '\0';
  }

  // Brackets that are written `<%`, `%>`, `<:` and `:>` become those that they stand for, and a blank.
  void spell_out_digraph() {
    static constexpr std::string_view digraphs = "<%{%>}<:[:>]";
    for (std::size_t i = 0; i < digraphs.size(); i += 3) {
      if (source_.text[at_] != digraphs[i] || peek(1) != digraphs[i + 1]) continue;
      // `<::x` is a `<` and a scope, unless `:` or `>` follows
      if (digraphs[i + 2] == '[' && peek(2) == ':' && peek(3) != ':' && peek(3) != '>') return;
      source_.text[at_] = digraphs[i + 2];
      source_.text[at_ + 1] = ' ';
      return;
    }
  }

  void emit(Token::Kind kind, std::size_t end) {
    const std::string_view text = std::string_view(source_.text).substr(at_, end - at_);
    source_.tokens.push_back({kind, text, line_, file_, system_});
    const auto newlines = std::count(text.begin(), text.end(), '\n');
    line_ += static_cast<int>(newlines);
    at_line_start_ =
        kind == Token::Kind::directive || (kind == Token::Kind::space && (at_line_start_ || newlines > 0));
    at_ = end;
  }

  void space() {
    std::size_t end = at_;
    while (end < source_.text.size() && std::isspace(static_cast<unsigned char>(source_.text[end]))) ++end;
    emit(Token::Kind::space, end);
  }

  // `# 12 "file.cu" 1 3` says what line follows; flag 3 marks a system header. Other directives are pragmas.
  void directive() {
    std::size_t end = source_.text.find('\n', at_);
    if (end == std::string::npos) end = source_.text.size();
    const std::string line = source_.text.substr(at_, end - at_);
    emit(Token::Kind::directive, end);
    const char* p = line.c_str() + 1;
    while (*p == ' ') ++p;
    if (!std::isdigit(static_cast<unsigned char>(*p))) return;
    char* rest = nullptr;
    const long number = std::strtol(p, &rest, 10);
    const std::string file(file_of_marker(line));
    if (file.empty()) return;
    const auto known = std::find(source_.files.begin(), source_.files.end(), file);
    file_ = static_cast<int>(known - source_.files.begin());
    if (known == source_.files.end()) {
      source_.files.push_back(file);
      source_.of_library.push_back(is_of_library(file));
    }
    system_ = marks_system_header(line) && !source_.of_library[static_cast<std::size_t>(file_)] &&
              !system_headers_with_cuda_.contains(file);
    // A file is what its first marker says: a macro is marked as the file that defines it, where it is used.
    opaque_ = is_system_file_.try_emplace(file_, system_).first->second;
    line_ = static_cast<int>(number) - 1;  // the newline after the marker is still to come
  }

  bool is_of_library(const std::string& file) const {
    return std::any_of(libraries_.begin(), libraries_.end(),
                       [&](const std::string& folder) { return file.starts_with(folder); });
  }

  // What is in a system header is left as it is, so it is one token up to the next marker.
  void system_text() {
    const std::size_t end = source_.text.find("\n#", at_);
    emit(Token::Kind::directive, end == std::string::npos ? source_.text.size() : end + 1);
  }

  void name() {
    std::size_t end = at_;
    while (end < source_.text.size() && continues_name(source_.text[end])) ++end;
    const std::string_view text = std::string_view(source_.text).substr(at_, end - at_);
    const char after = end < source_.text.size() ? source_.text[end] : '\0';
    if (after == '"' || after == '\'') {
      if (text == "R" || text == "u8R" || text == "uR" || text == "UR" || text == "LR")
        return raw_string(end);
      if (text == "u8" || text == "u" || text == "U" || text == "L") return quoted(after, end);
    }
    emit(Token::Kind::identifier, end);
  }

  void number() {
    std::size_t end = at_ + 1;
    while (end < source_.text.size()) {
      const char c = source_.text[end], before = source_.text[end - 1];
      const bool exponent =
          (c == '+' || c == '-') && (before == 'e' || before == 'E' || before == 'p' || before == 'P');
      const bool separator =
          c == '\'' && end + 1 < source_.text.size() && continues_name(source_.text[end + 1]);
      if (!continues_name(c) && c != '.' && !exponent && !separator) break;
      ++end;
    }
    emit(Token::Kind::number, end);
  }

  void quoted(char quote, std::size_t open) {
    std::size_t end = open + 1;
    while (end < source_.text.size() && source_.text[end] != quote && source_.text[end] != '\n')
      end += source_.text[end] == '\\' ? 2 : 1;
    if (end >= source_.text.size() || source_.text[end] != quote) fail("unterminated literal");
    emit(Token::Kind::literal, end + 1);
  }

  void raw_string(std::size_t open) {
    const std::size_t paren = source_.text.find('(', open);
    if (paren == std::string::npos) fail("unterminated raw string");
    const std::string close = ")" + source_.text.substr(open + 1, paren - open - 1) + "\"";
    const std::size_t end = source_.text.find(close, paren);
    if (end == std::string::npos) fail("unterminated raw string");
    emit(Token::Kind::literal, end + close.size());
  }

  void pair_brackets() {
    std::vector<int> open;
    for (int i = 0; i < static_cast<int>(source_.tokens.size()); ++i) {
      Token& token = source_.tokens[static_cast<std::size_t>(i)];
      if (token.kind != Token::Kind::punctuation) continue;
      const char c = token.text[0];
      if (c == '(' || c == '[' || c == '{') open.push_back(i);
      if (c != ')' && c != ']' && c != '}') continue;
      const char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
      if (open.empty() || source_.tokens[static_cast<std::size_t>(open.back())].text[0] != wanted) {
        line_ = token.line;
        file_ = token.file;
        if (open.empty()) fail(std::string("unbalanced '") + c + "'");
        const Token& other = source_.tokens[static_cast<std::size_t>(open.back())];
        fail(std::string("'") + c + "', while the '" + std::string(other.text) + "' of line " +
             std::to_string(other.line) + " is still open");
      }
      token.partner = open.back();
      source_.tokens[static_cast<std::size_t>(open.back())].partner = i;
      open.pop_back();
    }
    if (open.empty()) return;
    line_ = source_.tokens[static_cast<std::size_t>(open.back())].line;
    file_ = source_.tokens[static_cast<std::size_t>(open.back())].file;
    fail(std::string("'") + std::string(source_.tokens[static_cast<std::size_t>(open.back())].text) +
         "' is never closed");
  }

  [[noreturn]] void fail(const std::string& what) const {
    const std::string& file = source_.files[static_cast<std::size_t>(file_)];
    throw std::runtime_error(file + ":" + std::to_string(line_) + ": error: " + what);
  }

  Source source_;
  const std::vector<std::string>& libraries_;
  Files system_headers_with_cuda_;
  std::size_t at_ = 0;
  int line_ = 1;
  int file_ = 0;
  bool system_ = false, opaque_ = false;
  std::map<int, bool> is_system_file_;
  bool at_line_start_ = true;
};

bool is_blank(const Token& token) {
  return token.kind == Token::Kind::space || token.kind == Token::Kind::directive;
}

}  // namespace

int Source::next(int i) const {
  for (; i < static_cast<int>(tokens.size()); ++i)
    if (!is_blank(tokens[static_cast<std::size_t>(i)])) return i;
  return -1;
}

int Source::previous(int i) const {
  for (; i >= 0; --i)
    if (!is_blank(tokens[static_cast<std::size_t>(i)])) return i;
  return -1;
}

const Token& Source::at(int i) const {
  if (i < 0 || i >= static_cast<int>(tokens.size())) {
    if (tokens.empty()) throw std::runtime_error("error: there is no code");
    fail(i < 0 ? 0 : static_cast<int>(tokens.size()) - 1, "the code breaks off in the middle of something");
  }
  return tokens[static_cast<std::size_t>(i)];
}

std::string Source::text_of(int first, int last) const {
  std::string out;
  for (int i = first; i <= last; ++i) {
    const Token& token = at(i);
    if (token.kind == Token::Kind::space)
      out += ' ';
    else if (token.kind != Token::Kind::directive)
      out += token.text;
  }
  return out;
}

void Source::fail(int i, const std::string& what) const {
  const Token& token = at(i);
  throw std::runtime_error(files[static_cast<std::size_t>(token.file)] + ":" + std::to_string(token.line) +
                           ": error: " + what);
}

Source tokenize(std::string text, const std::vector<std::string>& libraries) {
  return Tokenizer(std::move(text), libraries).run();
}

}  // namespace warplab::translator
