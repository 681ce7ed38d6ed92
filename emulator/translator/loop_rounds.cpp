#include "emulator/translator/loop_rounds.hpp"

#include <optional>
#include <string_view>

#include "emulator/translator/code/scope.hpp"
#include "emulator/translator/code/statement_ends.hpp"
#include "emulator/translator/counting_loop.hpp"
#include "emulator/translator/loop_body.hpp"
#include "emulator/translator/loop_head.hpp"

namespace warplab::translator {
namespace {

class RoundsWriter : private TokenReader {
 public:
  RoundsWriter(const Source& source, const KnownNames& known, const Edits& edits, const LoopHead& head,
               int keyword, int end)
      : TokenReader(source), known_(known), edits_(edits), head_(head), keyword_(keyword), end_(end) {}

  /// @param asked what KnownNames::asked_unrolling says
  std::string run(const LoopBody& body, const std::optional<std::string>& asked) const {
    const std::string from = first_value(), to = last_value(),
                      step = head_.step.is_empty() ? "1" : value(head_.step);
    if (from.empty() || to.empty() || step.empty()) return "";
    const std::string r = runtime;
    const std::string counts_by_integer = head_.counts_beside ? "true"
                                          : body.accumulators.empty()
                                              ? "false"
                                              : r + "lens_any_integer<" + body.accumulators + ">";
    const auto flag = [](bool is_set) { return is_set ? "true, " : "false, "; };
    return r + "lens_rounds(" + cast_of_variable() + "(" + from + "), (" + to + "), (" + step + "), " + r +
           "LensHead{" + flag(head_.reaches_end) + flag(head_.goes_down) +
           flag(head_.from.is_empty() ? head_.starts_at_constant : is_constant(head_.from)) +
           flag(is_constant(head_.step)) + counts_by_integer +
           (is_constant(head_.to) ? ", true" : ", false") + (at(keyword_).is("do") ? ", true" : ", false") +
           "}, " + r + "LensIteration{" + std::to_string(body.instructions) + ", " +
           std::to_string(body.machine_code) + "}, " +
           (!asked           ? "-1"
            : asked->empty() ? "0"
                             : "static_cast<int>(" + *asked + ")") +
           ")";
  }

  std::string known_iterations() const {
    const std::string from = value(head_.from), to = value(head_.to),
                      step = head_.step.is_empty() ? "1" : value(head_.step);
    if (from.empty() || to.empty() || step.empty()) return "0";
    return std::string(runtime) + "lens_known_iterations(" + cast_of_variable() + "(" + from + "), (" + to +
           "), (" + step + (head_.reaches_end ? "), true)" : "), false)");
  }

 private:
  std::string first_value() const {
    if (!head_.from.is_empty()) return value(head_.from);
    if (head_.is_pointer) return "0";  // and it ends at the distance
    const bool is_less = head_.goes_down == (head_.steps_ahead > 0);
    return std::string(head_.variable) + (head_.steps_ahead == 0 ? "" : is_less ? " - 1" : " + 1");
  }
  std::string last_value() const {
    if (head_.to.is_empty()) return "0";  // `while (n)`
    const std::string to = value(head_.to);
    return head_.is_pointer && !to.empty() ? to + " - " + std::string(head_.variable) : to;
  }

  std::string cast_of_variable() const {
    if (head_.is_pointer) return "static_cast<long long>";
    if (head_.type.is_empty())
      return "static_cast<std::remove_reference_t<decltype(" + std::string(head_.variable) + ")>>";
    std::string type;
    for (int i = head_.type.begin; i < head_.type.end; i = next(i)) {
      if (at(i).is("auto")) return "";
      if (at(i).is_one_of(" const constexpr register static ")) continue;
      if (at(i).is_name() && at(previous(i)).is_name()) type += " ";  // `unsigned int`
      type += at(i).text;
    }
    return "static_cast<" + type + ">";
  }

