#include "emulator/translator/markers.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/translator/code/scope.hpp"
#include "emulator/translator/code/statement_ends.hpp"
#include "emulator/translator/local_arrays.hpp"
#include "emulator/translator/loop_rounds.hpp"
#include "emulator/translator/unrolling.hpp"

namespace warplab::translator {
namespace {

class Marker : private TokenReader {
 public:
  Marker(const Source& source, const Function& function, const DeviceCode& code, NamesOfFile& names,
         Edits& edits)
      : TokenReader(source),
        function_(function),
        code_(code),
        known_(source, function, names),
        edits_(edits) {}

  void run() {
    if (declared("consteval")) return;
    conditions_only_ = declared("constexpr");
    if (function_.is_kernel && !conditions_only_) {
      parameters();
      pointees();
    }
    for (int i = source_.next(function_.body_open + 1); i >= 0 && i < function_.body_close;
         i = source_.next(i + 1)) {
      const Token& token = at(i);
      if (token.system) continue;
      if (token.is("extern") && !conditions_only_ && declares_raw_shared_memory(i))
        edits_.before(next(function_.body_open))
            .insert(0, std::string(runtime) + "lens_raw_shared_memory(); ");
      if (token.is("for") || token.is("while"))
        loop(i);
      else if (token.is("do"))
        do_loop(i);
      else if (token.is("if") && at(next(i)).is("("))  // not `if constexpr`
        branch(i);
      else if (token.is("switch"))
        wrap(head_of(i), at(next(i)).partner - 1, std::string(runtime) + "lens_switch_on((", "))");
      else if (!conditions_only_ && (token.is("memcpy") || token.is("memset") || token.is("memmove")))
        copy(i);
    }
    close_statements();
    if (conditions_only_) return;
    for (const LocalArray& array : find_local_arrays(source_, function_, known_))
      edits_.after(array.end) += std::string(" ") + runtime + "lens_array(&" + array.name + ", sizeof " +
                                 array.name + ", " + (array.surely ? "true" : "false") + "); ";
  }

 private:
  inline static const std::string branch_begin = std::string(runtime) + "lens_branch(static_cast<bool>(";

  bool declared(const char* specifier) const {
    for (int i = declaration_start(source_, function_.body_open); i >= 0 && i < function_.body_open;
         i = next(i))
      if (at(i).is(specifier)) return true;
    return false;
  }

  // Says of what types the kernel's parameters are, where what its pointers mean may overlap: none is
  // __restrict__, and the body neither casts them nor loads by a function that says it is read only.
  void parameters() {
    for (const char* const name : {"__ldg", "volatile", "asm"})
      if (function_.names.contains(name)) return;
    if (is_restricted(source_, function_)) return;
    const std::vector<std::string> names = names_of_parameters();
    std::string types;
    for (const std::string& name : names) {
      if (name.empty() || casts(name)) return;
      types += (types.empty() ? "decltype(" : ", decltype(") + name + ")";
    }
    if (!names.empty())
      edits_.before(next(function_.body_open))
          .insert(0, std::string(runtime) + "lens_parameters<" + types + ">(); ");
  }

  // Hands the kernel's parameters to the lens: what pointers point at is structures or is not.
  void pointees() {
    std::string names;
    for (const std::string& name : names_of_parameters())
      if (!name.empty()) names += (names.empty() ? "" : ", ") + name;
    if (!names.empty())
      edits_.before(next(function_.body_open))
          .insert(0, std::string(runtime) + "lens_pointees(" + names + "); ");
  }

  // `extern __shared__ unsigned char raw[];` without an alignment.
  bool declares_raw_shared_memory(int i) const {
    static constexpr std::string_view bytes = " char byte uint8_t int8_t uchar ";
    bool shared = false, of_bytes = false;
    for (; !at(i).is("[") && !at(i).is(";"); i = next(i)) {
      if (at(i).is("__align__") || at(i).is("alignas") || at(i).is("__attribute__")) return false;
      shared |= at(i).is("__shared__");
      of_bytes |= at(i).is_one_of(bytes);
    }
    return shared && of_bytes;
  }

