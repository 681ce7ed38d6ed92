#include "translate.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "declarators.hpp"
#include "edits.hpp"
#include "functions.hpp"
#include "inline_ptx.hpp"
#include "launches.hpp"
#include "markers.hpp"
#include "regions.hpp"
#include "scope.hpp"
#include "token.hpp"

namespace warplab::translator {
namespace {

/// A `__shared__` variable outside of functions.
struct FileScopeVariable {
  std::string name;
  std::vector<std::string> namespaces;
  std::string value;  ///< what a reference to it is initialised with
};

class Translator {
 public:
  Translator(std::string text, Mode mode)
      : source_(tokenize(std::move(text))), code_(find_device_code(source_)), edits_(source_), mode_(mode) {}

  std::string run() {
    rewrite_launches(source_, code_, edits_);
    for (int i = 0; i < count(); ++i) {
      const Token& token = at(i);
      if (token.system) continue;
      if (token.kind == Token::Kind::directive)
        pragma(i);
      else if (token.is("__shared__"))
        shared(i);
      else if (token.is("__constant__") || token.is("__device__") || token.is("__managed__"))
        symbol(i);
    }
    if (!at_file_scope_.empty())
      for (const Function& function : code_.functions) refer_by_qualified_names(function);
    for (const Function& function : code_.functions) {
      rewrite_body(function);
      if (mode_ == Mode::lens) mark_for_lens(source_, function, edits_);
    }
    if (mode_ == Mode::lens) {
      mark_structures(source_, code_, edits_);
      inline_for_lens(source_, code_, edits_);
    }
    for (int i = 0; i < count(); ++i) {
      if (at(i).system || !at(i).is_name()) continue;
      // An instrumented build has no assembly of its own: what the grader runs is made from it.
      if (mode_ == Mode::lens && is_asm(source_, i) && !edits_.is_erased(i))
        source_.fail(i, "asm: only inline PTX in device code is translated; this is assembly for the host");
      attribute(i);
      // The initial value of a member of a class: what a function has is rewritten with its body.
      if (at(i).is("threadIdx") && function_around(i) == nullptr) index_name(i);
    }

    std::string out = names_of_dynamic_memory();
    out.reserve(source_.text.size() + source_.text.size() / 8);
    int i = 0;
    for (const Function& function : code_.functions) {
      if (!function.is_kernel || function.body_open < i) continue;
      render(i, function.body_open, out);
      kernel_body(function, out);
      i = function.body_close;
    }
    render(i, count() - 1, out);
    if (dynamic_alignment_ > 128)  // which it always has
      out += "\nnamespace { const " + std::string(runtime) + "DynamicAlignment warplab_dynamic_alignment(" +
             std::to_string(dynamic_alignment_) + "); }\n";
    if (mode_ == Mode::lens)
      out +=
          "\nextern \"C\" { __attribute__((weak, visibility(\"default\"))) char warplab_is_instrumented = 1; "
          "}\n";
    return out;
  }

 private:
  int count() const { return static_cast<int>(source_.tokens.size()); }
  const Token& at(int i) const { return source_.at(i); }
  std::string& before(int i) { return edits_.before(i); }
  std::string& after(int i) { return edits_.after(i); }
  void erase(int first, int last) { edits_.erase(first, last); }
  void render(int first, int last, std::string& out) const { edits_.render(first, last, out); }
  std::string place(int i) const { return place_of(source_, i); }
  std::string line_marker(int i) const { return translator::line_marker(source_, i); }

  void pragma(int i) {
    std::string_view text = at(i).text;
    if (!text.starts_with("#pragma")) return;
    text.remove_prefix(7);
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    // Hints for nvcc. Loops are unrolled by g++ as it sees fit.
    if (text.starts_with("unroll") || text.starts_with("nounroll") || text.starts_with("nv_")) erase(i, i);
  }

  // --- Variables ---

  int statement_end(const int first) const {
    for (int i = first; i < count() && !at(i).is(")") && !at(i).is("]") && !at(i).is("}"); ++i) {
      if (at(i).is(";")) return i;
      if (at(i).is("(") || at(i).is("[") || at(i).is("{")) i = at(i).partner;
    }
    source_.fail(first, "this declaration does not end in a semicolon");
  }

  const Function* function_around(int i) const {
    for (const Function& function : code_.functions)
      if (function.body_open < i && i < function.body_close) return &function;
    return nullptr;
  }

