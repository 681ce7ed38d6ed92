#include "grader/viva/what_if.hpp"

#include <algorithm>

#include "grader/text/tokens.hpp"

namespace warplab {
namespace {

class PartFinder {
 public:
  explicit PartFinder(std::string_view source) : source_(source), tokens_(tokens_of(source)) {}

  std::vector<WhatIf> parts() const {
    std::vector<WhatIf> found;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is(i, "__syncthreads")) add_barrier(i, found);
      if (is(i, "if") && is(i + 1, "(")) add_guard(i, found);
    }
    return found;
  }

 private:
  bool is(std::size_t i, std::string_view text) const {
    return i < tokens_.size() && tokens_[i].text == text;
  }
  /// A '=' that is not part of a comparison.
  bool is_assignment(std::size_t i) const {
    const std::size_t at = begin_of(i);
    const auto is_one_of = [&](std::size_t place, std::string_view signs) {
      return place < source_.size() && signs.find(source_[place]) != std::string_view::npos;
    };
    return is(i, "=") && !is_one_of(at - 1, "=<>!") && !is_one_of(at + 1, "=");
  }
  std::size_t begin_of(std::size_t i) const {
    return static_cast<std::size_t>(tokens_[i].text.data() - source_.data());
  }
  std::size_t end_of(std::size_t i) const { return begin_of(i) + tokens_[i].text.size(); }
  int line_of(std::size_t i) const {
    const auto begin = source_.begin();
    return 1 + static_cast<int>(std::count(begin, begin + static_cast<std::ptrdiff_t>(begin_of(i)), '\n'));
  }
  std::string_view between(std::size_t from, std::size_t to) const { return source_.substr(from, to - from); }

  /// The source with this between two places. Lines stay where they are.
  std::string replaced(std::size_t from, std::size_t to, std::string_view with) const {
    const std::string_view gone = between(from, to);
    std::string text(source_.substr(0, from));
    text += with;
    text.append(static_cast<std::size_t>(std::ranges::count(gone, '\n')), '\n');
    return text.append(source_.substr(to));
  }

  void add_barrier(std::size_t i, std::vector<WhatIf>& found) const {
    if (!is(i + 1, "(") || !is(i + 2, ")") || !is(i + 3, ";")) return;
    found.push_back({WhatIf::Part::barrier, line_of(i), "", replaced(begin_of(i), end_of(i + 2), "")});
  }

  void add_guard(std::size_t i, std::vector<WhatIf>& found) const {
    std::size_t depth = 0, last = i + 1;
    bool has_declaration = false;
    for (; last < tokens_.size(); ++last) {
      if (is(last, "(")) ++depth;
      if (is(last, ")") && --depth == 0) break;
      has_declaration |= is(last, ";") || is_assignment(last);
    }
    if (last + 1 >= tokens_.size() || last == i + 2 || has_declaration) return;
    const std::size_t after = is(last + 1, "{") ? last + 2 : last + 1;
    const bool leaves = is(after, "return") || is(after, "break") || is(after, "continue");
    const std::size_t from = end_of(i + 1), to = begin_of(last);
    found.push_back({WhatIf::Part::guard, line_of(i), std::string(between(from, to)),
                     replaced(from, to, leaves ? "false" : "true")});
  }

  std::string_view source_;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<WhatIf> what_ifs(std::string_view source) { return PartFinder(source).parts(); }

}  // namespace warplab
