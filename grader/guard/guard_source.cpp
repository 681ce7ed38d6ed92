// Looks at the text that a student hands in, and at what the preprocessor makes of it. Both give good
// messages; what must hold in any case is held by guard_assembly.cpp and by the emulator's strict mode.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "grader/guard/guard.hpp"

namespace warplab {
namespace {

bool is_name_begin(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// No other name makes a literal raw: after a macro called xR an ordinary one begins.
bool is_raw_prefix(std::string_view name) {
  return name == "R" || name == "LR" || name == "uR" || name == "UR" || name == "u8R";
}

std::string_view without_white_space(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\v\f");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\v\f") - begin + 1);
}

struct Token {
  std::string_view text;
  int line;
};

/// Names and punctuation of C++ text; comments, numbers and literals are left out, and lines that end in a
/// backslash are joined.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  int line = 1;

  /// The next token; nothing at the end. A newline is the token "\n".
  std::optional<Token> next() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') return take(1, line++);
      if (c == '\\' && at_ + 1 < text_.size() &&
          (text_[at_ + 1] == '\n' || text_.substr(at_ + 1, 2) == "\r\n")) {
        at_ += text_[at_ + 1] == '\n' ? 2 : 3;
        ++line;
      } else if (text_.substr(at_, 2) == "//") {
        skip_comment();
      } else if (text_.substr(at_, 2) == "/*") {
        const std::size_t end = std::min(text_.find("*/", at_ + 2), text_.size() - 2);
        count_lines(end + 2);
      } else if (is_name_begin(c) || static_cast<unsigned char>(c) >= 0x80) {
        const int begun = line;
        const std::string_view name = word();
        if (at_ < text_.size() && text_[at_] == '"' && is_raw_prefix(name))
          raw_literal();
        else
          return Token{name, begun};
      } else if (is_digit(c)) {
        while (at_ < text_.size() &&
               (is_name_begin(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.' ||
                (text_[at_] == '\'' && at_ + 1 < text_.size() && is_name_begin(text_[at_ + 1])) ||
                (text_[at_] == '\'' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))))
          ++at_;
      } else if (c == '"' || c == '\'') {
        literal(c);
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f') {
        ++at_;
      } else {
        return take(1, line);
      }
    }
    return std::nullopt;
  }

  /// What is on the line from here, as it is.
  std::string_view rest_of_line() const { return text_.substr(at_, text_.find('\n', at_) - at_); }

 private:
  Token take(std::size_t length, int at_line) {
    at_ += length;
    return {text_.substr(at_ - length, length), at_line};
  }
  // A name may be cut in two by the end of a line.
  std::string_view word() {
    const std::size_t begin = at_;
    bool cut = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (is_name_begin(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80) continue;
      if (c == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') {
        ++at_, ++line, cut = true;
        continue;
      }
      break;
    }
    if (!cut) return text_.substr(begin, at_ - begin);
    std::string joined(text_.substr(begin, at_ - begin));
    std::erase(joined, '\\'), std::erase(joined, '\n');
    return *joined_.emplace_back(std::make_unique<std::string>(std::move(joined)));
  }
  void skip_comment() {
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_, ++line;
  }
  void literal(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        if (text_[++at_] == '\n') ++line;
      }
    if (at_ < text_.size() && text_[at_] == quote) ++at_;
  }
  void raw_literal() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return count_lines(text_.size());
    const std::string end = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const std::size_t close = text_.find(end, open);
    count_lines(close == std::string_view::npos ? text_.size() : close + end.size());
  }
  void count_lines(std::size_t to) {
    line += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                        text_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    at_ = to;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::unique_ptr<std::string>> joined_;
};

/// Headers of the standard library and of CUDA that solutions may want; all they
/// hold is guarded like the rest.
const std::set<std::string_view> headers = {"algorithm",
                                            "array",
                                            "bit",
                                            "cassert",
                                            "cfloat",
                                            "climits",
                                            "cmath",
                                            "concepts",
                                            "cstddef",
                                            "cstdint",
                                            "cstdio",
                                            "cstring",
                                            "limits",
                                            "numeric",
                                            "optional",
                                            "span",
                                            "stdexcept",
                                            "string",
                                            "string_view",
                                            "tuple",
                                            "type_traits",
                                            "utility",
                                            "assert.h",
                                            "float.h",
                                            "limits.h",
                                            "math.h",
                                            "stddef.h",
                                            "stdint.h",
                                            "string.h",
                                            "cuComplex.h",
                                            "cuda_runtime.h",
                                            "cuda_runtime_api.h",
                                            "cuda_fp16.h",
                                            "cuda_bf16.h",
                                            "cuda_pipeline.h",
                                            "cuda/pipeline",
                                            "cuda/barrier",
                                            "cuda/atomic",
                                            "cuda/std/limits",
                                            "cooperative_groups.h",
                                            "cooperative_groups/reduce.h",
                                            "cooperative_groups/scan.h",
                                            "cooperative_groups/memcpy_async.h",
                                            "mma.h",
                                            "math_constants.h",
                                            "vector_types.h",
                                            "vector_functions.h",
                                            "device_launch_parameters.h"};

