#include "emulator/translator/loop_body.hpp"

#include <algorithm>
#include <string_view>

#include "emulator/translator/code/scope.hpp"
#include "emulator/translator/code/statement_ends.hpp"

namespace warplab::translator {
namespace {

class BodyReader : private TokenReader {
 public:
  BodyReader(const Source& source, const Function& function, const DeviceCode& code, const KnownNames& known,
             const LoopHead& head, int keyword)
      : TokenReader(source),
        function_(function),
        code_(code),
        known_(known),
        head_(head),
        keyword_(keyword) {}

  std::optional<LoopBody> run(int end) {
    const int first = head_.body;
    for (int i = first; i >= 0 && i <= end; i = next(i)) {
      if (at(i).is_one_of(" break return goto while do ")) return std::nullopt;
      if (at(i).is("for") && known_.unrolling(i) != Unrolling::whole) return std::nullopt;
      if (!at(i).is_name() || i == head_.changed || !is_changed(source_, i)) continue;
      if (at(i).is(head_.variable)) return std::nullopt;
      accumulator(i);
    }
    measure(first, end, 0);
    if (first <= head_.changed && head_.changed <= end) --sums_;  // the loop's own
    return LoopBody{instructions_ + sums_ + products_, machine_code(), accumulators_};
  }

 private:
  // Counts what tokens first to last are made of. @param depth of functions that they are in
  void measure(int first, int last, int depth) {
    for (int i = first; i >= 0 && i <= last; i = next(i)) {
      const Token& token = at(i);
      if (token.is("for") || token.is("while")) is_long_ = true;
      if (token.is("[")) {
        subscript(i, depth == 0);
        i = token.partner;
      } else if (token.is("+") || token.is("-")) {
        ++sums_;
        if (at(i + 1).is(token.text)) i = next(i);
      } else if (token.is("*") || token.is("/") || token.is("%")) {
        ++products_;
      } else if (token.is_one_of(" < > & | ^ ? ")) {
        ++instructions_;
        const bool is_double = at(i + 1).is(token.text);
        if (token.is("<") || token.is(">"))
          shifts_ += is_double;
        else if (!token.is("?") && !is_double)
          ++bitwise_;
        if (is_double) i = next(i);
      } else if (token.is_name() && at(next(i)).is("(")) {
        call(i, depth);
      }
    }
  }

  void subscript(int i, bool in_loop) {
    const int after = next(at(i).partner);
    const bool assigns = at(after).is("=") && !at(after + 1).is("=");
    const bool adds = at(after).is_one_of(" + - * ") && at(after + 1).is("=");
    instructions_ += 4;
    needs_products_ |= in_loop && !is_stepped_through(i);
    if (assigns || adds) ++stores_;
    if (assigns || (adds && !mentions_variable(i))) return;  // or it stays in a register
    ++loads_;
    if (!is_shared(previous(i))) ++loads_of_pointers_;
  }

  bool mentions_variable(int open) const {
    for (int i = next(open); i < at(open).partner; i = next(i))
      if (at(i).is(head_.variable)) return true;
    return false;
  }

  // Whether the address of `a[i]`, `a[first + i]`, `a[row * width + i]` grows by a step, so that it needs no
  // product of its own: unsigned numbers may wrap, and of `4 * i + first` nvcc steps through the index.
  bool is_stepped_through(int open) const {
    bool has_sum = false, has_multiple = false;
    for (int i = next(open); i < at(open).partner; i = next(i)) {
      if (at(i).is_one_of(" threadIdx blockIdx blockDim gridDim ") || is_unsigned(i)) return false;
      has_sum |= at(i).is("+") || at(i).is("-");
      if (at(i).is("*") && (is_multiple(previous(i), next(i)) || is_multiple(next(i), previous(i))))
        has_multiple = true;
    }
    return !has_sum || !has_multiple;
  }
  bool is_multiple(int name, int number) const {
    return at(name).is(head_.variable) && at(number).kind == Token::Kind::number && !at(number).is("2");
  }
  bool is_unsigned(int i) const {
    const int declaration = at(i).is_name() ? local_declaration(source_, i, at(i).text) : -1;
    return declaration >= 0 && at(previous(declaration)).is_one_of(" unsigned uint uint32_t ");
  }