  // Of a kernel's parameters; empty where one has no name, or is in a form that is not understood.
  std::vector<std::string> names_of_parameters() const {
    int open = declaration_start(source_, function_.body_open);
    while (open >= 0 && open < function_.body_open &&
           !(at(open).is(function_.name) && at(next(open)).is("(")))
      open = next(open);
    if (open < 0 || open >= function_.body_open) return {};
    open = next(open);
    std::vector<std::string> names;
    int depth = 0;
    bool understood = true;
    for (int i = next(open); i <= at(open).partner; i = next(i)) {
      static constexpr std::string_view unusual = "=[(.";
      understood &= i == at(open).partner || unusual.find(at(i).text[0]) == std::string_view::npos;
      depth += at(i).is("<") ? 1 : at(i).is(">") ? -1 : 0;
      if (depth > 0 || !(at(i).is(",") || i == at(open).partner)) continue;
      const int name = source_.previous(i - 1);
      names.emplace_back(understood && is_name_of_parameter(name) ? at(name).text : "");
      understood = true;
    }
    return names;
  }

  // Whether the body has `reinterpret_cast<...>(name` or `(...*)name`, also with a & before the name.
  bool casts(const std::string& name) const {
    for (int i = next(function_.body_open); i < function_.body_close; i = next(i)) {
      if (!at(i).is(name)) continue;
      int left = source_.previous(i - 1);
      if (at(left).is("&")) left = source_.previous(left - 1);
      int before = source_.previous(left - 1);
      if (at(left).is(")") && at(before).is("*")) return true;
      if (!at(left).is("(") || !at(before).is(">")) continue;
      for (int depth = 1; depth > 0 && before > function_.body_open;) {
        before = source_.previous(before - 1);
        depth += at(before).is(">") ? 1 : at(before).is("<") ? -1 : 0;
      }
      if (at(source_.previous(before - 1)).is("reinterpret_cast")) return true;
    }
    return false;
  }

  // Whether the last token of a parameter is its name, not a part of its type.
  bool is_name_of_parameter(int i) const {
    static constexpr std::string_view of_types =
        " int float double char short long unsigned signed bool const volatile typename struct ";
    const auto is_of_type = [&](int j) { return at(j).is_one_of(of_types); };
    const int left = source_.previous(i - 1);
    if (!at(i).is_name() || is_of_type(i)) return false;
    if (at(left).is("*") || at(left).is(">")) return true;
    static constexpr std::string_view qualifiers = " const volatile typename struct ";
    return at(left).is_name() && !at(left).is_one_of(qualifiers);
  }

  int statement_end(int i) const {
    const int end = last_of_statement(source_, i);
    if (end < 0) source_.fail(i, "this statement has no end");
    return end;
  }

  void mark_iterations(int keyword, int body) {
    if (conditions_only_) return;
    // A loop that the compiler sees to run once, so that what is known before it is known in it
    const int end = statement_end(body);
    const std::string rounds = rounds_expression(source_, function_, code_, known_, edits_, keyword, end);
    const std::string iterations =
        at(keyword).is("for") ? known_iterations_expression(source_, known_, edits_, keyword, end) : "0";
    const std::string loop = std::string(runtime) + "LensLoop warplab_loop(" + std::to_string(keyword) +
                             ", " + unrolling_expression(source_, known_, keyword, end, iterations) +
                             (rounds.empty() ? ")" : ", " + rounds + ")");
    const std::string once = "*warplab_once = &warplab_loop; warplab_once; warplab_once = nullptr";
    edits_.before(keyword) += "for (" + loop + ", " + once + ") ";
    surround(body, "{ warplab_loop.next(); ", " }");
  }

  // Of statements that end together, the inner ones end first.
  void surround(int statement, const std::string& begin, const std::string& end) {
    edits_.before(statement).insert(0, begin);  // around a launch, which has been rewritten
    closings_.push_back({statement, statement_end(statement), end});
  }
  void close_statements() {
    std::ranges::reverse(closings_);
    std::ranges::stable_sort(closings_, std::greater(), &Closing::begin);
    for (const Closing& closing : closings_) edits_.after(closing.end) += closing.text;
  }

  // Whether an `if` only chooses between values, as in `if (x > most) most = x;`: nvcc makes no branch of it.
  // Nor of a `return` in a function that it inlines.
  bool chooses_values(int i) const {
    const int open = next(i);
    const std::string condition = source_.text_of(open, at(open).partner);
    for (int j = next(at(open).partner), end = statement_end(i); j <= end; j = next(j)) {
      static constexpr std::string_view others = " break continue goto for while do switch ";
      if (at(j).is("[") && condition.find(element_text(j)) == std::string::npos) return false;
      if (function_.is_kernel && at(j).is("return")) return false;
      if (at(j).is_one_of(others)) return false;
      if (at(j).is("-") && at(j + 1).is(">")) return false;  // of what a pointer points to
      if (at(j).is_name() && !at(j).is("if") && at(next(j)).is("(")) return false;  // a call
    }
    return true;
  }