/// "separable/segments.hpp", but not "harness/problem.hpp": from the lab's folder or from one in it.
bool may_be_of_lab(const std::string& name) {
  static const std::set<std::string, std::less<>> folders_of_tree = {
      "build", "cmake", "common",    "docs",   "emulator", "grader",  "harness",
      "labs",  "lens",  "reference", "report", "runner",   "scripts", "tests"};
  const std::size_t slash = name.find('/');
  return slash == std::string::npos ||
         (name.find('/', slash + 1) == std::string::npos && !folders_of_tree.contains(name.substr(0, slash)));
}

std::string why_not_header(std::string_view given) {
  if (given.size() < 2 || (given[0] != '<' && given[0] != '"'))
    return "#include needs the name of a header, not a macro";
  const bool own = given[0] == '"';
  const std::size_t end = given.find(own ? '"' : '>', 1);
  if (end == std::string_view::npos) return "#include needs the name of a header";
  const std::string name(given.substr(1, end - 1));
  if (name.starts_with('/') || name.find("..") != std::string::npos || name.find('\\') != std::string::npos)
    return "#include of " + name +
           ": only headers of this lab, of common/ and of CUDA are there when it is graded";
  if (headers.contains(name)) return "";
  // Of the lab or a folder of it, if it has such a header; the compiler says so if not. Its sources are
  // others' solutions.
  const bool is_header = name.ends_with(".hpp") || name.ends_with(".cuh") || name.ends_with(".h");
  if (own && is_header && (name.starts_with("common/") || may_be_of_lab(name))) return "";
  if (name.starts_with("thrust/") || name.starts_with("cub/") || name.starts_with("cublas") ||
      name.starts_with("cudnn") || name.starts_with("cufft"))
    return "#include <" + name + ">: the task is to write it yourself, without a library that has it";
  return "#include <" + name +
         ">: no solution of a lab needs this header, and it is not there when it is graded";
}

std::optional<Refusal> refusal_of_directive(std::string_view name, std::string_view rest, int line) {
  const auto refuse = [line](std::string text) { return Refusal{line, std::move(text)}; };
  if (name == "include") {
    const std::string why = why_not_header(without_white_space(rest));
    if (!why.empty()) return refuse(why);
  }
  if (name == "line" || (!name.empty() && is_digit(name[0])) || name == "ident" || name == "sccs" ||
      name == "include_next" || name == "import" || name == "embed" || name == "assert" || name == "unassert")
    return refuse("#" + std::string(name) + ": no solution needs this directive; leave it out");
  if (name == "pragma") {
    const std::string_view words = without_white_space(rest);
    if (!words.starts_with("once") && !words.starts_with("unroll") && !words.starts_with("nv_diag") &&
        !words.starts_with("nounroll") && !words.starts_with("diag_"))
      return refuse("#pragma " + std::string(words) +
                    ": only #pragma unroll and #pragma once are understood here");
  }
  if (rest.find("__has_include") != std::string_view::npos ||
      rest.find("__INCLUDE_LEVEL__") != std::string_view::npos)
    return refuse("__has_include: what it finds depends on the place; leave it out");
  return std::nullopt;
}

/// Attributes that change neither what is watched nor who is called.
const std::set<std::string_view> attributes = {"aligned",
                                               "__aligned__",
                                               "always_inline",
                                               "__always_inline__",
                                               "noinline",
                                               "__noinline__",
                                               "unused",
                                               "__unused__",
                                               "packed",
                                               "__packed__",
                                               "maybe_unused",
                                               "const",
                                               "pure",
                                               "may_alias",
                                               "__may_alias__",
                                               "vector_size",
                                               "__vector_size__",
                                               "noreturn",
                                               "warn_unused_result",
                                               "nothrow",
                                               "__nothrow__",
                                               "gnu_inline",
                                               "flatten",
                                               "hot",
                                               "cold",
                                               "device",
                                               "global"};

