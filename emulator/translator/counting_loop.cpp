#include "emulator/translator/counting_loop.hpp"

#include <algorithm>
#include <string_view>

#include "emulator/translator/code/scope.hpp"
#include "emulator/translator/code/statement_ends.hpp"

namespace warplab::translator {
namespace {

class CountingLoopReader : private TokenReader {
 public:
  CountingLoopReader(const Source& source, const Function& function, const DeviceCode& code,
                     const KnownNames& known, int keyword)
      : TokenReader(source), function_(function), code_(code), known_(known), keyword_(keyword) {}

  std::optional<LoopHead> run() {
    if (is_in_loop() || !find_parts()) return std::nullopt;
    const bool is_before = is_double(condition_.begin);
    head_.name = is_before ? next(condition_.begin + 1) : condition_.begin;
    head_.variable = at(head_.name).text;
    if (!at(head_.name).is_name() || !is_own_variable() || !find_change() || !read_step())
      return std::nullopt;
    const bool is_after = is_double(next(head_.name));
    if (!read_test(is_after ? next(next(head_.name) + 1) : next(head_.name))) return std::nullopt;
    if (is_before && !is_do()) head_.steps_ahead = 1;
    if (is_after && is_do()) head_.steps_ahead = -1;
    head_.starts_at_constant = has_constant(keyword_);
    return head_;
  }

 private:
  bool is_do() const { return at(keyword_).is("do"); }

  // Whether token i begins `++` or `--`.
  bool is_double(int i) const { return (at(i).is("+") || at(i).is("-")) && at(i + 1).is(at(i).text); }

  // The first token from i to before `end` that is one of those; what is in brackets is passed over.
  int find(int i, int end, std::string_view words) const {
    while (i < end && !at(i).is_one_of(words)) i = next(at(i).partner > i ? at(i).partner : i);
    return i;
  }

  bool is_in_loop() const {
    for (int i = next(function_.body_open); i < keyword_; i = next(i))
      if (at(i).is_one_of(" for while do ") && last_of_statement(source_, i) > keyword_) return true;
    return false;
  }

  bool find_parts() {
    const int last = last_of_statement(source_, keyword_);
    if (last < 0) return false;
    last_ = last;
    const int open = is_do() ? at(previous(last)).partner : next(keyword_), close = at(open).partner;
    condition_ = {next(open), close};
    head_.body = is_do() ? next(keyword_) : next(close);
    body_end_ = is_do() ? previous(open) : last;
    if (!at(keyword_).is("for")) return true;
    const int first = find(next(open), close, " ; "), second = find(next(first), close, " ; ");
    if (first != next(open) || second >= close) return false;
    condition_ = {next(first), second};
    return true;
  }

  // A variable of the function, that only its name stands for.
  bool is_own_variable() {
    const int declaration = local_declaration(source_, keyword_, head_.variable);
    if (declaration < 0) return false;
    for (int i = previous(declaration); i > 0 && !at(i).is_one_of(" ; { } ( , "); i = previous(i))
      if (at(i).is_one_of(" __shared__ volatile static & ")) return false;
    head_.is_pointer = is_pointer(declaration);
    for (int i = function_.body_open; i < function_.body_close; i = next(i)) {
      if (at(i).is("[") && at(next(i)).is("&")) return false;  // a lambda that may change it
      if (at(i).is(head_.variable) && !is_member(i) && is_handed_out(i)) return false;
    }
    return true;
  }

  bool is_pointer(int declaration) const {
    if (declaration < 0) return false;
    int left = previous(declaration);
    while (at(left).is_one_of(" const __restrict__ __restrict ")) left = previous(left);
    return at(left).is("*");
  }

  bool is_member(int i) const {
    const int left = previous(i);
    return at(left).is(".") || (at(left).is(">") && at(left - 1).is("-"));
  }

  // `&n`, `int& m = n`, an assembler's "r"(n), and an argument of a function that takes a reference.
  bool is_handed_out(int i) const {
    const int left = previous(i), before = previous(left);
    if (at(left).is("&") && !at(left - 1).is("&")) {
      const bool is_and =
          at(before).is_name() || at(before).is_one_of(" ) ] ") || at(before).kind == Token::Kind::number;
      return !is_and || (at(before).is(")") && at(previous(before)).is("*"));  // a cast
    }
    if (at(left).is("=") && at(previous(before)).is("&")) return true;
    if (at(left).is("(") && at(before).kind == Token::Kind::literal) return true;
    if (!at(left).is_one_of(" ( , ") || !at(next(i)).is_one_of(" ) , ")) return false;
    const int close = find(i, function_.body_close, " ) ");
    return close < function_.body_close && takes_references(previous(at(close).partner));
  }