  // Whether an array is in shared memory, or a pointer was made from one that is.
  bool is_shared(int name) const {
    const int declaration = local_declaration(source_, name, at(name).text);
    if (declaration < 0) return false;
    if (is_declared_shared(declaration)) return true;
    if (!at(next(declaration)).is("=")) return false;
    for (int i = next(declaration); i < keyword_ && !at(i).is(";"); i = next(i))
      if (at(i).is_name() && is_declared_shared(local_declaration(source_, i, at(i).text))) return true;
    return false;
  }
  bool is_declared_shared(int declaration) const {
    for (int i = declaration; i > 0 && !at(i).is_one_of(" ; { } "); i = previous(i))
      if (at(i).is("__shared__")) return true;
    return false;
  }

  // nvcc inlines functions: those of the file are measured, others are taken for long ones.
  void call(int i, int depth) {
    static constexpr std::string_view cheap =
        " __syncwarp min max fmin fmax fminf fmaxf abs fabs fabsf fma fmaf __fmaf_rn __mul24 static_cast if "
        "switch sizeof int float double unsigned ";
    static constexpr int deepest = 4, of_a_call = 8, of_a_load = 4;
    if (at(i).is_one_of(cheap)) return;
    if (at(i).is("__ldg")) {
      ++loads_;
      instructions_ += of_a_load;
      return;
    }
    const auto called = std::ranges::find(code_.functions, at(i).text, &Function::name);
    if (called != code_.functions.end() && !called->is_kernel && depth < deepest)
      return measure(next(called->body_open), previous(called->body_close), depth + 1);
    instructions_ += of_a_call;
    is_long_ = true;
  }

  // `T sum = Sum::identity();` before the loop, of a variable that it changes.
  void accumulator(int i) {
    const int declaration = local_declaration(source_, keyword_, at(i).text);
    if (declaration < 0 || declaration > keyword_ || !at(next(declaration)).is("=")) return;
    int j = next(next(declaration));
    for (; !at(j).is(";") && !at(j).is(","); j = next(j))
      if (at(j).is("[") ||
          (at(j).is_name() && !at(next(j)).is(":") && local_declaration(source_, j, at(j).text) >= 0))
        return;
    for (; j < keyword_; j = next(j)) {
      if (at(j).is(at(i).text) && is_changed(source_, j)) return;
      if (at(j).is_one_of(" for while do ") && last_of_statement(source_, j) > keyword_) return;
    }
    const std::string type = "decltype(" + std::string(at(i).text) + ")";
    if (accumulators_.find(type) != std::string::npos) return;
    accumulators_ += (accumulators_.empty() ? "" : ", ") + type;
  }

  // nvcc's assembler unrolls short loops again, if it steps through arrays by pointers. A store that may
  // change what is loaded next keeps it from that.
  int machine_code() const {
    constexpr int too_long = 1000;
    const bool may_overlap = stores_ > 0 && loads_of_pointers_ > 1 && !is_restricted(source_, function_);
    if (is_long_ || needs_products_ || may_overlap) return too_long;
    return 5 + 4 * (loads_ + stores_ + std::max(sums_, products_) + shifts_ + (bitwise_ + 1) / 2) +
           3 * stores_;
  }

  const Function& function_;
  const DeviceCode& code_;
  const KnownNames& known_;
  const LoopHead& head_;
  int keyword_;
  int instructions_ = 4;  // the loop's own
  int loads_ = 0, loads_of_pointers_ = 0, stores_ = 0, sums_ = 0, products_ = 0;
  int shifts_ = 0, bitwise_ = 0;
  bool needs_products_ = false, is_long_ = false;
  std::string accumulators_;
};

}  // namespace

std::optional<LoopBody> read_loop_body(const Source& source, const Function& function, const DeviceCode& code,
                                       const KnownNames& known, const LoopHead& head, int keyword, int end) {
  return BodyReader(source, function, code, known, head, keyword).run(end);
}

}  // namespace warplab::translator
