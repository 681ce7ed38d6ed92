#include "emulator/translator/markers.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/translator/code/scope.hpp"
#include "emulator/translator/local_arrays.hpp"
#include "emulator/translator/regions/statements.hpp"

namespace warplab::translator {
namespace {

class Marker {
 public:
  Marker(const Source& source, const Function& function, ConstantNames& constants, Edits& edits)
      : source_(source), function_(function), constants_(constants), edits_(edits) {}

  void run() {
    if (declared("consteval")) return;
    conditions_only_ = declared("constexpr");
    if (function_.is_kernel) parameters();
    for (int i = source_.next(function_.body_open + 1); i >= 0 && i < function_.body_close;
         i = source_.next(i + 1)) {
      const Token& token = at(i);
      if (token.system) continue;
      if (token.is("for") || token.is("while"))
        loop(i);
      else if (token.is("do"))
        do_loop(i);
      else if (token.is("if"))
        branch(i, "branch(static_cast<bool>(", "))");
      else if (token.is("switch"))
        branch(i, "switch_on((", "))");
      else if (!conditions_only_ && (token.is("memcpy") || token.is("memset") || token.is("memmove")))
        copy(i);
    }
    if (conditions_only_) return;
    for (const LocalArray& array : find_local_arrays(source_, function_, constants_))
      edits_.after(array.end) += std::string(" ") + runtime + "lens_array(&" + array.name + ", sizeof " +
                                 array.name + ", " + (array.surely ? "true" : "false") + "); ";
  }

 private:
  const Token& at(int i) const { return source_.at(i); }
  int next(int i) const { return source_.next(i + 1); }

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
    const std::vector<std::string> names = names_of_parameters();
    std::string types;
    for (const std::string& name : names) {
      if (casts(name)) return;
      types += (types.empty() ? "decltype(" : ", decltype(") + name + ")";
    }
    if (!names.empty())
      edits_.before(next(function_.body_open))
          .insert(0, std::string(runtime) + "lens_parameters<" + types + ">(); ");
  }

  // Of a kernel's parameters; none where one is __restrict__, or in a form that is not understood.
  std::vector<std::string> names_of_parameters() const {
    int open = declaration_start(source_, function_.body_open);
    while (open >= 0 && open < function_.body_open &&
           !(at(open).is(function_.name) && at(next(open)).is("(")))
      open = next(open);
    if (open < 0 || open >= function_.body_open) return {};
    open = next(open);
    std::vector<std::string> names;
    int depth = 0;
    for (int i = next(open); i <= at(open).partner; i = next(i)) {
      static constexpr std::string_view unusual = "=[(.";
      if (at(i).text.find("restrict") != std::string_view::npos) return {};
      if (i < at(open).partner && unusual.find(at(i).text[0]) != std::string_view::npos) return {};
      depth += at(i).is("<") ? 1 : at(i).is(">") ? -1 : 0;
      if (depth > 0 || !(at(i).is(",") || i == at(open).partner)) continue;
      const int name = source_.previous(i - 1);
      if (!is_name_of_parameter(name)) return {};
      names.emplace_back(at(name).text);
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
    const auto is_of_type = [&](int j) {
      return of_types.find(" " + std::string(at(j).text) + " ") != std::string_view::npos;
    };
    const int left = source_.previous(i - 1);
    if (!at(i).is_name() || is_of_type(i)) return false;
    if (at(left).is("*") || at(left).is(">")) return true;
    static constexpr std::string_view qualifiers = " const volatile typename struct ";
    return at(left).is_name() &&
           qualifiers.find(" " + std::string(at(left).text) + " ") == std::string_view::npos;
  }

  int statement_end(int i) const {
    const int end = last_of_statement(source_, i);
    if (end < 0) source_.fail(i, "this statement has no end");
    return end;
  }

  void mark_iterations(int keyword, int body) {
    if (conditions_only_) return;
    // A loop that the compiler sees to run once, so that what is known before it is known in it
    const std::string loop = std::string(runtime) + "LensLoop warplab_loop(" + std::to_string(keyword) + ")";
    const std::string once = "*warplab_once = &warplab_loop; warplab_once; warplab_once = nullptr";
    edits_.before(keyword) += "for (" + loop + ", " + once + ") ";
    const int end = statement_end(body);
    edits_.before(body).insert(0, "{ warplab_loop.next(); ");  // around a launch, which has been rewritten
    edits_.after(end) += " }";
  }

  void loop(int i) {
    const int open = next(i), close = at(open).partner;
    if (at(i).is("while")) {
      if (!closing_whiles_.contains(i)) mark_iterations(i, next(close));
      condition(open + 1, close - 1, "branch(static_cast<bool>(", "))");
      return;
    }
    mark_iterations(i, next(close));
    int first = -1;
    for (int j = next(open); j < close; j = next(at(j).partner > j ? at(j).partner : j)) {
      if (!at(j).is(";")) continue;
      if (first >= 0) return condition(first + 1, j - 1, "branch(static_cast<bool>(", "))");
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

  void branch(int i, const char* begin, const char* end) {
    const int open = next(i);
    if (!at(open).is("(")) return;  // if constexpr
    int first = open + 1;
    for (int j = next(open); j < at(open).partner; j = next(at(j).partner > j ? at(j).partner : j))
      if (at(j).is(";")) first = j + 1;
    condition(first, at(open).partner - 1, begin, end);
  }

  // Wraps the expression of tokens first to last, unless it declares a variable.
  void condition(int first, int last, const char* begin, const char* end) {
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
    edits_.before(first) += std::string(runtime) + "lens_" + begin;
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

  const Source& source_;
  const Function& function_;
  ConstantNames& constants_;
  Edits& edits_;
  /// The compiler may run the function, and could not make an object that marks iterations.
  bool conditions_only_ = false;
  std::set<int> closing_whiles_;  ///< of do loops
};

}  // namespace

void mark_for_lens(const Source& source, const Function& function, ConstantNames& constants, Edits& edits) {
  Marker(source, function, constants, edits).run();
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