  // Of `tile[row][k]`, whose first bracket is token i.
  std::string element_text(int i) const {
    int last = at(i).partner;
    while (last >= 0 && at(next(last)).is("[")) last = at(next(last)).partner;
    return source_.text_of(source_.previous(i - 1), last);
  }

  void loop(int i) {
    const int open = next(i), close = at(open).partner;
    if (at(i).is("while")) {
      if (!closing_whiles_.contains(i)) mark_iterations(i, next(close));
      wrap(open + 1, close - 1, branch_begin, "))");
      return;
    }
    mark_iterations(i, next(close));
    int first = -1;
    for (int j = next(open); j < close; j = next(at(j).partner > j ? at(j).partner : j)) {
      if (!at(j).is(";")) continue;
      if (first >= 0) return wrap(first + 1, j - 1, branch_begin, "))");
      first = j;
    }
    // `for (T x : range)`, `for (int i = 0; T x : range)`
    for (int j = next(first < 0 ? open : first); j < close; j = next(at(j).partner > j ? at(j).partner : j))
      if (at(j).is(":") && !at(j - 1).is(":") && !at(j + 1).is(":")) return range(next(j), close);
  }

  // Wraps what a loop goes over, unless it is a list in braces: all lanes go over as many elements of one.
  void range(int first, int close) {
    if (at(first).is("{")) return;
    edits_.before(first) += std::string(runtime) + "lens_range((";
    edits_.after(source_.previous(close - 1)) += "))";
  }

  void do_loop(int i) {
    const int body = next(i);
    mark_iterations(i, body);
    closing_whiles_.insert(next(statement_end(body)));
  }

  // Where the condition of an `if` or `switch` begins: after `int m = n;`.
  int head_of(int i) const {
    const int open = next(i);
    int first = open + 1;
    for (int j = next(open); j < at(open).partner; j = next(at(j).partner > j ? at(j).partner : j))
      if (at(j).is(";")) first = j + 1;
    return first;
  }

  // What one part of `a && b` has loaded, a GPU still has in a register behind the condition. So each way has
  // a mark of its own: g++ would lose sight of which parts were done if it took the outcome to one mark.
  void branch(int i) {
    const int first = source_.next(head_of(i)), close = at(next(i)).partner;
    const bool ends_body = !chooses_values(i);
    bool has_parts = false;
    for (int j = first; j < close; j = next(j))
      has_parts |= is_double(j, "&") || is_double(j, "|") || at(j).is("and") || at(j).is("or");
    if (!has_parts) return wrap(first, close - 1, branch_begin, ends_body ? "), true)" : "))");
    const auto way = [&](const char* taken) {
      return std::string(runtime) + "lens_way(" + taken + ", " + std::to_string(i) +
             (ends_body ? ", true); " : "); ");
    };
    const int body = next(close), otherwise = next(statement_end(body));
    const bool has_else = otherwise >= 0 && at(otherwise).is("else");
    const bool declares = head_of(i) != next(i) + 1;  // what `else` may use; a constexpr function has no goto
    const std::vector<int> ands = outer_ands(first, close);
    if (ands.empty() || (has_else && (declares || conditions_only_))) {
      surround(body, "{ " + way("true"), has_else ? " }" : " } else " + way("false"));
      if (has_else) surround(next(otherwise), "{ " + way("false"), " }");
      return;
    }
    // Each part has an `if` of its own.
    const std::string label = "warplab_else_" + std::to_string(i);
    const std::string to_else = has_else ? "goto " + label + "; " : way("false");
    edits_.before(first).insert(0, "!(");
    for (const int and_ : ands) {
      edits_.erase(and_, and_ + 1);
      edits_.before(and_) += ")) " + to_else + "else if (!(";
    }
    edits_.after(source_.previous(close - 1)) += ")";
    surround(body, to_else + "else { " + way("true"), " }");
    if (!has_else) return;
    edits_.erase(otherwise, otherwise);
    edits_.before(i) += "{ ";
    closings_.push_back({i, statement_end(i), " }"});
    surround(next(otherwise), "if (false) " + label + ": { " + way("false"), " }");
  }

  bool is_double(int i, const char* sign) const { return at(i).is(sign) && at(i + 1).is(sign); }