const std::set<std::string_view> builtins = {"__builtin_inff",
                                             "__builtin_inf",
                                             "__builtin_huge_val",
                                             "__builtin_huge_valf",
                                             "__builtin_nan",
                                             "__builtin_nanf",
                                             "__builtin_expect",
                                             "__builtin_unreachable",
                                             "__builtin_assume_aligned",
                                             "__builtin_popcount",
                                             "__builtin_popcountll",
                                             "__builtin_clz",
                                             "__builtin_clzll",
                                             "__builtin_ctz",
                                             "__builtin_ctzll",
                                             "__builtin_ffs",
                                             "__builtin_offsetof",
                                             "__builtin_bit_cast",
                                             "__builtin_FILE",
                                             "__builtin_LINE",
                                             "__builtin_FUNCTION",
                                             "__builtin_constant_p",
                                             "__builtin_isnan",
                                             "__builtin_isinf",
                                             "__builtin_is_constant_evaluated",
                                             "__builtin_fabsf",
                                             "__builtin_sqrtf"};

/// Parts of the emulator and of compilers that calls by name would mislead.
const std::set<std::string_view> internals = {"emulator",
                                              "enqueue_launch",
                                              "issue_copy",
                                              "bind_copies",
                                              "bind_all_copies",
                                              "stage_global",
                                              "stage_tensor",
                                              "issue_staged_load",
                                              "issue_bulk_load",
                                              "issue_bulk_transfer",
                                              "issue_bulk_store",
                                              "issue_tensor_store",
                                              "TensorBox",
                                              "TensorMap",
                                              "BulkPiece",
                                              "init_barrier",
                                              "complete_bytes",
                                              "run_on_fibers",
                                              "place_shared",
                                              "static_shared",
                                              "dynamic_shared",
                                              "shared_site",
                                              "new_shared_site",
                                              "region_memory",
                                              "coroutine_memory",
                                              "reset_coroutine_memory",
                                              "original_variable",
                                              "original_symbol",
                                              "current_block",
                                              "current_indices",
                                              "SymbolRegistration",
                                              "LensStructure",
                                              "LensLoop",
                                              "device_fault",
                                              "device_fault_at",
                                              "copy_to_symbol",
                                              "copy_from_symbol",
                                              "bind_arguments",
                                              "KernelByPointer",
                                              "KernelByCall",
                                              "call_with",
                                              "note_argument",
                                              "exchange_wmma_words",
                                              "multiply_fragments",
                                              "WmmaOperands",
                                              "WmmaExchange",
                                              "multiply_warpgroup",
                                              "WgmmaOperands",
                                              "named_kernel",
                                              "WARPLAB_INSTRUMENTED",
                                              "WARPLAB_KERNEL_BODY",
                                              "__dso_handle"};

std::string why_not_name(std::string_view name) {
  const std::string quoted(name);
  if (name == "thread_local" || name == "__thread")
    return quoted + ": device code cannot have such variables";
  if (name == "_Pragma" || name == "__pragma")
    return quoted + ": only #pragma unroll and #pragma once are understood here";
  for (std::string_view prefix :
       {"__tsan", "warplab_lens", "warplab_strict", "warplab_is_instrumented", "__sanitizer", "__cxa",
        "_Unwind", "__gxx", "_Z", "__asan", "__ubsan", "_dl_", "__libc", "lens_"})
    if (name.starts_with(prefix))
      return quoted + " is a part of the emulator or of the compiler that no solution needs";
  if (internals.contains(name)) return quoted + " is a part of the emulator that no solution needs";
  if (name.starts_with("__builtin_") && !builtins.contains(name))
    return quoted + ": use what CUDA or the standard library have for it";
  if (std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; }))
    return quoted + ": names must be ASCII";
  return "";
}

bool is_asm(std::string_view name) { return name == "asm" || name == "__asm" || name == "__asm__"; }

/// Follows the tokens of a student's text: names, and attributes wherever they appear.
class TokenLook {
 public:
  /// @param whole false in a macro's definition, where an attribute's name may yet be put together
  std::optional<Refusal> look(const Token& token, bool whole = true) {
    if (token.text == "\n") {
      if (before_ == "#") before_ = {};
      return std::nullopt;
    }
    // The translator turns `asm volatile (...)` in device code into C++, or fails. Other uses of the word
    // give names to symbols and registers.
    if (is_asm(before_) && token.text != "volatile" && token.text != "__volatile__") return end();
    if (is_asm(token.text)) asm_line_ = token.line;
    const std::string_view before = std::exchange(before_, token.text);
    if ((before == "#" && token.text == "#") || (before == "%" && token.text == ":"))
      return Refusal{token.line, "##: names that are put together cannot be looked at; write them out"};
    if (is_name_begin(token.text[0]) || static_cast<unsigned char>(token.text[0]) >= 0x80) {
      if (const std::string why = why_not_name(token.text); !why.empty()) return Refusal{token.line, why};
    }
    if (!whole) return std::nullopt;
    const bool name = is_name_begin(token.text[0]);
    if (attribute_ && token.text == "(") ++depth_;
    if (attribute_ && token.text == ")" && --depth_ == 0) attribute_ = false;
    if (attribute_ && name && depth_ == 2 && !attributes.contains(token.text)) return refuse(token);
    if (token.text == "__attribute__" || token.text == "__attribute" || token.text == "__declspec")
      attribute_ = true, depth_ = 0;
    // [[gnu::name]], [[using gnu: name]]
    if ((before == "gnu" || before == "__gnu__") && token.text == ":") brackets_ = true;
    if (brackets_ && name && !attributes.contains(token.text) && token.text != "gnu") return refuse(token);
    if (token.text == "]") brackets_ = false;
    return std::nullopt;
  }

