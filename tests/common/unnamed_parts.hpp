#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>

namespace warplab {

/// What a screen reader finds no name for in a page or a picture: pictures without a text alternative, tables
/// and their columns, form controls, links and boxes that keys can reach, and a page without a title or a
/// language. It reads what is well-formed (see markup.hpp).
class UnnamedParts {
 public:
  explicit UnnamedParts(const std::string& text) : text_(text) {}

  /// @return a line per part; "" if there is none
  std::string find() {
    while (read_tag())
      if (!is_named()) missing_ += "<" + name_ + " ...> at byte " + std::to_string(begin_) + "\n";
    return missing_;
  }

 private:
  /// Reads the next tag that opens an element. @return whether there is one
  bool read_tag() {
    do begin_ = text_.find('<', at_), at_ = begin_ + 1;
    while (begin_ != std::string::npos && !std::isalpha(static_cast<unsigned char>(text_[at_])));
    if (begin_ == std::string::npos) return false;
    const std::size_t end_of_name = text_.find_first_of(" \n/>", at_);
    name_ = text_.substr(at_, end_of_name - at_);
    attributes_.clear();
    for (at_ = end_of_name; text_[at_] != '>';) {
      if (std::isspace(static_cast<unsigned char>(text_[at_])) || text_[at_] == '/') {
        ++at_;
        continue;
      }
      const std::size_t equals = text_.find('=', at_), open = text_.find('"', equals),
                        close = text_.find('"', open + 1);
      attributes_[text_.substr(at_, equals - at_)] = text_.substr(open + 1, close - open - 1);
      at_ = close + 1;
    }
    ++at_;
    return true;
  }

  std::string attribute(const std::string& key) const {
    const auto found = attributes_.find(key);
    return found == attributes_.end() ? "" : found->second;
  }

  static bool holds_text(const std::string& markup) {
    bool in_tag = false;
    return std::ranges::any_of(markup, [&](unsigned char c) {
      if (c == '<' || c == '>') in_tag = c == '<';
      return c != '>' && !in_tag && !std::isspace(c);
    });
  }

  /// Whether there is text from a place on until the next end of such an element.
  bool has_text(std::size_t from, const std::string& element) const {
    return from != std::string::npos &&
           holds_text(text_.substr(from, text_.find("</" + element, from) - from));
  }

  bool has_child(const std::string& child) const {
    const std::size_t found = text_.find("<" + child, at_);
    return found < text_.find("</" + name_ + ">", at_) && has_text(found, child);
  }

  bool has_label() const {
    const std::string id = attribute("id");
    return !id.empty() && has_text(text_.find("<label for=\"" + id + "\">"), "label");
  }

  bool is_named() const {
    static const std::set<std::string> controls = {"input", "select", "textarea", "meter", "progress"},
                                       by_text = {"th", "button", "a", "summary", "caption"};
    if (name_ == "html") return !attribute("lang").empty() && has_child("title");
    if (attribute("aria-hidden") == "true" || holds_text(attribute("aria-label"))) return true;
    if (name_ == "img") return holds_text(attribute("alt"));
    if (name_ == "svg") return has_child("title");
    if (name_ == "table") return has_child("caption");
    if (controls.contains(name_)) return attribute("type") == "hidden" || has_label();
    if (by_text.contains(name_)) return has_text(at_, name_);
    return attribute("tabindex").empty();
  }

  const std::string& text_;
  std::size_t begin_ = 0, at_ = 0;  // of the tag, and after it
  std::string name_, missing_;
  std::map<std::string, std::string> attributes_;
};

inline std::string unnamed_parts(const std::string& text) { return UnnamedParts(text).find(); }

}  // namespace warplab
