#include "emulator/translator/code/functions.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "emulator/translator/code/scope.hpp"
#include "emulator/translator/code/statement_ends.hpp"
#include "emulator/translator/code/unnamed_calls.hpp"
#include "emulator/translator/code/volatile_variables.hpp"

namespace warplab::translator {
namespace {

// Words that are followed by parentheses without being a function's name.
bool takes_parentheses(std::string_view word) {
  static constexpr std::array words{"__launch_bounds__", "__attribute__",    "__align__",     "alignas",
                                    "decltype",          "noexcept",         "requires",      "explicit",
                                    "__maxnreg__",       "__cluster_dims__", "__block_size__"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

// What makes a thread wait for others, or depend on its identity below the kernel's own body.
bool is_waiting_name(std::string_view name) {
  static constexpr std::array prefixes{"__sync",          "__shfl",          "__match_",
                                       "__reduce_",       "__threadfence",   "__ballot_",
                                       "__any_",          "__all_",          "this_",
                                       "thread_block",    "coalesced_",      "tiled_",
                                       "atomicCAS",       "atomicExch",      "__pipeline_",
                                       "__cluster",       "mbarrier_",       "cp_async_",
                                       "cp_reduce_async", "barrier_cluster", "barrier_arrive_tx",
                                       "__nv_atomic_"};
  static constexpr std::array names{"__activemask",
                                    "__nanosleep",
                                    "__ldcv",
                                    "volatile",
                                    "nvcuda",
                                    "wmma",
                                    "cuda",
                                    "ptx",
                                    "pipeline",
                                    "cooperative_groups",
                                    "memcpy_async",
                                    "load_matrix_sync",
                                    "store_matrix_sync",
                                    "mma_sync",
                                    "asm",
                                    "__asm__",
                                    "__asm"};
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view p) { return name.starts_with(p); }) ||
         std::find(names.begin(), names.end(), name) != names.end();
}

// Member functions of barriers, pipelines, groups and atomics; the object's type may be declared anywhere.
bool is_waiting_member(const Source& source, int i) {
  static constexpr std::array prefixes{"compare_exchange_", "fetch_", "try_wait"};
  static constexpr std::array names{"arrive",      "wait",       "arrive_and_wait", "arrive_and_drop",
                                    "wait_parity", "wait_prior", "consumer_wait",   "producer_acquire",
                                    "sync",        "load",       "exchange",        "test_and_set",
                                    "acquire"};
  const int left = source.previous(i - 1);
  if (left < 1 || !(source.at(left).is(".") || (source.at(left).is(">") && source.at(left - 1).is("-"))))
    return false;
  const std::string_view name = source.at(i).text;
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view p) { return name.starts_with(p); }) ||
         std::find(names.begin(), names.end(), name) != names.end();
}

// An atomic whose result is used may be the condition of a spin loop.
bool uses_atomic_result(const Source& source, int i) {
  if (!source.at(i).text.starts_with("atomic")) return false;
  const int before = source.previous(i - 1);
  if (before < 0 || source.at(before).is_one_of(" ; { } else ") || ends_head(source, before)) return false;
  return !source.at(before).is(")") || source.text_of(source.at(before).partner, before) != "(void)";
}

class FunctionFinder {
 public:
  explicit FunctionFinder(const Source& source) : source_(source) {}

  DeviceCode run() {
    for (int i = 0; i < static_cast<int>(source_.tokens.size()); ++i) {
      const Token& token = source_.at(i);
      if (token.system || !token.is_name()) continue;
      if (token.is("__global__") || token.is("__device__")) declaration(i, token.is("__global__"));
    }
    find_polls();
    find_initial_values();
    note_functions_of_other_files();
    mark_waiting();
    if (find_unnamed_calls()) mark_waiting();
    mark_printing();
    return std::move(code_);
  }