  // The first tokens of each `&&` that joins the parts of a whole condition; none if it has other joints too.
  std::vector<int> outer_ands(int first, int close) const {
    std::vector<int> ands;
    for (int j = first; j < close; j = next(at(j).partner > j ? at(j).partner : j)) {
      static constexpr std::string_view compared = "=!<>";
      const bool assigns = at(j).is("=") && !at(j + 1).is("=") &&
                           compared.find(at(source_.previous(j - 1)).text[0]) == std::string_view::npos;
      if (assigns || is_double(j, "|") || at(j).is("?") || at(j).is(",") || at(j).is("or") || at(j).is("and"))
        return {};
      if (!is_double(j, "&")) continue;
      if (at(next(j + 1)).is(">")) return {};  // a type's
      ands.push_back(j++);
    }
    return ands;
  }

  // Wraps the expression of tokens first to last, unless it declares a variable.
  void wrap(int first, int last, const std::string& begin, const std::string& end) {
    first = source_.next(first);
    last = source_.previous(last);
    if (first < 0 || last < first) return;
    for (int j = first; j <= last; j = next(at(j).partner > j ? at(j).partner : j)) {
      static constexpr std::string_view operators = "=!<>+-*/%&|^";
      const auto is_operator = [&](int k) {
        return at(k).kind == Token::Kind::punctuation &&
               operators.find(at(k).text[0]) != std::string_view::npos;
      };
      if (at(j).is("=") && !is_operator(j - 1) && !at(j + 1).is("=")) return;
      if (at(j).is("{")) return;
    }
    edits_.before(first) += begin;
    edits_.after(last) += end;
  }

  void copy(int i) {
    const int left = source_.previous(i - 1);
    if (!at(next(i)).is("(") || at(left).is(".") || at(left).is(">")) return;
    const std::optional<QualifiedName> name = qualified_name(source_, i);
    const std::vector<std::string> around = name ? name->namespaces : std::vector<std::string>();
    if (!around.empty() && around != std::vector<std::string>{"std"} &&
        around != std::vector<std::string>{"cuda", "std"})
      return;  // somebody's own
    const int first = name ? name->first : i;
    edits_.erase(first, i);
    edits_.before(first) += std::string(runtime) + "lens_" + std::string(at(i).text);
  }

  const Function& function_;
  const DeviceCode& code_;
  KnownNames known_;
  Edits& edits_;
  /// The compiler may run the function, and could not make an object that marks iterations.
  bool conditions_only_ = false;
  std::set<int> closing_whiles_;  ///< of do loops
  struct Closing {
    int begin, end;  ///< tokens of the statement
    std::string text;
  };
  std::vector<Closing> closings_;
};

}  // namespace

void mark_for_lens(const Source& source, const Function& function, const DeviceCode& code, NamesOfFile& names,
                   Edits& edits) {
  Marker(source, function, code, names, edits).run();
}

void inline_for_lens(const Source& source, const DeviceCode& code, Edits& edits) {
  // By name, what each function calls, directly or not: one that calls itself can't be inlined.
  std::map<std::string, std::set<std::string>> calls;
  for (const Function& function : code.functions)
    if (!function.is_kernel) calls[function.name].insert(function.names.begin(), function.names.end());
  const auto calls_itself = [&](const std::string& name) {
    std::set<std::string> reached;
    std::vector<std::string> next{name};
    while (!next.empty()) {
      const std::string from = next.back();
      next.pop_back();
      for (const std::string& to : calls[from])
        if (calls.contains(to) && reached.insert(to).second) next.push_back(to);
    }
    return reached.contains(name);
  };
  for (const Function& function : code.functions) {
    if (function.is_kernel || function.name.empty() || function.names.contains("va_start")) continue;
    if (source.is_of_library(function.body_open)) continue;  // it says itself what is to be inlined
    int device = -1;
    bool left_alone = false;
    for (int i = declaration_start(source, function.body_open); i >= 0 && i < function.body_open;
         i = source.next(i + 1)) {
      const Token& token = source.at(i);
      if (token.is("__device__")) device = i;
      left_alone |= token.is("__noinline__") || token.is("noinline") || token.is("__forceinline__") ||
                    token.is("virtual") || token.is("always_inline");
    }
    if (device >= 0 && !left_alone && !calls_itself(function.name))
      edits.before(device) += "__attribute__((always_inline)) ";
  }
}

}  // namespace warplab::translator
