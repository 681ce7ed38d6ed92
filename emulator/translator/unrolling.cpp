#include "emulator/translator/unrolling.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "emulator/translator/code/scope.hpp"
#include "emulator/translator/code/statement_ends.hpp"
#include "emulator/translator/loop_head.hpp"

namespace warplab::translator {
namespace {

class LoopReader : private TokenReader {
 public:
  LoopReader(const Source& source, const KnownNames& known, int keyword, int end,
             const std::string& known_iterations)
      : TokenReader(source),
        known_(known),
        keyword_(keyword),
        end_(end),
        known_iterations_(known_iterations) {}

  std::string run() const {
    const std::optional<std::string> by = known_.asked_unrolling(keyword_);
    const std::string otherwise = unless_asked_by_number(by.has_value());
    return by && !by->empty() ? "lens_unrolling_by(" + *by + ", ::warplab::emulator::" + otherwise + ")"
                              : otherwise;
  }

 private:
  std::string unless_asked_by_number(bool asked) const {
    const Unrolling unrolling = known_.unrolling(keyword_);
    if (unrolling == Unrolling::none || has_unknown_stride()) return "LensUnrolling::none";
    if (asked)
      return unrolling == Unrolling::whole ? "LensUnrolling::whole"
                                           : "lens_unrolling_asked(" + known_iterations_ + ")";
    const int body = next(at(next(keyword_)).partner);
    return "lens_unrolling(" + (unrolling == Unrolling::whole ? iterations(keyword_) : known_iterations_) +
           ", " + statements(body, end_) + ")";
  }

  // Whether an index of an array whose place the compiler knows has a product like `row * width`, neither of
  // which it knows: then it does not know how elements are aligned.
  bool has_unknown_stride() const {
    for (int i = next(keyword_); i < end_; i = next(i)) {
      if (!known_.is_placed_array(i)) continue;
      for (int open = next(i); at(open).is("["); open = next(at(open).partner))
        for (int j = next(open); j < at(open).partner; j = next(j))
          if (at(j).is("*") && !is_known_factor(next(j)) && !is_known_first_factor(source_.previous(j - 1)))
            return true;
    }
    return false;
  }

  // A number, a name or an expression in parentheses, one end of which is token i.
  bool is_known_factor(int i) const {
    if (at(i).kind == Token::Kind::number) return true;
    if (!at(i).is("(") && !at(i).is(")")) return at(i).is_name() && known_.is_constant(i);
    for (int j = std::min(i, at(i).partner); j < std::max(i, at(i).partner); j = next(j))
      if (at(j).is_name() && !known_.is_constant(j)) return false;
    return true;
  }

  // The 4 of `4 * n`, but not that of `i / 4 * n`, by which n is not multiplied.
  bool is_known_first_factor(int i) const {
    const int left = source_.previous(std::min(i, at(i).partner >= 0 ? at(i).partner : i) - 1);
    return !at(left).is("/") && !at(left).is("%") && is_known_factor(i);
  }

  // What one iteration does, counted as statements and elements of such arrays.
  std::string statements(int first, int last) const {
    int number = 0;
    std::string of_loops;
    for (int i = first; i >= 0 && i <= last; i = next(i)) {
      if (at(i).is("for") && known_.unrolling(i) == Unrolling::whole) {
        const int close = at(next(i)).partner, body = close < 0 ? close : next(close);
        const int end = body < 0 ? body : last_of_statement(source_, body);
        if (end < 0) break;
        of_loops += " + " + iterations(i) + " * (" + statements(body, end) + ")";
        i = end;
      } else {
        number += at(i).is(";") || (known_.is_placed_array(i) && at(next(i)).is("["));
        if (at(next(i)).is("(")) number += statements_of_function(at(i));
      }
    }
    return std::to_string(number) + of_loops;
  }

  // Functions of the mathematical library are inlined, and some are long.
  static int statements_of_function(const Token& name) {
    static constexpr std::string_view very_long =
        " pow powf sin sinf cos cosf tan tanf sincos sincosf atan2 atan2f lgamma lgammaf tgamma tgammaf ";
    static constexpr std::string_view quite_long =
        " exp expf exp2 exp10 log logf log2 log2f log10 log10f erf erff erfc tanh tanhf fmod fmodf cbrt "
        "cbrtf ";
    if (name.is_one_of(very_long)) return 100;
    return name.is_one_of(quite_long) ? 20 : 0;
  }

  // Of a loop like `for (int i = 0; i < n; i += 2)`, where all of it is known before the outermost loop.
  // Others count once.
  std::string iterations(int loop) const {
    const std::optional<LoopHead> head = read_loop_head(source_, loop);
    if (!head) return "1";
    const std::string from = value(head->from), to = value(head->to),
                      step = head->step.is_empty() ? "1" : value(head->step);
    if (from.empty() || to.empty() || step.empty()) return "1";
    return "::warplab::emulator::lens_iterations(" + from + ", " + to + ", " + step +
           (head->reaches_end ? ", true)" : ", false)");
  }

  // The text of a constant, if the outermost loop sees its names.
  std::string value(const TokenRange& range) const {
    for (int i = range.begin; i < range.end; i = next(i)) {
      if (at(i).is(",") || at(i).is("&")) return "";
      if (!at(i).is_name()) continue;
      if (!known_.is_constant(i) || local_declaration(source_, i, at(i).text) > keyword_) return "";
    }
    return range.is_empty() ? "" : source_.text_of(range.begin, source_.previous(range.end - 1));
  }

  const KnownNames& known_;
  int keyword_, end_;
  const std::string& known_iterations_;
};

}  // namespace

std::string unrolling_expression(const Source& source, const KnownNames& known, int keyword, int end,
                                 const std::string& known_iterations) {
  return "::warplab::emulator::" + LoopReader(source, known, keyword, end, known_iterations).run();
}

}  // namespace warplab::translator