 private:
  void declaration(int i, bool is_kernel) {
    const int before = source_.previous(i - 1);
    if (before >= 0 && (source_.at(before).is("]") || source_.at(before).is("__host__"))) {
      const int bracket = source_.at(before).is("]") ? before : source_.previous(before - 1);
      const bool is_attribute = bracket > 0 && source_.at(bracket - 1).is("]");  // [[nodiscard]]
      if (bracket >= 0 && source_.at(bracket).is("]") && !is_attribute) return lambda(i);
    }
    int name = -1;
    for (int j = source_.next(i + 1); j >= 0; j = source_.next(j + 1)) {
      const Token& token = source_.at(j);
      if (token.is(";") || token.is("=") || token.is("{") || token.is("[")) return;  // a variable
      if (token.is("operator")) {
        name = j;
        while (j >= 0 && !source_.at(j).is("(")) j = source_.next(j + 1);
        if (j >= 0 && source_.at(source_.previous(j - 1)).is("operator"))
          j = source_.next(source_.at(j).partner + 1);
        return body(name, j, is_kernel);
      }
      if (const int end = end_of_template_arguments(source_, j); end >= 0) j = end;
      if (!token.is("(")) continue;
      name = name_before(j);
      if (name < 0) return;
      if (source_.at(name).is_name() && !takes_parentheses(source_.at(name).text))
        return body(name, j, is_kernel);
      j = token.partner;
    }
  }

  /// The name that a parenthesis follows, also after the arguments of a specialisation: `fill<int>(`.
  int name_before(int open) const {
    int j = source_.previous(open - 1);
    if (j < 0 || !source_.at(j).is(">")) return j;
    for (int depth = 0; j >= 0; j = source_.previous(j - 1)) {
      depth += source_.at(j).is(">") ? 1 : source_.at(j).is("<") ? -1 : 0;
      if (depth == 0) return source_.previous(j - 1);
    }
    return j;
  }

  void lambda(int i) {
    int j = source_.next(i + 1);
    while (j >= 0 && !source_.at(j).is("{") && !source_.at(j).is(";"))
      j = source_.next((source_.at(j).is("(") ? source_.at(j).partner : j) + 1);
    if (j < 0 || !source_.at(j).is("{")) return;
    add("", j, false, false);
  }

  bool has_default_arguments(int open) const {
    for (int i = source_.next(open + 1); i < source_.at(open).partner; i = source_.next(i + 1)) {
      if (source_.at(i).is("=")) return true;
      if (source_.at(i).is("(") || source_.at(i).is("[") || source_.at(i).is("{")) i = source_.at(i).partner;
    }
    return false;
  }

  // Notes functions that a declaration leaves without a body: `int f(int) const noexcept, g(int);`, but
  // neither `int x(5);` nor `f() = delete`.
  void note_declared(int name, int open) {
    const Token& first = source_.at(source_.next(open + 1));
    if (first.kind == Token::Kind::number || first.kind == Token::Kind::literal || first.is("-")) return;
    int j = source_.next(source_.at(open).partner + 1);
    while (j >= 0 && (source_.at(j).is_name() || source_.at(j).is_one_of(" & ( "))) {
      if (source_.at(j).is("(")) j = source_.at(j).partner;
      j = source_.next(j + 1);
    }
    const bool is_pure_virtual = j >= 0 && source_.at(j).is("=") && source_.at(source_.next(j + 1)).is("0");
    if (j < 0 || !(is_pure_virtual || source_.at(j).is_one_of(" ; - , "))) return;
    declared_.emplace(source_.at(name).text);
    if (!source_.at(j).is(",")) return;
    while (source_.at(j).is_one_of(" , * & ")) j = source_.next(j + 1);
    if (const int next = source_.next(j + 1); source_.at(j).is_name() && source_.at(next).is("("))
      note_declared(j, next);
  }

  // `name` is the function's name and `open` the parenthesis of its parameters.
  void body(int name, int open, bool is_kernel) {
    if (open < 0 || source_.at(open).partner < 0) return;
    const std::string text(source_.at(name).text);
    if (!is_kernel && !source_.is_of_library(name)) note_declared(name, open);
    if (is_kernel) code_.kernels.insert(text);
    if (is_kernel && has_default_arguments(open)) code_.defaulting.insert(text);
    bool initializers = false;
    for (int j = source_.next(source_.at(open).partner + 1); j >= 0; j = source_.next(j + 1)) {
      const Token& token = source_.at(j);
      if (token.is(";") || token.is("=")) return;
      if (token.is(":")) initializers = true;
      if (token.is("(") || token.is("[")) j = token.partner;
      if (!token.is("{")) continue;
      const Token& before = source_.at(source_.previous(j - 1));
      if (initializers && (before.is_name() || before.is(">"))) {
        j = token.partner;
        continue;
      }
      const int start = declaration_start(source_, name);
      add(text, j, is_kernel, start >= 0 && source_.at(start).is("template"));
      if (is_kernel) find_cluster_shape(start, j);
      return;
    }
  }

