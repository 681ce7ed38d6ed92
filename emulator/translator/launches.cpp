#include "emulator/translator/launches.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "emulator/translator/code/scope.hpp"
#include "emulator/translator/code/statement_ends.hpp"

namespace warplab::translator {
namespace {

class Rewriter : private TokenReader {
 public:
  Rewriter(const Source& source, const DeviceCode& code, Edits& edits)
      : TokenReader(source), code_(code), edits_(edits) {}

  void run() {
    const bool builds_graphs = std::any_of(source_.tokens.begin(), source_.tokens.end(), [](const Token& t) {
      return !t.system && (t.is("cudaKernelNodeParams") || t.is("cudaFuncGetName"));
    });
    for (int i = 0; i < count(); ++i) {
      if (at(i).system) continue;
      if (builds_graphs && code_.kernels.contains(std::string(at(i).text))) cast_kernel(i);
      if (const int opening = launch_opening(source_, i); opening >= 0)
        launch(i, opening);
      else if (const int position = kernel_position(at(i).text); position >= 0)
        launch_by_call(i, position);
    }
  }

 private:
  int count() const { return static_cast<int>(source_.tokens.size()); }

  // Three of `c` side by side from token i.
  bool is_triple(int i, char c) const {
    for (int k = 0; k < 3; ++k)
      if (i + k >= count() || at(i + k).kind != Token::Kind::punctuation || at(i + k).text[0] != c)
        return false;
    return true;
  }

  // The last token of `>>>` from token i, or of `>> >` where the launch began with `<< <`; else -1.
  int closing_of(int i, bool spaced) const {
    if (is_triple(i, '>')) return i + 2;
    if (!spaced || !at(i).is(">") || i + 1 >= count() || !at(i + 1).is(">")) return -1;
    const int third = source_.next(i + 2);
    return third >= 0 && at(third).is(">") && at(source_.next(third + 1)).is("(") ? third : -1;
  }

  // First token of the postfix expression that ends at token i: `ns::k<int>`, `kernels[3]`, `(*p)`.
  int expression_start(int i) const {
    for (;;) {
      if (at(i).is(">")) {
        int depth = 0;
        for (; i >= 0; --i) {
          if (at(i).is(")") || at(i).is("]") || at(i).is("}")) i = at(i).partner;
          if (at(i).is(">")) ++depth;
          if (at(i).is("<") && --depth == 0) break;
        }
        if (i < 0) return -1;
        i = source_.previous(i - 1);
      }
      while (i >= 0 && (at(i).is(")") || at(i).is("]"))) {
        const int open = at(i).partner;
        const int callee = source_.previous(open - 1);
        const bool has_arguments = callee > 0 && at(callee).is(">") && !at(callee - 1).is("-");
        if (callee < 0 ||
            !(at(callee).is_name() || at(callee).is(")") || at(callee).is("]") || has_arguments) ||
            at(callee).is("return") || at(callee).is("else") || at(callee).is("do") ||
            ends_head(source_, callee))
          return open;
        i = callee;
        if (at(i).is(">")) break;
      }
      if (i >= 0 && at(i).is(">")) continue;  // `get<1>(kernels)`
      if (i < 0 || !at(i).is_name()) return -1;
      int left = source_.previous(i - 1);
      if (left >= 0 && at(left).is("template")) left = source_.previous(left - 1);
      const bool scope = left > 0 && at(left).is(":") && at(left - 1).is(":");
      const bool arrow = left > 0 && at(left).is(">") && at(left - 1).is("-");
      if (!scope && !arrow && !(left >= 0 && at(left).is("."))) return i;
      const int start = scope || arrow ? left - 1 : left;
      const int owner = source_.previous(start - 1);
      if (owner < 0 ||
          !(at(owner).is_name() || at(owner).is(">") || at(owner).is(")") || at(owner).is("]")) ||
          at(owner).is("return") || at(owner).is("else") || at(owner).is("do"))
        return start;  // ::k
      i = owner;
    }
  }