  /// The opening brace of `__shared__ struct { ... } s;`, or -1.
  int braces_of_record(int shared) const {
    int i = source_.next(shared + 1);
    if (!at(i).is("struct") && !at(i).is("union") && !at(i).is("class")) return -1;
    i = source_.next(i + 1);
    return at(i).is("{") ? i : -1;
  }

  /// The same type with a name, on one line, so that it can be where the body begins.
  std::string record_definition(int shared, int brace, const std::string& name) const {
    std::string text = std::string(at(source_.next(shared + 1)).text) + " " + name + " " +
                       std::string(source_.text_of(brace, at(brace).partner)) + "; ";
    for (int j = brace; j < at(brace).partner; ++j)
      if (at(j).kind == Token::Kind::directive)
        source_.fail(shared, "give this type a name, before the variable");
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }

  /// What `extern __shared__ __align__(1024)` asks for; an expression may ask for as much.
  void note_dynamic_alignment(int first, int end, std::size_t alignment) {
    constexpr std::size_t largest = 1024;
    for (int j = first; j < end; ++j) {
      if (!at(j).is("__align__") && !at(j).is("alignas")) continue;
      const int number = source_.next(source_.next(j + 1) + 1);
      if (at(number).kind != Token::Kind::number || !at(source_.next(number + 1)).is(")"))
        alignment = largest;
    }
    dynamic_alignment_ = std::max(dynamic_alignment_, alignment);
  }

  /// The type that names an `extern __shared__` variable: one for all that C++ takes for the same variable.
  std::string dynamic_name(int i, const std::string& name) {
    std::vector<std::string> path = all_namespaces_around(source_, i);
    path.push_back(name);
    const auto known = dynamic_names_.emplace(std::move(path), dynamic_names_.size()).first;
    return "extern_shared_" + std::to_string(known->second) + "_" + name;
  }

  /// What comes before the file's first line.
  std::string names_of_dynamic_memory() const {
    if (dynamic_names_.empty()) return "";
    std::string text = "namespace { ";
    for (const auto& [path, number] : dynamic_names_)
      text += "struct extern_shared_" + std::to_string(number) + "_" + path.back() + "; ";
    return text + (source_.text.starts_with('#') ? "}\n" : "} ");
  }

  void shared(int i) {
    const int first = declaration_start(source_, i), end = statement_end(i);
    std::size_t alignment = 0;
    bool dynamic = false;
    for (int j = first; j < end; ++j) dynamic |= at(j).is("extern");
    std::string tags, replacement;
    std::vector<Declarator> variables;
    std::vector<std::string> values;  // by variable
    if (const int brace = braces_of_record(i); brace >= 0) {
      const std::string record = "WarplabRecord" + std::to_string(i);
      tags = record_definition(i, brace, record);
      variables = read_declarators(source_, at(brace).partner + 1, end, &alignment);
      for (Declarator& v : variables) v.type = record + v.type;
    } else {
      variables = read_declarators(source_, first, end, &alignment);
    }
    if (dynamic) note_dynamic_alignment(first, end, alignment);
    const Function* const function = function_around(i);
    std::string scope = function ? "" : "::";
    if (!function)
      for (const std::string& name : namespaces_around(source_, i)) scope += name + "::";
    for (const Declarator& v : variables) {
      if (v.is_initialised)
        source_.fail(
            i, "a __shared__ variable cannot be initialised: let a thread write it, then __syncthreads()");
      const std::string tag = "WarplabShared" + std::to_string(i) + "_" + v.name;
      // Functions of other namespaces use what is outside of functions: they find its type by way of the tag.
      const std::string type = function ? v.type : scope + tag + "::Type";
      if (!function)
        tags += "struct " + tag + " { using Type = " + v.type + "; }; ";
      else if (!dynamic)
        tags += "struct " + tag + "; ";
      values.push_back(dynamic ? "dynamic_shared<" + type + ", ::" + dynamic_name(i, v.name) + ">()"
                               : "static_shared<" + scope + tag + ", " + type + ">(" + quote(v.name) + ", " +
                                     std::to_string(alignment) + ", " + place(i) + ")");
      replacement += refer(v.name, values.back());
    }
    erase(first, end);
    if (function != nullptr) {
      before(first) += replacement;
      shared_.push_back({function->body_open, first, tags, replacement});
      return;
    }
    if (!at_namespace_scope(i))
      source_.fail(i, "a __shared__ variable must be in a kernel, in a __device__ function or at file scope");
    if (!tags.empty()) before(first) += "namespace { " + tags + "} ";
    for (std::size_t k = 0; k < variables.size(); ++k) refer_to(i, variables[k].name, values[k]);
  }