  bool takes_references(int name) const {
    const auto called = std::ranges::find(code_.functions, at(name).text, &Function::name);
    if (called == code_.functions.end()) return false;
    for (int i = declaration_start(source_, called->body_open); i < called->body_open; i = next(i))
      if (at(i).is("&")) return true;
    return false;
  }

  // Where the loop changes the variable: once, in every iteration.
  bool find_change() {
    for (int i = next(keyword_); i <= last_; i = next(i)) {
      if (!at(i).is(head_.variable)) continue;
      if (is_member(i)) return false;
      if (!is_changed(source_, i)) continue;
      if (head_.changed >= 0) return false;
      head_.changed = i;
    }
    if (head_.changed < head_.body || head_.changed > body_end_) return head_.changed >= 0;
    for (int i = head_.body; i <= body_end_; i = next(i))
      if (at(i).is("continue")) return false;
    return is_always_done(head_.changed);
  }

  // Whether a token of the body is in one of its own statements, and no condition decides about it.
  bool is_always_done(int i) const {
    int first = head_.body, end = body_end_;
    if (at(first).is("{"))
      for (end = first; end < i; end = last_of_statement(source_, first))
        if (first = next(end); end < 0 || first > i) return false;
    if (end < 0 || at(first).is_one_of(" { if for while do switch ")) return false;
    for (int j = first; j <= end; j = next(j)) {
      if (at(j).is_one_of(" case default { ? : and or ")) return false;
      if ((at(j).is("&") || at(j).is("|")) && at(j + 1).is(at(j).text)) return false;
    }
    return true;
  }

  // `++i`, `i++`, `i += step`
  bool read_step() {
    const int i = head_.changed, after = next(i), before = previous(i) - 1;
    const bool is_after = is_double(after), is_before = !is_after && is_double(before);
    goes_down_ = at(is_before ? before : after).is("-");
    if (is_after || is_before) return true;
    if (!(at(after).is("+") || at(after).is("-")) || !at(after + 1).is("=")) return false;
    if (condition_.begin <= i && i < condition_.end) return false;
    head_.step = {next(after + 1), find(next(after + 1), last_, " , ; ) ")};
    return true;
  }

  // What is after the variable: `< to`, or nothing.
  bool read_test(int sign) {
    if (sign >= condition_.end) {
      head_.is_unequal = true;
    } else if (!read_condition(source_, sign, condition_.end, head_)) {
      return false;
    }
    if (head_.is_unequal)
      head_.goes_down = goes_down_;
    else if (head_.goes_down != goes_down_)
      return false;
    if (!head_.is_pointer) return true;
    // nvcc does not know whether a pointer steps over the end.
    const int end = head_.to.begin;
    return head_.is_unequal && head_.step.is_empty() && !head_.to.is_empty() && next(end) == head_.to.end &&
           at(end).is_name() && is_pointer(local_declaration(source_, keyword_, at(end).text));
  }

  // Whether the variable has got a constant by the last statement before the loop that changes it.
  bool has_constant(int i) const {
    for (i = previous(i); i > function_.body_open; i = previous(i)) {
      if (at(i).is_one_of(" } ) ] ")) {
        for (int j = at(i).partner; j < i; j = next(j))
          if (at(j).is(head_.variable) && is_changed(source_, j)) return false;
        i = at(i).partner;
      } else if (at(i).is(head_.variable) && is_changed(source_, i)) {
        const int equals = next(i);
        const bool declares = local_declaration(source_, keyword_, head_.variable) == i;
        if (!at(equals).is("=") || !(declares || at(previous(i)).is_one_of(" ; { } "))) return false;
        return known_.is_known(next(equals), previous(find(equals, keyword_, " , ; ")));
      }
    }
    return false;
  }

  const Function& function_;
  const DeviceCode& code_;
  const KnownNames& known_;
  int keyword_;
  int body_end_ = 0, last_ = 0;  ///< tokens: of the body, and of all
  TokenRange condition_;
  bool goes_down_ = false;
  LoopHead head_{};
};

}  // namespace

std::optional<LoopHead> read_counting_loop(const Source& source, const Function& function,
                                           const DeviceCode& code, const KnownNames& known, int keyword) {
  return CountingLoopReader(source, function, code, known, keyword).run();
}

}  // namespace warplab::translator