  // Of the `<<<` at tokens open to opened.
  void launch(int open, int opened) {
    const int last = source_.previous(open - 1);
    if (last < 0) source_.fail(open, "'<<<' without a kernel before it");
    const int first = expression_start(last);
    if (first < 0) source_.fail(open, "can't tell which kernel this '<<<' launches");
    const bool spaced = opened > open + 2;
    int close = opened + 1;
    for (; close < count() && closing_of(close, spaced) < 0; ++close)
      if ((at(close).is("(") || at(close).is("[") || at(close).is("{")) && at(close).partner > 0)
        close = at(close).partner;
      else if (at(close).is(";"))
        source_.fail(open, "'<<<' without '>>>'");
    if (close >= count()) source_.fail(open, "'<<<' without '>>>'");
    while (is_triple(close, '>') && close + 3 < count() && at(close + 3).is(">"))
      ++close;  // `f<int>>>>`: the last three close the launch
    const int closed = closing_of(close, spaced);

    const std::string written = source_.text_of(first, last);
    const std::string expression = name_values(first, last, source_.next(closed + 1));
    const bool named = names_kernel(first, last);
    const bool defaults = named && code_.defaulting.contains(std::string(at(name_of(first, last)).text));
    edits_.before(first) += std::string(runtime) + (defaults ? "kernel_with_defaults(" : "kernel(");
    if (named) {
      edits_.before(first) += "[](auto warplab_f) -> decltype(warplab_f(" + expression +
                              ")) { return warplab_f(" + expression + "); }, [](auto&... warplab_x) { ";
      edits_.after(last) += "(warplab_x...); }";
    }
    edits_.erase(open, opened);
    edits_.after(opened) += ", " + quote(written) + ", " + place_of(source_, first) + ")" +
                            (is_shaped(first, last) ? ".asking_for_cluster()" : "") +
                            (source_.is_of_library(first) ? ".in_order()" : "") + ".configured(";
    edits_.erase(close, closed);
    edits_.after(closed) += ")";
  }

  // In `k<c.value>`, where c is a parameter of a generic lambda or a constant of a function, the value gets a
  // name of its own: the lambdas around the kernel could use the value, but would have to capture c.
  // @return the kernel's expression
  std::string name_values(int first, int last, int open) {
    if (!at(last).is(">") || open < 0 || !at(open).is("(")) return source_.text_of(first, last);
    std::string names;
    for (int begin = first; begin < last; begin = source_.next(begin + 1)) {
      const int next = source_.next(begin + 1);
      if (at(begin).is("decltype") || at(begin).is("sizeof") || at(begin).is("alignof"))
        begin = at(next).is("(") ? at(next).partner : next;  // these capture nothing
      if (!is_local_constant(begin)) continue;
      const int end = end_of_value(begin);
      const std::string name = "warplab_value_" + std::to_string(begin);
      names += "static constexpr auto " + name + " = " + source_.text_of(begin, end) + "; ";
      edits_.erase(begin, end);
      edits_.before(begin) += name;
    }
    if (names.empty()) return source_.text_of(first, last);
    std::string expression;
    edits_.render(first, last, expression);
    edits_.before(first).insert(0, "({ " + names);
    edits_.after(at(open).partner) += "; })";
    return expression;
  }

  // The last token of `c`, `c.value`, `c()`, `c.value()` or `c[1]`.
  int end_of_value(int i) const {
    for (int next = source_.next(i + 1); at(next).is(".") || at(next).is("(") || at(next).is("[");
         next = source_.next(i + 1))
      i = at(next).is(".") ? source_.next(next + 1) : at(next).partner;
    return i;
  }

  // Whether token i names a `constexpr` of a function, or a parameter that is declared as `auto`.
  bool is_local_constant(int i) const {
    const int left = source_.previous(i - 1);
    if (!at(i).is_name() || at(left).is(".") || at(left).is(":") || at(source_.next(i + 1)).is(":"))
      return false;
    const int declaration = local_declaration(source_, i, at(i).text);
    if (declaration < 0) return false;
    if (is_constexpr(source_, declaration)) return true;
    const int next = source_.next(declaration + 1);
    int type = source_.previous(declaration - 1);
    while (at(type).is("&") || at(type).is("const")) type = source_.previous(type - 1);
    return at(type).is("auto") && (at(next).is(",") || at(next).is(")"));
  }

