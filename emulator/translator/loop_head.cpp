#include "emulator/translator/loop_head.hpp"

#include <algorithm>

namespace warplab::translator {
namespace {

class HeadReader : private TokenReader {
 public:
  HeadReader(const Source& source, int keyword)
      : TokenReader(source), open_(source.next(keyword + 1)), close_(source.at(open_).partner) {}

  std::optional<LoopHead> run() {
    const int equals = find(next(open_), "="), first = find(equals, ";"), second = find(next(first), ";");
    if (equals >= first || second >= close_) return std::nullopt;
    head_.name = source_.previous(equals - 1);
    if (!at(head_.name).is_name()) return std::nullopt;
    head_.variable = at(head_.name).text;
    head_.type = {next(open_), head_.name};
    head_.from = {next(equals), std::min(find(next(equals), ","), first)};
    if (at(head_.from.end).is(",")) {
      const int other = next(next(head_.from.end));
      head_.counts_beside = at(other).is("=") && at(next(other)).kind == Token::Kind::number;
    }
    head_.body = next(close_);
    const int compared = next(first);
    if (!at(compared).is(head_.variable) || !read_condition(source_, next(compared), second, head_) ||
        !read_steps(next(second)))
      return std::nullopt;
    return head_;
  }

 private:
  // The first token from i on that is `what`, or `close_`; what is in brackets is passed over.
  int find(int i, std::string_view what) const {
    while (i < close_ && !at(i).is(what)) i = next(at(i).partner > i ? at(i).partner : i);
    return i;
  }

  // `++i`, `i++`, `i += step`, with others beside it.
  bool read_steps(int begin) {
    const auto is_sign = [&](int i) { return at(i).is("+") || at(i).is("-"); };
    const auto is_double = [&](int i) { return is_sign(i) && at(i + 1).is(at(i).text); };
    for (int end = begin; begin < close_; begin = next(end)) {
      end = find(begin, ",");
      const int second = next(begin);
      const bool is_before = is_double(begin) && at(next(second)).is(head_.variable);
      if (!is_before && !(at(begin).is(head_.variable) && is_sign(second))) continue;
      const int sign = is_before ? begin : second;
      if (at(sign + 1).is("="))
        head_.step = {next(sign + 1), end};
      else if (!is_double(sign))
        return false;
      if (head_.is_unequal) head_.goes_down = at(sign).is("-");
      return head_.goes_down == at(sign).is("-");
    }
    return false;
  }

  int open_, close_;
  LoopHead head_{};
};

}  // namespace

std::optional<LoopHead> read_loop_head(const Source& source, int keyword) {
  return HeadReader(source, keyword).run();
}

bool read_condition(const Source& source, int sign, int end, LoopHead& head) {
  const auto is = [&](const char* text) { return source.at(sign).is(text); };
  const bool has_equals = source.at(sign + 1).is("=");
  head.is_unequal = is("!") && has_equals;
  head.reaches_end = has_equals && !head.is_unequal;
  head.goes_down = is(">");
  head.to = {source.next((has_equals ? sign + 1 : sign) + 1), end};
  const bool is_shift = source.at(sign + 1).is(source.at(sign).text);
  return ((is("<") || is(">")) && !is_shift) || head.is_unequal;
}

bool is_changed(const Source& source, int i) {
  const int after = source.next(i + 1), before = source.previous(i - 1);
  const auto at = [&](int j) -> const Token& { return source.at(j); };
  const auto is_double = [&](int j, std::string_view sign) { return at(j).is(sign) && at(j + 1).is(sign); };
  static constexpr std::string_view operators = "+-*/%&|^";
  if (at(after).is("=")) return !at(after + 1).is("=");
  if (operators.find(at(after).text[0]) != std::string_view::npos && at(after + 1).is("=")) return true;
  if (is_double(after, "<") || is_double(after, ">")) return at(after + 2).is("=");
  return is_double(after, "+") || is_double(after, "-") || is_double(before - 1, "+") ||
         is_double(before - 1, "-");
}

}  // namespace warplab::translator