  /// What is wrong with a text that ends here.
  std::optional<Refusal> end() const {
    if (!is_asm(before_)) return std::nullopt;
    return Refusal{asm_line_, std::string(before_) +
                                  ": inline assembly cannot be graded, except for PTX in asm volatile (...); "
                                  "say it in CUDA C++"};
  }

 private:
  static Refusal refuse(const Token& token) {
    return {token.line,
            "the attribute '" + std::string(token.text) + "': no solution needs it; leave it out"};
  }
  bool attribute_ = false, brackets_ = false;
  int depth_ = 0, asm_line_ = 0;
  std::string_view before_;
};

}  // namespace

std::optional<Refusal> refusal_of_source(std::string_view text) {
  if (const std::size_t at = text.find('\0'); at != std::string_view::npos)
    return Refusal{
        static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1,
        "a zero byte in the text: this is not a source file"};
  Lexer lexer(text);
  TokenLook tokens;
  bool line_begins = true, in_directive = false;
  while (const std::optional<Token> token = lexer.next()) {
    if (token->text == "\n") {
      line_begins = true;
      in_directive = false;
      (void)tokens.look(*token);
      continue;
    }
    if (line_begins && token->text == "%") {
      // The digraph %: is #.
      if (const auto colon = lexer.next(); colon && colon->text == ":")
        return Refusal{token->line, "%: instead of #: write directives with #"};
    }
    if (line_begins && token->text == "#") {
      const std::string_view rest = without_white_space(lexer.rest_of_line());
      std::size_t end = 0;
      while (end < rest.size() && (is_name_begin(rest[end]) || is_digit(rest[end]))) ++end;
      const bool split = rest.ends_with('\\');
      const std::string_view name = rest.substr(0, end);
      if (split && (name != "define" && name != "if" && name != "elif"))
        return Refusal{token->line, "a directive in several lines: write it in one"};
      if (rest.starts_with("/*"))
        return Refusal{token->line, "a comment within a directive's name: leave it out"};
      if (auto refusal = refusal_of_directive(name, rest.substr(end), token->line)) return refusal;
      in_directive = true;
    }
    line_begins = false;
    if (auto refusal = tokens.look(*token, !in_directive)) return refusal;
  }
  return tokens.end();
}

std::optional<Refusal> refusal_of_preprocessed(std::string_view text, const std::string& file) {
  bool of_student = false;
  int line = 0;
  TokenLook tokens;
  // Pieces of the student's own text, each with the line that it begins at.
  const auto look = [&](std::string_view piece, int first) -> std::optional<Refusal> {
    Lexer lexer(piece);
    lexer.line = first;
    while (const std::optional<Token> token = lexer.next())
      if (auto refusal = tokens.look(*token)) return refusal;
    return std::nullopt;
  };
  std::size_t piece = 0;
  int piece_line = 1;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view whole = text.substr(begin, end - begin);
    if (whole.starts_with("# ") || whole.starts_with("#pragma") ||
        (of_student && without_white_space(whole).starts_with('#'))) {
      if (of_student)
        if (auto refusal = look(text.substr(piece, begin - piece), piece_line)) return refusal;
      if (whole.starts_with("# ") && whole.size() > 2 && is_digit(whole[2])) {
        line = std::atoi(whole.data() + 2);
        const std::size_t open = whole.find('"'), close = whole.rfind('"');
        of_student = open != std::string_view::npos && close > open &&
                     whole.substr(open + 1, close - open - 1) == file;
      } else {
        if (of_student) {
          const std::string_view directive = without_white_space(without_white_space(whole).substr(1));
          const std::size_t space = std::min(directive.find_first_of(" \t"), directive.size());
          if (directive.substr(0, space) != "pragma")
            return Refusal{line, "#" + std::string(directive.substr(0, space)) +
                                     ": no solution needs this directive; leave it out"};
          if (auto refusal = refusal_of_directive("pragma", directive.substr(space), line)) return refusal;
        }
        ++line;
      }
      piece = std::min(end + 1, text.size());
      piece_line = line;
    } else {
      ++line;
    }
    begin = end + 1;
  }
  if (of_student)
    if (auto refusal = look(text.substr(piece), piece_line)) return refusal;
  return tokens.end();
}

}  // namespace warplab