  // Which argument of a launching function is the kernel; -1 for other names.
  static int kernel_position(std::string_view name) {
    if (name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel") return 0;
    if (name == "cudaGetFuncBySymbol" || name == "cudaFuncGetName") return 1;
    return name == "cudaLaunchKernelEx" || name == "cudaLaunchKernelExC" ? 1 : -1;
  }

  // Tokens first to last of the call's argument, or {-1, -1}.
  std::pair<int, int> argument(int open, int position) const {
    int first = source_.next(open + 1), angles = 0;
    for (int i = first; i >= 0; i = source_.next(i + 1)) {
      if (i == at(open).partner || (at(i).is(",") && angles == 0)) {
        if (position-- == 0) return {first, source_.previous(i - 1)};
        if (i == at(open).partner) break;
        first = source_.next(i + 1);
      }
      if (at(i).is("(") || at(i).is("[") || at(i).is("{")) i = at(i).partner;
      if (at(i).is("<")) ++angles;
      if (at(i).is(">")) --angles;
    }
    return {-1, -1};
  }

  // cudaLaunchKernel((void*)k, ...): the kernel's name is needed, not an address without a type.
  void launch_by_call(int name, int position) {
    const int open = source_.next(name + 1);
    if (open < 0 || !at(open).is("(")) return;
    const auto [first, last] = argument(open, position);
    if (first < 0) return;
    int kernel = first;
    if (at(first).is("(") && at(first).partner < last) {
      kernel = source_.next(at(first).partner + 1);
    } else if (at(first).text.ends_with("_cast")) {
      while (kernel < last && !at(kernel).is("(")) kernel = source_.next(kernel + 1);
    }
    edits_.erase(first, kernel - 1);
    edits_.before(kernel) += std::string(runtime) + "named_kernel(";
    edits_.after(last) += ", " + quote(source_.text_of(kernel, last)) + ", " + place_of(source_, name) + ")";
  }

  // `(void*)k` or `reinterpret_cast<void*>(k)`: a node of a graph may have to know the kernel's parameters.
  void cast_kernel(int name) {
    if (local_declaration(source_, name, at(name).text) >= 0) return;
    int last = name, depth = 0;
    if (const int next = source_.next(name + 1); at(next).is("<") && !is_triple(next, '<'))
      for (last = next; last < count(); ++last) {
        if (at(last).is("<")) ++depth;
        if (at(last).is(">") && --depth == 0) break;
      }
    const int first = expression_start(last);
    if (first < 0) return;
    int cast = source_.previous(first - 1);
    if (cast >= 0 && at(cast).is("&")) cast = source_.previous(cast - 1);
    if (cast < 0 || !(at(cast).is("(") ? is_named_cast(cast) : is_void_pointer(cast))) return;
    edits_.before(first) += std::string(runtime) + "known_kernel(";
    edits_.after(last) += ", " + quote(source_.text_of(first, last)) + ", " + place_of(source_, name) + ")";
  }

  // Whether token i closes `(void*)` or `(const void*)`.
  bool is_void_pointer(int i) const {
    if (!at(i).is(")") || at(i).partner < 0) return false;
    const std::string type = source_.text_of(at(i).partner + 1, i - 1);
    return type.find("void") != std::string::npos && type.ends_with("*");
  }

  // Whether token i opens the operand of `reinterpret_cast<void*>(`.
  bool is_named_cast(int i) const {
    const int star = source_.previous(source_.previous(i - 1) - 1);
    const int type = source_.previous(star - 1);
    return star > 0 && at(star).is("*") && at(type).is("void") && at(source_.previous(i - 1)).is(">");
  }

  // Whether a kernel of that name has clusters whose shape depends on the parameters of a template.
  bool is_shaped(int first, int last) const {
    const int name = name_of(first, last);
    return name >= 0 && code_.shaped.contains(std::string(at(name).text));
  }

  // Whether the expression is the (qualified) name of a kernel declared in this file,
  // with or without template arguments.
  bool names_kernel(int first, int last) const {
    const int name = name_of(first, last);
    return name >= 0 && code_.kernels.contains(std::string(at(name).text)) &&
           local_declaration(source_, name, at(name).text) < 0;
  }

  // The last part of a (qualified) name, before its template arguments; -1 for any other expression.
  int name_of(int first, int last) const {
    for (; at(first).is("(") && at(first).partner == last; last = source_.previous(last - 1))
      first = source_.next(first + 1);  // `(k)`
    for (int i = first; i <= last; ++i) {
      if (at(i).is("(") || at(i).is("[") || at(i).is(".") || at(i).is("-")) return -1;
      if (at(i).is("<")) return source_.previous(i - 1);
    }
    return last;
  }

  const DeviceCode& code_;
  Edits& edits_;
};

}  // namespace

void rewrite_launches(const Source& source, const DeviceCode& code, Edits& edits) {
  Rewriter(source, code, edits).run();
}

}  // namespace warplab::translator