  static std::string refer(const std::string& name, const std::string& value) {
    return "[[maybe_unused]] auto& " + name + " = " + runtime + value + "; ";
  }

  /// Of a variable at file scope: every function whose body means it gets the reference. Of several with one
  /// name, a function means that of the namespace around it.
  void refer_to(int i, const std::string& name, const std::string& value) {
    const std::string reference = refer(name, value);
    at_file_scope_.push_back({name, namespaces_around(source_, i), value});
    int open = i;  // of the namespace
    while (open >= 0 && !(at(open).is("{") && at(open).partner > i)) --open;
    for (const Function& user : code_.functions) {
      if (user.body_open < i || !user.names.contains(name)) continue;
      if (declaration_around(source_, user.body_open, name) >= 0) continue;  // a parameter, say
      std::map<std::string, std::string>& known = file_scope_[user.body_open];
      if (open < 0 || user.body_open < at(open).partner)
        known[name] = reference;
      else
        known.emplace(name, reference);
    }
  }

  /// Where a function says `a::tile`, it gets a reference to the variable of that namespace, and says that
  /// reference's name.
  void refer_by_qualified_names(const Function& user) {
    const std::vector<std::string> around = namespaces_around(source_, user.body_open);
    for (int i = user.body_open; i < user.body_close; ++i) {
      const std::optional<QualifiedName> name = qualified_name(source_, i);
      const FileScopeVariable* const meant = name ? variable_meant(*name, at(i).text, around) : nullptr;
      if (meant == nullptr) continue;
      const std::string own =
          "warplab_shared_" + std::to_string(meant - at_file_scope_.data()) + "_" + meant->name;
      file_scope_[user.body_open][own] = refer(own, meant->value);
      erase(name->first, i);
      before(name->first) += own;
    }
  }

  /// The variable that C++ finds: in the innermost of the namespaces around the use where there is one.
  const FileScopeVariable* variable_meant(const QualifiedName& name, std::string_view last,
                                          std::vector<std::string> around) const {
    if (name.is_global) around.clear();
    for (;; around.pop_back()) {
      std::vector<std::string> path = around;
      path.insert(path.end(), name.namespaces.begin(), name.namespaces.end());
      for (const FileScopeVariable& variable : at_file_scope_)
        if (variable.name == last && variable.namespaces == path) return &variable;
      if (around.empty()) return nullptr;
    }
  }

  /// What a function's body begins with.
  std::string file_scope_of(int body) const {
    std::string text;
    if (const auto known = file_scope_.find(body); known != file_scope_.end())
      for (const auto& [name, reference] : known->second) text += reference;
    return text;
  }

  /// Whether the kernel's body declares a variable with the name of one at file scope. Its own begins a
  /// block.
  bool hides_file_scope(const Function& kernel) const {
    const auto known = file_scope_.find(kernel.body_open);
    return known != file_scope_.end() &&
           std::any_of(known->second.begin(), known->second.end(), [&](const auto& variable) {
             return is_declared_in_body(source_, kernel.body_open, kernel.body_close, variable.first);
           });
  }

  // Whether token i is at namespace scope.
  bool at_namespace_scope(int i) const {
    for (int j = i; j >= 0; --j) {
      if (at(j).is("}") || at(j).is(")") || at(j).is("]")) {
        j = at(j).partner;
        continue;
      }
      if (at(j).is("(")) return false;
      if (!at(j).is("{")) continue;
      const int start = declaration_start(source_, j);
      bool is_namespace = false;
      for (int k = start; k < j; ++k)
        is_namespace |= at(k).is("namespace") || (at(k).is("extern") && !is_namespace);
      if (!is_namespace) return false;
    }
    return true;
  }