  // __cluster_dims__ between `start` and the body's brace, if it depends on the parameters of the template.
  void find_cluster_shape(int start, int brace) {
    Function& kernel = code_.functions.back();
    if (!kernel.is_template || kernel.body_open != brace) return;
    std::vector<std::string> names;
    std::string arguments;
    int depth = 0;
    for (int i = source_.next(start + 1); i < brace; i = source_.next(i + 1)) {
      const Token& token = source_.at(i);
      depth += token.is("<") ? 1 : token.is(">") ? -1 : 0;
      const int left = source_.previous(i - 1);
      if (depth == 0 || (depth == 1 && (token.is(",") || token.is("=")))) {
        if (source_.at(left).is_name() && (names.empty() || !is_default(start, left))) {
          names.emplace_back(source_.at(left).text);
          const int before = source_.previous(left - 1);
          arguments +=
              (arguments.empty() ? "" : ", ") + names.back() + (source_.at(before).is(".") ? "..." : "");
        }
      }
      if (depth == 0) break;
    }
    for (int i = start; i < brace; ++i) {
      if (!source_.at(i).is("__cluster_dims__")) continue;
      const int open = source_.next(i + 1);
      for (int j = open + 1; j < source_.at(open).partner; ++j)
        if (std::find(names.begin(), names.end(), source_.at(j).text) != names.end()) {
          kernel.cluster_shape = source_.text_of(open + 1, source_.at(open).partner - 1);
          kernel.template_arguments = arguments;
          code_.shaped.insert(kernel.name);
          return;
        }
    }
  }

  // Whether the name at token `i` of a template's parameters belongs to a default: `class T = float`.
  bool is_default(int start, int i) const {
    for (int depth = 0; i > start; i = source_.previous(i - 1)) {
      depth += source_.at(i).is(">") ? 1 : source_.at(i).is("<") ? -1 : 0;
      if (depth < 0 || (depth == 0 && source_.at(i).is(","))) return false;
      if (depth == 0 && source_.at(i).is("=")) return true;
    }
    return false;
  }

  void add(std::string name, int open, bool is_kernel, bool is_template) {
    for (const Function& known : code_.functions)
      if (known.body_open == open) return;  // __host__ __device__ finds it twice
    Function function{std::move(name), is_kernel, is_template, open, source_.at(open).partner, {}, false,
                      false,           false,     {},          {}};
    for (int i = open + 1; i < function.body_close; ++i) {
      if (launch_opening(source_, i) >= 0) function.waits = function.launches = true;
      if (!source_.at(i).is_name()) continue;
      function.names.emplace(source_.at(i).text);
      function.waits |= is_waiting_name(source_.at(i).text) || is_waiting_member(source_, i) ||
                        uses_atomic_result(source_, i) ||
                        (source_.at(i).is("threadIdx") && (!is_kernel || sees_no_locals(source_, open, i)) &&
                         !is_users_own(source_, i));
    }
    code_.functions.push_back(std::move(function));
  }

  // Functions that read volatile variables; and loops that look at one or call such a function, which wait.
  void find_polls() {
    const VolatileVariables variables(source_);
    std::set<std::string> reading;
    for (const Function& function : code_.functions)
      for (int i = function.body_open; i < function.body_close; ++i)
        if (variables.names(i)) reading.insert(function.name);
    add_callers(reading);
    for (Function& function : code_.functions) {
      int end = function.body_open;  // of the loops so far
      for (int i = function.body_open; i < function.body_close; ++i) {
        const Token& token = source_.at(i);
        if (token.is_one_of(" for while do ")) end = std::max(end, last_of_statement(source_, i));
        if (i >= end || !(variables.names(i) || reading.contains(std::string(token.text)))) continue;
        code_.polls.insert(i);
        function.waits = true;
      }
    }
  }

  // A member's initial value may ask for the thread: whoever makes such an object
  // must be on a stack of its own.
  void find_initial_values() {
    const auto in_function = [&](int i) {
      return std::any_of(code_.functions.begin(), code_.functions.end(),
                         [&](const Function& f) { return f.body_open < i && i < f.body_close; });
    };
    for (int i = 0; i < static_cast<int>(source_.tokens.size()); ++i)
      if (!source_.at(i).system && source_.at(i).is("threadIdx") && !in_function(i) &&
          !is_users_own(source_, i))
        code_.waiting_operator = true;
  }

  // A function whose body is in another file may wait.
  void note_functions_of_other_files() {
    for (const Function& function : code_.functions) declared_.erase(function.name);
    for (const std::string& name : declared_) {
      code_.waiting.insert(name);
      if (name == "operator") code_.waiting_operator = true;
    }
  }

