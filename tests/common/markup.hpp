#pragma once

#include <cctype>
#include <string>
#include <vector>

namespace warplab {

/// Why a text is not well-formed XML (after its doctype), or "" if it is: tags that nest, attributes in
/// quotes, no bare '&' or '<', no control characters.
inline std::string malformed(const std::string& text) {
  const std::string doctype = "<!DOCTYPE html>\n";
  std::size_t at = text.starts_with(doctype) ? doctype.size() : 0;
  std::vector<std::string> open;
  const auto where = [&] { return " near '" + text.substr(at, 60) + "'"; };
  while (at < text.size()) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n') return "a control character" + where();
    if (c == '&') {
      const std::size_t end = text.find(';', at);
      if (end == std::string::npos || end - at > 8) return "a bare &" + where();
      const std::string name = text.substr(at + 1, end - at - 1);
      if (name[0] != '#' && name != "amp" && name != "lt" && name != "gt" && name != "quot")
        return "unknown " + name;
      at = end + 1;
      continue;
    }
    if (c != '<') {
      ++at;
      continue;
    }
    const bool closes = text[at + 1] == '/';
    std::size_t i = at + 1 + closes;
    const std::size_t name_begin = i;
    while (i < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '-' || text[i] == ':'))
      ++i;
    const std::string name = text.substr(name_begin, i - name_begin);
    if (name.empty()) return "a bare <" + where();
    while (i < text.size() && text[i] != '>' && text[i] != '/') {
      if (std::isspace(static_cast<unsigned char>(text[i]))) {
        ++i;
        continue;
      }
      const std::size_t equals = text.find('=', i);
      if (equals == std::string::npos) return "an attribute without a value" + where();
      i = equals + 1;
      while (i < text.size() && text[i] == ' ') ++i;
      const char quote = text[i];
      if (quote != '"' && quote != '\'') return "an attribute without quotes" + where();
      const std::size_t end = text.find(quote, i + 1);
      if (end == std::string::npos) return "an endless attribute" + where();
      if (text.substr(i + 1, end - i - 1).find('<') != std::string::npos)
        return "a < in an attribute" + where();
      i = end + 1;
    }
    const bool alone = i < text.size() && text[i] == '/';
    if (i + alone >= text.size() || text[i + alone] != '>') return "a tag without an end" + where();
    if (closes) {
      if (open.empty() || open.back() != name)
        return "</" + name + "> closes " + (open.empty() ? "nothing" : open.back()) + where();
      open.pop_back();
    } else if (!alone) {
      open.push_back(name);
    }
    at = i + alone + 1;
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

}  // namespace warplab