  void symbol(int i) {
    bool is_variable = false;
    for (int j = source_.next(i + 1); j >= 0; j = source_.next(j + 1)) {
      if (at(j).is("(") && !at(source_.previous(j - 1)).is("__align__") &&
          !at(source_.previous(j - 1)).is("alignas"))
        return;
      if (at(j).is("(")) j = at(j).partner;
      if (at(j).is("operator") || at(j).is("__shared__")) return;
      if (at(j).is(";") || at(j).is("=") || at(j).is("{") || at(j).is("[")) {
        is_variable = at(j).is(";") || at(j).is("=") || at(j).is("{") ||
                      (at(j).is("[") && at(source_.previous(j - 1)).is_name());
        break;
      }
    }
    if (!is_variable || !at_namespace_scope(i)) return;
    const int first = declaration_start(source_, i), end = statement_end(i);
    if (end >= count() || at(first).is("template") || at(first).is("typedef") || at(first).is("using"))
      return;
    bool constant = false, is_extern = false, earlier = false;
    for (int j = first; j < end && !at(j).is("="); ++j) {
      constant |= at(j).is("__constant__");
      is_extern |= at(j).is("extern");
      earlier |= j < i && (at(j).is("__constant__") || at(j).is("__device__") || at(j).is("__managed__"));
      if (at(j).is("struct") || at(j).is("class")) {
        const int brace = source_.next(source_.next(j + 1) + 1);
        if (brace >= 0 && at(brace).is("{")) return;
      }
    }
    if (earlier || (is_extern && mode_ != Mode::lens)) return;
    std::size_t alignment = 0;
    const std::vector<Declarator> variables = read_declarators(source_, first, end, &alignment);
    if (is_extern) {
      erase(first, end);
      for (const Declarator& v : variables) {
        before(first) += "extern " + reference_to(v.type) + v.name + "; ";
        declared_symbols_.insert(v.name);
      }
      return;
    }
    if (mode_ == Mode::lens) return share_symbol(first, end, variables, constant);
    for (const Declarator& v : variables) {
      if (constant)
        after(end) +=
            " static_assert(sizeof(" + v.name + ") <= 65536, \"__constant__ memory has 65536 bytes\");";
      after(end) += " static const " + std::string(runtime) + "SymbolRegistration warplab_symbol_" + v.name +
                    "(&" + v.name + ", sizeof(" + v.name + "), " + quote(v.name) +
                    (constant ? ", true, " : ", false, ") + place(first) + ");";
    }
  }

  static std::string reference_to(const std::string& type) {
    return std::string(runtime) + "Identity<" + type + ">& ";
  }

  // Instrumented kernels use the variable of the module beside which it is loaded.
  void share_symbol(int first, int end, const std::vector<Declarator>& variables, bool constant) {
    std::string storage;
    for (int j = first; j < end && !at(j).is("="); ++j)
      if (at(j).is("static") || at(j).is("inline")) storage = std::string(at(j).text) + " ";
    for (const Declarator& v : variables) {
      int name = first;
      while (!at(name).is(v.name)) ++name;
      const std::string own = "warplab_own_" + v.name;
      erase(name, name);
      before(name) += own;
      // As it was declared before, in a header; else as what it refers to.
      const std::string type = declared_symbols_.contains(v.name) ? reference_to(v.type) : "auto& ";
      after(end) += " " + storage + type + v.name + " = *" + runtime + "original_symbol(&" + own + ", " +
                    quote(v.name) + (constant ? ", true, " : ", false, ") + place(first) + ");";
    }
  }

  // --- Functions ---

  void rewrite_body(const Function& function) {
    const int open = function.body_open, close = function.body_close;
    if (!function.is_kernel) {
      if (const std::string file_scope = file_scope_of(open); !file_scope.empty()) {
        after(open) += file_scope + "{ ";
        before(close).insert(0, "} ");
      }
      for (const SharedDeclaration& declaration : shared_)
        if (declaration.body == open) after(open) += declaration.tags;
    }
    for (int i = open + 1; i < close; ++i) {
      if (!at(i).is_name()) continue;
      if (is_asm(source_, i) && !edits_.is_erased(i)) rewrite_inline_ptx(source_, i, edits_);
      if (function.is_kernel && (at(i).is("throw") || at(i).is("try")) && !at(source_.next(i + 1)).is("("))
        source_.fail(i, "kernels have no exceptions");
      if (at(i).text.starts_with("__syncthreads")) barrier(i);
      if (at(i).is("clock")) device_clock(i);
      if (!function.is_kernel) index_name(i);
    }
  }

  // The runtime may ask the kernel for its clusters' shape, where that depends on the template's parameters.
  void answer_cluster_query(const Function& kernel, std::string& out) const {
    const std::string r = runtime;
    const std::string& shape = kernel.cluster_shape;
    out += "if (" + r + "cluster_query != nullptr) { " +
           (shape.empty() ? "" : "*" + r + "cluster_query = ::dim3(" + shape + "); ") + "return; } ";
    if (mode_ != Mode::lens && !shape.empty())
      out += "static_cast<void>(&" + r + "cluster_of_kernel<&" + kernel.name + "<" +
             kernel.template_arguments + ">, " + shape + ">); ";
  }

