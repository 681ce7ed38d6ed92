#include "emulator/translator/code/edits.hpp"

namespace warplab::translator {

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + '"';
}

std::string line_marker(const Source& source, int i) {
  const Token& token = source.at(i);
  return "\n# " + std::to_string(token.line) + " " +
         quote(source.files[static_cast<std::size_t>(token.file)]) +
         (source.is_of_library(i) ? " 3\n" : "\n");
}

std::string place_of(const Source& source, int i) {
  const Token& token = source.at(i);
  return quote(source.files[static_cast<std::size_t>(token.file)]) + ", " + std::to_string(token.line);
}

void Edits::render(int first, int last, std::string& out) const {
  for (int i = first; i <= last; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Token& token = source_.tokens[k];
    out += before_[k];
    if (erased_[k]) {
      out.append(static_cast<std::size_t>(std::count(token.text.begin(), token.text.end(), '\n')), '\n');
    } else {
      if (begins_statement(i)) keep_column(i, out);
      out += token.text;
    }
    out += after_[k];
  }
}

bool Edits::begins_statement(int i) const {
  const Token& token = source_.at(i);
  if (token.kind == Token::Kind::space || token.kind == Token::Kind::directive || token.system) return false;
  const int left = source_.previous(i - 1);
  if (left < 0) return false;
  const Token& before = source_.at(left);
  return before.is(";") || before.is("{") || before.is("}");
}

void Edits::keep_column(int i, std::string& out) const {
  const auto column = [](const std::string& text, std::size_t at) {
    const std::size_t line = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    return line == std::string::npos ? at : at - line - 1;
  };
  const std::size_t wanted =
      column(source_.text, static_cast<std::size_t>(source_.at(i).text.data() - source_.text.data()));
  if (column(out, out.size()) != wanted) out += line_marker(source_, i) + std::string(wanted, ' ');
}

}  // namespace warplab::translator