  bool is_constant(const TokenRange& range) const {
    return range.is_empty() || known_.is_known(range.begin, previous(range.end));
  }

  // An expression that can be taken before the loop without anybody seeing it: of numbers, and of variables
  // in registers that the loop leaves alone. "" if it is not one.
  std::string value(const TokenRange& range) const {
    std::string text;
    for (int i = range.begin; i < range.end; ++i) {
      const Token& token = at(i);
      const bool is_plain = token.kind == Token::Kind::space || token.kind == Token::Kind::number ||
                            (token.is_name() ? is_plain_name(i) : is_plain_sign(i, range.begin));
      if (!is_plain) return "";
      if (token.kind == Token::Kind::space)
        text += ' ';
      else
        text += edits_.is_erased(i) ? edits_.after(i) : std::string(token.text);  // a name of the hardware
    }
    return text;
  }

  bool is_plain_sign(int i, int first) const {
    if (at(i).kind != Token::Kind::punctuation || !at(i).is_one_of(" + - * / % ( ) . : < > , { } "))
      return false;
    if ((at(i).is("+") || at(i).is("-")) && at(i + 1).is(at(i).text)) return false;
    if (at(i).is(">") && at(i - 1).is("-")) return false;
    if (!at(i).is("*")) return true;
    const Token& left = at(previous(i));  // else it is what a pointer points to
    return i != first && (left.is_name() || left.is(")") || left.is("}") || left.kind == Token::Kind::number);
  }

  bool is_plain_name(int i) const {
    static constexpr std::string_view words =
        " threadIdx blockIdx blockDim gridDim warpSize static_cast int unsigned long short char size_t std "
        "ptrdiff_t int32_t int64_t uint32_t uint64_t min max const ";
    const int after = next(i), before = previous(i);
    if (at(i).is_one_of(words)) return true;
    if (at(before).is(".")) return !at(after).is("(");
    if (at(after).is(":") && at(after + 1).is(":")) return true;
    if (at(after).is("(") || at(i).is(head_.variable) || changes(i)) return false;
    const int declaration = local_declaration(source_, keyword_, at(i).text);
    if (declaration < 0)
      return known_.is_constant(i) || at(before).is(":") ||
             (at(before).is("(") && at(after).is(")"));  // a cast
    for (int j = declaration; j > 0 && !at(j).is_one_of(" ; { } ( , "); j = previous(j))
      if (at(j).is("__shared__") || at(j).is("volatile") || at(j).is("&")) return false;
    return true;
  }

  // Whether the loop changes the variable of that name.
  bool changes(int name) const {
    for (int i = next(keyword_); i <= end_; i = next(i))
      if (at(i).is(at(name).text) && !at(previous(i)).is(".") && is_changed(source_, i)) return true;
    return false;
  }

  const KnownNames& known_;
  const Edits& edits_;
  const LoopHead& head_;
  int keyword_, end_;
};

}  // namespace

std::string rounds_expression(const Source& source, const Function& function, const DeviceCode& code,
                              const KnownNames& known, const Edits& edits, int keyword, int end) {
  const std::optional<std::string> asked = known.asked_unrolling(keyword);
  std::optional<LoopHead> head;
  if (source.at(keyword).is("for")) head = read_loop_head(source, keyword);
  if (!head) head = read_counting_loop(source, function, code, known, keyword);
  if (asked == "1" || !head) return "";
  const std::optional<LoopBody> body = read_loop_body(source, function, code, known, *head, keyword, end);
  const int last = last_of_statement(source, keyword);
  return body ? RoundsWriter(source, known, edits, *head, keyword, last).run(*body, asked) : "";
}

std::string known_iterations_expression(const Source& source, const KnownNames& known, const Edits& edits,
                                        int keyword, int end) {
  const std::optional<LoopHead> head = read_loop_head(source, keyword);
  return head ? RoundsWriter(source, known, edits, *head, keyword, end).known_iterations() : "0";
}

}  // namespace warplab::translator