  // Behind a kernel's opening brace: what runs its body for each thread. The body is written a second time,
  // region by region, where its barriers allow that.
  void kernel_body(const Function& kernel, std::string& out) {
    const int open = kernel.body_open, close = kernel.body_close;
    const std::string r = runtime;
    // Qualified: a parameter of the kernel may be called dim3.
    out += " [[maybe_unused]] const ::uint3 blockIdx = " + r +
           "current_indices.block; [[maybe_unused]] const ::dim3 blockDim = " + r +
           "current_indices.block_dim, gridDim = " + r + "current_indices.grid_dim; ";
    if (code_.shaped.contains(kernel.name)) answer_cluster_query(kernel, out);
    for (const SharedDeclaration& declaration : shared_)
      if (declaration.body == open) out += declaration.tags;
    const std::string parameter = "[=]([[maybe_unused]] const ::uint3 threadIdx) mutable ";
    const std::string file_scope = file_scope_of(open);
    const std::string begin_block = file_scope.empty() ? "" : file_scope + "{ ";
    const std::string end_block = file_scope.empty() ? "" : "} ";

    const std::string otherwise = "}); return; }" + line_marker(open + 1);
    if (mode_ == Mode::lens) {
      // Recorded threads each run on a fiber.
    } else if (const std::vector<BarrierStatement> barriers = region_barriers(source_, code_, kernel);
               !barriers.empty() && !hides_file_scope(kernel)) {
      out += "if (" + r + "current_block.in_place) { " + r + "run_regions(" + parameter +
             "WARPLAB_KERNEL_BODY { " + file_scope;
      int i = open + 1;
      for (const BarrierStatement& barrier : barriers) {
        render(i, barrier.first - 1, out);
        out += "return [=]() mutable WARPLAB_KERNEL_BODY { " + file_scope;
        for (const SharedDeclaration& declaration : shared_)
          if (declaration.body == open && declaration.first < barrier.first &&
              is_outermost(source_, declaration.first, open))
            out += declaration.replacement;
        i = barrier.last + 1;
      }
      render(i, close - 1, out);
      for (std::size_t k = 0; k < barriers.size(); ++k) out += "}; ";
      out += otherwise;
    } else if (!coroutine_barriers(source_, code_, kernel).empty()) {
      out += "if (" + r + "current_block.in_place) { " + r + "run_coroutines(" + parameter + "-> " + r +
             "ThreadRun { " + begin_block;
      for (int i = open + 1; i < close; ++i) {
        if (at(i).is("__syncthreads"))
          out += "co_await " + r + "BarrierPoint";
        else if (at(i).is("return"))
          out += "co_return";
        else
          render(i, i, out);
      }
      out += " " + end_block + "co_return; " + otherwise;
    }
    out += r + "run_threads<" + r +
           "Threads::" + (kernel.waits || mode_ == Mode::lens ? "fibers" : "in_place") + ">(" + parameter +
           "WARPLAB_KERNEL_BODY -> void {" + begin_block;
    render(open + 1, close - 1, out);
    out += end_block + "}); ";
  }

  // Gives a barrier an identity that its line would not: one line may have two.
  void barrier(int i) {
    const int open = source_.next(i + 1);
    if (open < 0 || !at(open).is("(")) return;
    const bool empty = source_.next(open + 1) == at(open).partner;
    before(at(open).partner) +=
        std::string(empty ? "" : ", ") + "__builtin_FILE(), __builtin_LINE(), " + std::to_string(i);
  }

  // clock() of the device, where the C library's has the same name.
  void device_clock(int i) {
    const int open = source_.next(i + 1), left = source_.previous(i - 1);
    if (!at(open).is("(") || source_.next(open + 1) != at(open).partner || at(left).is(".") ||
        at(left).is(":") || at(left).is(">"))
      return;
    erase(i, i);
    after(i).insert(0, std::string(runtime) + "device_clock");
  }

  void index_name(int i) {
    static constexpr std::array<std::array<const char*, 2>, 4> names{
        {{"threadIdx", "thread"}, {"blockIdx", "block"}, {"blockDim", "block_dim"}, {"gridDim", "grid_dim"}}};
    const int left = source_.previous(i - 1);
    if (left >= 0 && (at(left).is(".") || (at(left).is(":") && at(left - 1).is(":")) ||
                      (at(left).is(">") && at(left - 1).is("-"))))
      return;
    for (const auto& [name, member] : names)
      if (at(i).is(name) && !edits_.is_erased(i)) {
        erase(i, i);
        // In the place of the name, so that what is put around it stays around it.
        after(i).insert(0, std::string("(") + runtime + "current_indices." + member + ")");
      }
  }