  // Calls that may be of any function whose address is taken. They matter if one of these waits, or if the
  // functions may be those of other files.
  // @return whether there are such calls
  bool find_unnamed_calls() {
    const UnnamedCalls calls(source_);
    std::set<std::string, std::less<>> names(declared_.begin(), declared_.end());
    for (const Function& function : code_.functions)
      if (!function.is_kernel && !function.name.empty()) names.insert(function.name);
    names.erase("operator");
    bool any_address = false, may_wait = false;
    for (int i = 0; i < static_cast<int>(source_.tokens.size()) && !may_wait; ++i) {
      const Token& token = source_.at(i);
      if (token.system || !token.is_name() || !names.contains(token.text) || source_.is_of_library(i))
        continue;
      if (!calls.is_address(i)) continue;
      any_address = true;
      may_wait = code_.waiting.contains(std::string(token.text));
    }
    for (Function& function : code_.functions)
      for (int i = function.body_open; i < function.body_close; ++i) {
        if (!source_.at(i).is("(")) continue;
        const bool is_of_other_file =
            !source_.is_of_library(i) && (calls.is_by_extern(i) || (!any_address && calls.is_by_pointer(i)));
        if (!is_of_other_file && !(may_wait && calls.begins_at(i))) continue;
        code_.unnamed_calls.insert(i);
        function.waits = true;
      }
    return !code_.unnamed_calls.empty();
  }

  // A caller of what waits waits. By name, so that overloads and templates are covered.
  void mark_waiting() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Function& function : code_.functions) {
        if (!function.waits) function.waits = calls_one_of(function, code_.waiting);
        if (!function.waits || function.is_kernel) continue;
        if (function.name == "operator" || function.name.empty())
          code_.waiting_operator = true;
        else
          changed |= code_.waiting.insert(function.name).second;
      }
    }
    for (Function& function : code_.functions) function.waits |= function.is_kernel && code_.waiting_operator;
  }

  // Likewise.
  void mark_printing() {
    std::set<std::string> printing{"printf"};
    add_callers(printing);
    for (Function& function : code_.functions) function.prints = calls_one_of(function, printing);
  }

  // To functions' names, those of the functions that call them.
  void add_callers(std::set<std::string>& called) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Function& function : code_.functions)
        if (!function.name.empty() && calls_one_of(function, called))
          changed |= called.insert(function.name).second;
    }
  }

  static bool calls_one_of(const Function& function, const std::set<std::string>& called) {
    return std::any_of(function.names.begin(), function.names.end(),
                       [&](const std::string& name) { return called.contains(name); });
  }

  const Source& source_;
  DeviceCode code_;
  std::set<std::string> declared_;  ///< device functions without a body in this file
};

}  // namespace

int launch_opening(const Source& source, int i) {
  const int count = static_cast<int>(source.tokens.size());
  if (!source.at(i).is("<") || i + 2 >= count || !source.at(i + 1).is("<")) return -1;
  const int third = source.next(i + 2);
  return third >= 0 && source.at(third).is("<") ? third : -1;
}

bool is_restricted(const Source& source, const Function& function) {
  for (int i = declaration_start(source, function.body_open); i < function.body_open; i = source.next(i + 1))
    if (source.at(i).text.find("restrict") != std::string_view::npos) return true;
  return false;
}

int declaration_start(const Source& source, int i) {
  int start = i;
  for (int j = source.previous(i - 1); j >= 0; j = source.previous(j - 1)) {
    const Token& token = source.at(j);
    if (token.is(";") || token.is("{") || token.is("}")) break;
    if (token.is(")") || token.is("]")) j = token.partner;
    start = j;
  }
  return start;
}

const Function* function_around(const DeviceCode& code, int i) {
  for (const Function& function : code.functions)
    if (function.body_open < i && i < function.body_close) return &function;
  return nullptr;
}

bool waits_at(const Source& source, const DeviceCode& code, int i) {
  return code.waiting_operator || code.polls.contains(i) || code.unnamed_calls.contains(i) ||
         code.waiting.contains(std::string(source.at(i).text)) || is_waiting_name(source.at(i).text) ||
         is_waiting_member(source, i) || uses_atomic_result(source, i);
}

DeviceCode find_device_code(const Source& source) { return FunctionFinder(source).run(); }

}  // namespace warplab::translator
