#include "emulator/translator/translate.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "emulator/translator/code/edits.hpp"
#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/scope.hpp"
#include "emulator/translator/code/token.hpp"
#include "emulator/translator/device_variables.hpp"
#include "emulator/translator/launches.hpp"
#include "emulator/translator/local_arrays.hpp"
#include "emulator/translator/markers.hpp"
#include "emulator/translator/ptx/inline_ptx.hpp"
#include "emulator/translator/regions/expressions.hpp"
#include "emulator/translator/regions/regions.hpp"
#include "emulator/translator/shared_variables.hpp"
#include "emulator/translator/structures.hpp"

namespace warplab::translator {
namespace {

class Translator {
 public:
  Translator(std::string text, Mode mode, const std::vector<std::string>& libraries)
      : source_(tokenize(std::move(text), libraries)),
        code_(find_device_code(source_)),
        edits_(source_),
        mode_(mode) {}

  std::string run() {
    rewrite_launches(source_, code_, edits_);
    for (int i = 0; i < count(); ++i) {
      const Token& token = at(i);
      if (token.system) continue;
      if (token.kind == Token::Kind::directive)
        pragma(i);
      else if (token.is("__shared__"))
        shared_.declare(i);
      else if (token.is("__constant__") || token.is("__device__") || token.is("__managed__"))
        variables_.declare(i);
    }
    shared_.refer_by_qualified_names();
    for (const Function& function : code_.functions) {
      rewrite_body(function);
      if (mode_ != Mode::plain) mark_for_lens(source_, function, code_, names_of_file_, edits_);
    }
    if (mode_ != Mode::plain) {
      mark_structures(source_, code_, mode_ == Mode::lens, edits_);
      inline_for_lens(source_, code_, edits_);
    }
    for (int i = 0; i < count(); ++i) {
      if (at(i).system || !at(i).is_name()) continue;
      // What the grader runs has no assembly of its own.
      if (mode_ == Mode::graded && is_asm(source_, i) && !edits_.is_erased(i))
        source_.fail(i, "asm: only inline PTX in device code is translated; this is assembly for the host");
      attribute(i);
      // The initial value of a member of a class: what a function has is rewritten with its body.
      // A variable of the host may have the name too: in a library only the thread's own are meant.
      if ((at(i).is("threadIdx") ||
           (is_index_name(i) && (source_.is_of_library(i) || is_default_argument(i)))) &&
          function_around(code_, i) == nullptr && at(source_.next(i + 1)).is("."))
        index_name(i);
    }

    std::string out = shared_.names_of_dynamic_memory();
    out.reserve(source_.text.size() + source_.text.size() / 8);
    int i = 0;
    for (const Function& function : code_.functions) {
      if (function.body_open < i) continue;
      if (!function.is_kernel) {
        if (mode_ == Mode::plain) i = write_by_regions(function, i, out);
        continue;
      }
      render(i, function.body_open, out);
      kernel_body(function, out);
      i = function.body_close;
    }
    render(i, count() - 1, out);
    out += shared_.alignment_of_dynamic_memory();
    if (mode_ != Mode::plain)
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
  std::string line_marker(int i) const { return translator::line_marker(source_, i); }

  void pragma(int i) {
    std::string_view text = at(i).text;
    if (!text.starts_with("#pragma")) return;
    text.remove_prefix(7);
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    // Hints for nvcc. Loops are unrolled by g++ as it sees fit.
    if (text.starts_with("unroll") || text.starts_with("nounroll") || text.starts_with("nv_")) erase(i, i);
  }

  void rewrite_body(const Function& function) {
    const int open = function.body_open, close = function.body_close;
    if (!function.is_kernel) {
      if (const std::string file_scope = shared_.file_scope_of(open); !file_scope.empty()) {
        after(open) += file_scope + "{ ";
        before(close).insert(0, "} ");
      }
      after(open) += shared_.tags_of(open);
    }
    for (int i = open + 1; i < close; ++i) {
      if (!at(i).is_name()) continue;
      if (is_asm(source_, i) && !edits_.is_erased(i)) rewrite_inline_ptx(source_, i, edits_);
      if (function.is_kernel && (at(i).is("throw") || at(i).is("try")) && !at(source_.next(i + 1)).is("("))
        source_.fail(i, "kernels have no exceptions");
      if (at(i).text.starts_with("__syncthreads")) barrier(i);
      if (at(i).is("clock")) device_clock(i);
      // The recorder polls at every read of a volatile variable.
      if (function.waits && mode_ == Mode::plain) poll_in_loop_that_waits(i);
      if (!function.is_kernel || (is_index_name(i) && sees_no_locals(source_, open, i))) index_name(i);
      if (function.is_kernel && (at(i).is("__func__") || at(i).is("__FUNCTION__")))
        function_name(i, function);
    }
  }

  /// The body of a kernel becomes that of a lambda.
  void function_name(int i, const Function& kernel) {
    if (edits_.is_erased(i)) return;
    erase(i, i);
    after(i).insert(0, quote(kernel.name));
  }

  /// What a loop waits for may be for other threads to do, if it has no body or looks at what is volatile:
  /// `while (flag == 0) {}`, `do { seen = flags[i]; } while (seen == 0);`.
  void poll_in_loop_that_waits(int i) {
    int body = -1, last = -1;
    if (at(i).is("do")) {
      body = source_.next(i + 1);
      if (at(body).is("{")) last = source_.next(source_.next(at(body).partner + 1) + 1);
    } else if ((at(i).is("while") && !ends_do_loop(i)) || at(i).is("for")) {
      const int open = source_.next(i + 1);
      if (open >= 0 && at(open).is("(")) body = source_.next(at(open).partner + 1);
      if (body >= 0 && at(i).is("while")) last = body;
    }
    if (body < 0) return;
    const std::string poll = " " + std::string(runtime) + "note_idle_poll()";
    if (at(body).is(";"))
      before(body) += poll;
    else if (at(body).is("{") && (source_.next(body + 1) == at(body).partner || looks_at_volatile(i, last)))
      after(body) += poll + "; ";
  }

  /// Whether a loop looks at a volatile variable from token i to `last`, or to what closes it.
  bool looks_at_volatile(int i, int last) const {
    if (last < 0) return false;
    if (at(last).partner > last) last = at(last).partner;
    for (int j = i; j >= 0 && j <= last; j = source_.next(j + 1))
      if (code_.polls.contains(j) ||
          (at(j).is("volatile") && !at(source_.previous(j - 1)).text.starts_with("__asm") &&
           !at(source_.previous(j - 1)).is("asm")))
        return true;
    return false;
  }

  /// Whether the `while` at token i is that of `do ... while`.
  bool ends_do_loop(int i) const {
    const int last = source_.previous(i - 1);
    if (last < 0) return false;
    const int first = at(last).is("}")   ? source_.previous(at(last).partner - 1)
                      : at(last).is(";") ? declaration_start(source_, last)
                                         : -1;
    return first >= 0 && at(first).is("do");
  }

  // The runtime may ask the kernel for its clusters' shape, where that depends on the template's parameters.
  void answer_cluster_query(const Function& kernel, std::string& out) const {
    const std::string r = runtime;
    const std::string& shape = kernel.cluster_shape;
    out += "if (" + r + "cluster_query != nullptr) { " +
           (shape.empty() ? "" : "*" + r + "cluster_query = ::dim3(" + shape + "); ") + "return; } ";
    if (mode_ == Mode::plain && !shape.empty())
      out += "static_cast<void>(&" + r + "cluster_of_kernel<&" + kernel.name + "<" +
             kernel.template_arguments + ">, " + shape + ">); ";
  }

  // After a kernel's opening brace: what runs its body for each thread. The body is written a second time,
  // region by region, where its barriers allow that.
  void kernel_body(const Function& kernel, std::string& out) {
    const int open = kernel.body_open, close = kernel.body_close;
    const std::string r = runtime;
    // Qualified: a parameter of the kernel may be called dim3.
    out += " [[maybe_unused]] const ::uint3 blockIdx = " + r +
           "current_indices.block; [[maybe_unused]] const ::dim3 blockDim = " + r +
           "current_indices.block_dim, gridDim = " + r + "current_indices.grid_dim; ";
    if (code_.shaped.contains(kernel.name)) answer_cluster_query(kernel, out);
    out += shared_.tags_of(open);
    const std::string parameter =
        "[=" + captured_by_reference(kernel) + "]([[maybe_unused]] const ::uint3 threadIdx) mutable ";
    const std::string file_scope = shared_.file_scope_of(open);
    const std::string begin_block = file_scope.empty() ? "" : file_scope + "{ ";
    const std::string end_block = file_scope.empty() ? "" : "} ";

    if (mode_ == Mode::plain)  // recorded threads each run on a fiber
      if (kernel.prints || !run_by_regions(kernel, begin_block, end_block, out))
        run_as_coroutines(kernel, parameter, begin_block, end_block, out);
    // What prints does so in the order of the threads' numbers, as the lanes of a warp do.
    const bool on_fibers = kernel.waits || kernel.prints || mode_ != Mode::plain;
    const bool undestroyed = takes_objects(kernel);
    const std::vector<std::string> unaliased =
        mode_ != Mode::plain ? unaliased_parameters(kernel) : std::vector<std::string>();
    out += r + "run_threads<" + r + "Threads::" + (on_fibers ? "fibers" : "in_place") + ">(" +
           (undestroyed ? r + "Undestroyed{" : "") + parameter + "WARPLAB_KERNEL_BODY -> void {" +
           begin_block + begin_unaliased(unaliased);
    render(open + 1, close - 1, out);
    out += end_unaliased(unaliased) + end_block + (undestroyed ? "}}); " : "}); ");
  }

  /// The numbers and pointers among the parameters of a kernel with a `__restrict__` pointer; none without
  /// one.
  std::vector<std::string> unaliased_parameters(const Function& kernel) const {
    std::vector<std::string> names;
    bool any = false;
    for (const Variable& parameter : parameters_of(kernel).value_or(std::vector<Variable>())) {
      if (parameter.name < 0 || parameter.is_reference || !(parameter.is_plain || parameter.is_pointer))
        continue;
      const Token& left = at(source_.previous(parameter.name - 1));
      any |= parameter.is_pointer && (left.is("__restrict__") || left.is("__restrict"));
      names.emplace_back(at(parameter.name).text);
    }
    return any ? names : std::vector<std::string>();
  }

  /// g++ heeds `__restrict__` only of parameters of a function that it does not inline: around the body is
  /// one.
  static std::string begin_unaliased(const std::vector<std::string>& names) {
    if (names.empty()) return "";
    std::string text =
        "[&](const ::uint3 threadIdx, const ::uint3 blockIdx, const ::dim3 blockDim, "
        "const ::dim3 gridDim";
    for (const std::string& name : names) text += ", decltype(" + name + ") " + name;
    return text + ") __attribute__((noinline)) -> void { ";
  }

  static std::string end_unaliased(const std::vector<std::string>& names) {
    if (names.empty()) return "";
    std::string text = "}(threadIdx, blockIdx, blockDim, gridDim";
    for (const std::string& name : names) text += ", " + name;
    return text + "); ";
  }

  /// ", &a, &b" of a kernel's parameters that are references: a copy would be of what they refer to.
  std::string captured_by_reference(const Function& kernel) const {
    std::string captured;
    for (const Variable& parameter : parameters_of(kernel).value_or(std::vector<Variable>()))
      if (parameter.is_reference && parameter.name >= 0)
        captured += ", &" + std::string(at(parameter.name).text);
    return captured;
  }

  /// None if they are not understood.
  std::optional<std::vector<Variable>> parameters_of(const Function& kernel) const {
    const int closing = source_.previous(kernel.body_open - 1);
    std::vector<Variable> parameters;
    if (!at(closing).is(")") || !read_parameters(source_, at(closing).partner, parameters))
      return std::nullopt;
    return parameters;
  }

  /// Whether a kernel has parameters that are neither numbers nor pointers: they may have destructors.
  bool takes_objects(const Function& kernel) const {
    const std::optional<std::vector<Variable>> parameters = parameters_of(kernel);
    return !parameters || std::any_of(parameters->begin(), parameters->end(), [](const Variable& parameter) {
      return !parameter.is_plain && !parameter.is_pointer && !parameter.is_reference;
    });
  }

  /// Behind a device function, the same function for all threads of a block, where it can be written so.
  /// @return the token to go on with
  int write_by_regions(const Function& function, int i, std::string& out) {
    std::optional<RegionFunction> regions =
        function_in_regions(source_, code_, names_, calls_, function, edits_);
    if (!regions) return i;
    render(i, function.body_close, out);
    const int open = function.body_open;
    const std::string file_scope = shared_.file_scope_of(open);
    out += " " + regions->head + "{ " + shared_.tags_of(open) + regions->begin + file_scope +
           (file_scope.empty() ? "" : "{ ") + regions->body + (file_scope.empty() ? "" : "} ") +
           regions->end + "} " + line_marker(function.body_close + 1);
    calls_.add(function.name, std::move(regions->call));
    return function.body_close + 1;
  }

  /// @return whether that will do for all types, if the kernel is a template
  bool run_by_regions(const Function& kernel, const std::string& begin, const std::string& end,
                      std::string& out) {
    const std::optional<RegionBody> regions = in_regions(source_, code_, names_, calls_, kernel, edits_);
    if (!regions) return false;
    const std::string& condition = regions->condition;
    if (!condition.empty()) out += "if constexpr (" + condition + ") { ";
    const std::string r = runtime;
    out += "if (" + r + "current_block.in_place" +
           (regions->divides_warps ? " && " + r + "warps_lie_in_rows()" : "") + ") { " + begin +
           regions->text + end + (condition.empty() ? "return; }" : "return; } }") +
           line_marker(kernel.body_open + 1);
    return condition.empty();
  }

  /// Whether `extern "C"` is said of the declaration at token i, or around it.
  bool is_in_extern_c(int i) const {
    const auto begins = [&](int first) {
      return at(first).is("extern") && at(source_.next(first + 1)).is("\"C\"");
    };
    if (begins(declaration_start(source_, i))) return true;
    for (int j = source_.previous(i - 1); j >= 0; j = source_.previous(j - 1)) {
      if (at(j).partner >= 0 && at(j).partner < j) j = at(j).partner;
      if (at(j).is("{") && at(j).partner > i && begins(declaration_start(source_, j))) return true;
    }
    return false;
  }

  /// g++ 12 gives two functions of a coroutine one name, if it is a lambda in a function with C linkage; but
  /// not if the lambda is generic.
  bool has_c_linkage(const Function& kernel) const {
    for (int i = 0; i < kernel.body_open; ++i)
      if (!at(i).system && at(i).is(kernel.name) && at(source_.next(i + 1)).is("(") && is_in_extern_c(i))
        return true;
    return false;
  }
  static std::string as_template(std::string lambda) { return lambda.insert(lambda.rfind(')'), ", auto..."); }

  void run_as_coroutines(const Function& kernel, const std::string& parameter, const std::string& begin,
                         const std::string& end, std::string& out) const {
    if (!can_be_coroutines(source_, code_, kernel)) return;
    const std::string r = runtime;
    const bool undestroyed = takes_objects(kernel);
    out += "if (" + r + "current_block.in_place) { " + r + "run_coroutines(" +
           (undestroyed ? r + "Undestroyed{" : "") +
           (has_c_linkage(kernel) ? as_template(parameter) : parameter) + "-> " + r + "ThreadRun { " + begin;
    // On a stack g++ aligns arrays to 16 bytes, but in a coroutine's frame only types with an alignment of
    // their own. Kernels access arrays of floats as float4, which nvcc allows where it keeps them in
    // registers.
    const std::vector<ArrayDeclaration> arrays = array_declarations(source_, kernel);
    auto array = arrays.begin();
    for (int i = kernel.body_open + 1; i < kernel.body_close; ++i) {
      if (array != arrays.end() && array->begin == i)
        out += "struct WarplabArrays" + std::to_string(i) + " { alignas(16) ";
      if (at(i).is("__syncthreads"))
        out += "co_await " + r + "BarrierPoint";
      else if (at(i).is("return"))
        out += "co_return";
      else
        render(i, i, out);
      if (array == arrays.end() || array->end != i) continue;
      const std::string kept = "warplab_arrays_" + std::to_string(array->begin);
      out += " } " + kept + "; ";
      for (const std::string& name : array->names) out += "auto& " + name + " = " + kept + "." + name + "; ";
      ++array;
    }
    out += " " + end + (undestroyed ? "co_return; }}); return; }" : "co_return; }); return; }") +
           line_marker(kernel.body_open + 1);
  }

  // Gives a barrier an identity that its line would not: one line may have two. A class in a function has
  // functions of its own, so that one is met twice.
  void barrier(int i) {
    if (!barriers_.insert(i).second) return;
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

  /// Whether token i is between the parentheses after the name of a device function.
  bool is_default_argument(int i) const {
    for (int j = source_.previous(i - 1); j >= 0; j = source_.previous(j - 1)) {
      if (at(j).is(")") || at(j).is("]") || at(j).is("}")) j = at(j).partner;
      if (j < 0 || at(j).is(";") || at(j).is("{")) return false;
      if (!at(j).is("(")) continue;
      for (int k = declaration_start(source_, j); k >= 0 && k < j; k = source_.next(k + 1))
        if (at(k).is("__device__")) return true;
    }
    return false;
  }

  bool is_index_name(int i) const {
    return at(i).is("threadIdx") || at(i).is("blockIdx") || at(i).is("blockDim") || at(i).is("gridDim");
  }

  void index_name(int i) {
    static constexpr std::array<std::array<const char*, 2>, 4> names{
        {{"threadIdx", "thread"}, {"blockIdx", "block"}, {"blockDim", "block_dim"}, {"gridDim", "grid_dim"}}};
    const int left = source_.previous(i - 1);
    if (left >= 0 && (at(left).is(".") || (at(left).is(":") && at(left - 1).is(":")) ||
                      (at(left).is(">") && at(left - 1).is("-"))))
      return;
    if (is_index_name(i) && is_users_own(source_, i)) return;
    for (const auto& [name, member] : names)
      if (at(i).is(name) && !edits_.is_erased(i)) {
        erase(i, i);
        // In the place of the name, so that what is put around it stays around it.
        after(i).insert(0, std::string("(") + runtime + "current_indices." + member + ")");
      }
  }

  // After a kernel that is declared with the shape of its clusters: makes that known.
  void cluster_shape(int i, int open) {
    if (mode_ != Mode::plain || open < 0 || !at(open).is("(")) return;
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
  FileNames names_{find_names(source_)};
  WarpCalls calls_{source_};  ///< of the functions that are written so far
  Edits edits_;
  Mode mode_;
  NamesOfFile names_of_file_;
  std::set<int> barriers_;  ///< that have an identity
  SharedVariables shared_{source_, code_, edits_};
  DeviceVariables variables_{source_, edits_, mode_};
};

}  // namespace

std::string translate(std::string preprocessed, Mode mode, const std::vector<std::string>& libraries) {
  return Translator(std::move(preprocessed), mode, libraries).run();
}

}  // namespace warplab::translator