  // Behind a kernel that is declared with the shape of its clusters, makes that known.
  void cluster_shape(int i, int open) {
    if (mode_ == Mode::lens || open < 0 || !at(open).is("(")) return;
    int name = -1, j = source_.next(at(open).partner + 1);
    for (; j >= 0 && !at(j).is("{") && !at(j).is(";"); j = source_.next(j + 1)) {
      if (!at(j).is("(")) continue;
      const int word = source_.previous(j - 1);
      if (name < 0 && at(word).is_name() && !at(word).text.starts_with("__")) name = word;
      j = at(j).partner;
    }
    if (name < 0 || j < 0) source_.fail(i, "__cluster_dims__ belongs to a kernel");
    const std::string kernel(at(name).text);
    const int start = declaration_start(source_, i);
    const bool is_template = at(start).is("template");
    if (is_template && code_.shaped.contains(kernel)) return;  // the body makes it known
    for (int k = open + 1; k < at(open).partner; ++k)
      for (int t = start; is_template && at(k).is_name() && t < i; ++t)
        if (at(t).is(at(k).text))
          source_.fail(i,
                       "__cluster_dims__ that depends on the template's parameters must be written where the "
                       "kernel is defined, in the same file");
    after(at(j).is("{") ? at(j).partner : j) +=
        " [[maybe_unused]] static const " + std::string(runtime) + "ClusterRegistration warplab_cluster_" +
        std::to_string(i) + "(" +
        (is_template ? quote(kernel) : "reinterpret_cast<const void*>(&" + kernel + ")") + ", " +
        std::string(source_.text_of(open + 1, at(open).partner - 1)) + ");";
  }

  void attribute(int i) {
    static constexpr std::array plain{"__global__",  "__device__",        "__host__",   "__constant__",
                                      "__managed__", "__grid_constant__", "__nv_pure__"};
    static constexpr std::array with_arguments{"__launch_bounds__", "__cluster_dims__", "__maxnreg__",
                                               "__block_size__"};
    const std::string_view word = at(i).text;
    if (std::find(plain.begin(), plain.end(), word) != plain.end()) erase(i, i);
    if (std::find(with_arguments.begin(), with_arguments.end(), word) != with_arguments.end()) {
      const int open = source_.next(i + 1);
      if (word == "__cluster_dims__") cluster_shape(i, open);
      erase(i, open >= 0 && at(open).is("(") ? at(open).partner : i);
    }
    if (word == "__forceinline__" || word == "__noinline__") {
      const int left = source_.previous(i - 1), right = source_.next(i + 1);
      if (right >= 0 && at(right).is("_")) return;
      if (left >= 0 && at(left).is("(")) return;  // inside __attribute__((...))
      bool says_inline = false;
      for (int j = declaration_start(source_, i); j >= 0 && !at(j).is("(") && !at(j).is("{");
           j = source_.next(j + 1))
        says_inline |= at(j).is("inline") || at(j).is("__inline__");
      erase(i, i);
      before(i) += word == "__noinline__"
                       ? "__attribute__((noinline))"
                       : std::string("__attribute__((always_inline))") + (says_inline ? "" : " inline");
    }
    if (word == "__align__") {
      const int open = source_.next(i + 1);
      if (open < 0 || !at(open).is("(") || edits_.is_erased(i)) return;
      erase(i, i);
      before(i) += "__attribute__((aligned";
      after(at(open).partner) += "))";
    }
  }

  Source source_;
  DeviceCode code_;
  Edits edits_;
  Mode mode_;
  struct SharedDeclaration {
    int body, first;  ///< the function's brace; the declaration's first token
    std::string tags, replacement;
  };
  std::vector<SharedDeclaration> shared_;
  std::size_t dynamic_alignment_ = 0;
  std::map<std::vector<std::string>, std::size_t> dynamic_names_;  ///< with their namespaces, numbered
  std::set<std::string> declared_symbols_;                         ///< `extern __device__`
  /// References to shared variables declared outside functions: by the function's brace, then by name.
  std::map<int, std::map<std::string, std::string>> file_scope_;
  std::vector<FileScopeVariable> at_file_scope_;
};

}  // namespace

std::string translate(std::string preprocessed, Mode mode) {
  return Translator(std::move(preprocessed), mode).run();
}

}  // namespace warplab::translator
