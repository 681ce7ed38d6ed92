// Looks at the text that a student hands in, and at what the preprocessor makes of it. Both give good
// messages; what must hold in any case is held by the validator and by the emulator's isolation.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "grader/guard/guard.hpp"
#include "grader/guard/known_headers.hpp"
#include "grader/text/tokens.hpp"

namespace warplab {
namespace {

bool is_name_begin(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
std::string_view without_white_space(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\v\f");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\v\f") - begin + 1);
}

/// Whether a list of words, each with a space before and after it, has this one.
bool has(std::string_view list, std::string_view word) {
  return list.find(" " + std::string(word) + " ") != std::string_view::npos;
}

/// Names and signs of C++ text, and ends of lines; numbers and literals are left out.
class Words {
 public:
  explicit Words(std::string_view text, int first_line = 1) : lexer_(text, first_line) {}

  /// The next word; nothing at the end.
  std::optional<Token> next() {
    std::optional<Token> token = lexer_.next();
    while (token && (token->kind == Token::Kind::number || token->kind == Token::Kind::literal))
      token = lexer_.next();
    if (token && token->kind == Token::Kind::name && token->text.find('\\') != std::string_view::npos) {
      std::string& joined = *joined_.emplace_back(std::make_unique<std::string>(token->text));
      std::erase(joined, '\\'), std::erase(joined, '\n');
      token->text = joined;
    }
    return token;
  }
  std::string_view rest_of_line() const { return lexer_.rest_of_line(); }

 private:
  Lexer lexer_;
  std::vector<std::unique_ptr<std::string>> joined_;  ///< names that were cut in two by the end of a line
};

/// "separable/segments.hpp", but not "harness/problem/problem.hpp": from the lab's folder or from one in it.
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
  if (is_known_header(name)) return "";
  // Of the lab or a folder of it, if it has such a header; the compiler says so if not. Its sources are
  // others' solutions.
  const bool is_header = name.ends_with(".hpp") || name.ends_with(".cuh") || name.ends_with(".h");
  if (own && is_header && (name.starts_with("common/") || may_be_of_lab(name))) return "";
  if (is_library_of_solutions(name))
    return "#include <" + name + ">: the task is to write it yourself, without a library that has it";
  return "#include <" + name +
         ">: no solution of a lab needs this header, and it is not there when it is graded";
}

/// Pragmas that say nothing to g++, or only how to unroll, what to warn of, and how structures are packed.
bool is_harmless_pragma(std::string_view words) {
  static constexpr std::string_view first =
      R"( STDC clang comment diag_default diag_error diag_suppress diag_warning endregion )"
      R"(hd_warning_disable ivdep message nounroll nv_diag_default nv_diag_error nv_diag_once )"
      R"(nv_diag_suppress nv_diag_warning nv_diagnostic nv_exec_check_disable omp once pack region unroll )"
      R"(warning )";
  static constexpr std::string_view of_gcc = R"( diagnostic error ivdep unroll warning )";
  const auto take = [&] {
    std::size_t end = 0;
    while (end < words.size() && (is_name_begin(words[end]) || is_digit(words[end]))) ++end;
    const std::string_view word = words.substr(0, end);
    words = without_white_space(words.substr(end));
    return word;
  };
  const std::string_view word = take();
  return has(first, word) || (word == "GCC" && has(of_gcc, take()));
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
  if (name == "pragma" && !is_harmless_pragma(without_white_space(rest)))
    return refuse("#pragma " + std::string(without_white_space(rest)) +
                  ": this changes what the compiler makes; leave it out");
  return std::nullopt;
}

/// Attributes that change neither what is watched nor who is called.
constexpr std::string_view attributes =
    " aligned __aligned__ always_inline __always_inline__ noinline __noinline__ unused __unused__ "
    "packed __packed__ maybe_unused const pure may_alias __may_alias__ vector_size __vector_size__ "
    "noreturn warn_unused_result nothrow __nothrow__ gnu_inline flatten hot cold device global "
    "format __format__ fallthrough __fallthrough__ deprecated __deprecated__ ";

constexpr std::string_view builtins =
    " __builtin_inff __builtin_inf __builtin_huge_val __builtin_huge_valf __builtin_nan "
    "__builtin_nanf __builtin_expect __builtin_unreachable __builtin_assume __builtin_assume_aligned "
    "__builtin_popcount __builtin_popcountll __builtin_clz __builtin_clzll __builtin_ctz "
    "__builtin_ctzll __builtin_ffs __builtin_offsetof __builtin_bit_cast __builtin_FILE "
    "__builtin_LINE __builtin_FUNCTION __builtin_constant_p __builtin_isnan __builtin_isinf "
    "__builtin_is_constant_evaluated __builtin_fabsf __builtin_sqrtf ";

/// What the emulator's headers call to have something counted or permitted.
constexpr std::string_view of_headers_only =
    " header_calls lens_atomic lens_atomic_sum lens_atomic_load lens_atomic_store lens_swap lens_permit "
    "lens_sin lens_cos lens_sinpi lens_cospi "
    "lens_announce lens_acquire lens_release lens_mark original_variable original_symbol ";

std::string why_not_name(std::string_view name) {
  const std::string quoted(name);
  if (name == "thread_local" || name == "__thread")
    return quoted +
           ": graded code cannot have variables per thread; one thread calls launchers, so static will do";
  if (name == "__INCLUDE_LEVEL__" || name == "__has_include_next" || name == "__has_embed")
    return quoted + ": what it finds depends on the place; leave it out";
  for (std::string_view prefix :
       {"__tsan", "warplab_lens", "warplab_isolation", "warplab_is_instrumented", "WARPLAB_INSTRUMENTED",
        "WARPLAB_KERNEL_BODY", "__sanitizer", "__cxa", "_Unwind", "__gxx", "_Z", "__asan", "__ubsan", "_dl_",
        "__libc", "__dso_handle"})
    if (name.starts_with(prefix))
      return quoted + " is a part of the emulator or of the compiler that no solution needs";
  if (has(of_headers_only, name))
    return quoted + " is a part of the emulator that only its own headers may name";
  if (name.starts_with("__builtin_") && !has(builtins, name))
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
      if (before_ == "#") before_.clear();
      return std::nullopt;
    }
    // The translator turns statements asm (...) and asm volatile (...) in device code into C++, or fails.
    // After a name the word gives another one to a symbol or a register.
    if (is_asm(before_) && token.text != "volatile" && token.text != "__volatile__" &&
        (token.text != "(" || (whole && names_something(earlier_[0]))))
      return end();
    if (is_asm(token.text)) asm_line_ = token.line;
    if (opens_emulator(token.text))
      return Refusal{token.line, "warplab::emulator: no solution needs a part of the emulator"};
    const std::string before = std::exchange(before_, std::string(token.text));
    earlier_ = {before, std::move(earlier_[0])};
    if (before == "%" && token.text == ":")
      return Refusal{token.line, "%: instead of #: write directives with #"};
    if (is_name_begin(token.text[0]) || static_cast<unsigned char>(token.text[0]) >= 0x80) {
      if (const std::string why = why_not_name(token.text); !why.empty()) return Refusal{token.line, why};
    }
    if (!whole) return std::nullopt;
    const bool name = is_name_begin(token.text[0]);
    if (attribute_ && token.text == "(") ++depth_;
    if (attribute_ && token.text == ")" && --depth_ == 0) attribute_ = false;
    if (attribute_ && name && depth_ == 2 && !has(attributes, token.text)) return refuse(token);
    if (token.text == "__attribute__" || token.text == "__attribute" || token.text == "__declspec")
      attribute_ = true, depth_ = 0;
    // [[gnu::name]], [[using gnu: name]]
    if ((before == "gnu" || before == "__gnu__") && token.text == ":") brackets_ = true;
    if (brackets_ && name && !has(attributes, token.text) && token.text != "gnu") return refuse(token);
    if (token.text == "]") brackets_ = false;
    return std::nullopt;
  }

  /// What is wrong with a text that ends here.
  std::optional<Refusal> end() const {
    if (!is_asm(before_)) return std::nullopt;
    return Refusal{asm_line_,
                   before_ +
                       ": inline assembly cannot be graded, except for PTX in statements asm (...); "
                       "say it in CUDA C++"};
  }

 private:
  /// Whether what asm comes after is a name: `else` and `do` are none.
  static bool names_something(std::string_view text) {
    return !text.empty() && is_name_begin(text[0]) && text != "else" && text != "do";
  }
  /// emulator::x, ::emulator, namespace emulator (with attributes before the name), namespace e = emulator. A
  /// variable of the name is not meant.
  bool opens_emulator(std::string_view text) {
    if (text == "namespace") names_namespace_ = true;
    if (text == "{" || text == ";") names_namespace_ = false;
    if (text == "emulator") return names_namespace_ || (before_ == ":" && earlier_[0] == ":");
    return text == ":" && before_ == ":" && earlier_[0] == "emulator";
  }
  static Refusal refuse(const Token& token) {
    return {token.line,
            "the attribute '" + std::string(token.text) + "': no solution needs it; leave it out"};
  }
  bool attribute_ = false, brackets_ = false, names_namespace_ = false;
  int depth_ = 0, asm_line_ = 0;
  // Of a text that may be gone when the next piece of the file is looked at.
  std::string before_;
  std::array<std::string, 2> earlier_;  ///< before that, the last one first
};

/// Follows a student's file, line by line, as the preprocessor will.
class SourceLook {
 public:
  SourceLook(std::string_view text, SourceKind kind) : words_(text), kind_(kind) {}

  std::optional<Refusal> run() {
    while (const std::optional<Token> token = words_.next()) {
      std::optional<Refusal> refusal;
      if (token->text == "\n") {
        line_begins_ = true;
        directive_ = {};
        (void)tokens_.look(*token);
        continue;
      }
      if (std::exchange(line_begins_, false)) refusal = begin_line(*token);
      if (!refusal && skipped_ == 0) refusal = look(*token);
      if (refusal) return refusal;
    }
    return tokens_.end();
  }

 private:
  std::optional<Refusal> begin_line(const Token& token) {
    if (token.text == "%") {
      // The digraph %: is #.
      if (const auto colon = words_.next(); colon && colon->text == ":")
        return Refusal{token.line, "%: instead of #: write directives with #"};
    }
    if (token.text != "#") return std::nullopt;
    const std::string_view rest = without_white_space(words_.rest_of_line());
    std::size_t end = 0;
    while (end < rest.size() && (is_name_begin(rest[end]) || is_digit(rest[end]))) ++end;
    directive_ = end == 0 ? "#" : rest.substr(0, end);
    if (rest.ends_with('\\') && directive_ != "define" && directive_ != "if" && directive_ != "elif")
      return Refusal{token.line, "a directive in several lines: write it in one"};
    if (rest.starts_with("/*"))
      return Refusal{token.line, "a comment within a directive's name: leave it out"};
    if (is_skipped(directive_, without_white_space(rest.substr(end)))) return std::nullopt;
    const std::string_view words = without_white_space(rest.substr(end));
    if (directive_ == "include" && joined_) return refusal_above_include();
    if (directive_ == "pragma" && words.starts_with("pack"))
      return only_below_includes("#pragma pack", token);
    return refusal_of_directive(directive_, words, token.line);
  }

  /// Within #if 0.
  bool is_skipped(std::string_view name, std::string_view rest) {
    if (skipped_ == 0) {
      const bool never = name == "if" && rest.starts_with('0') &&
                         (rest.size() == 1 || without_white_space(rest.substr(1)).starts_with("//"));
      skipped_ = never ? 1 : 0;
      return never;
    }
    if (name.starts_with("if")) ++skipped_;
    if (name == "endif" || (skipped_ == 1 && (name == "else" || name.starts_with("elif")))) --skipped_;
    return skipped_ != 0;
  }

  /// Notes what must not change the lines of a header: what a macro puts together there is looked at nowhere,
  /// and what is packed there is not what others compiled.
  std::optional<Refusal> only_below_includes(const char* what, const Token& token) {
    if (kind_ == SourceKind::header)
      return Refusal{
          token.line,
          std::string(what) + ": a header cannot have this when it is graded; write it in the .cu file"};
    joined_ = {what, token.line};
    return std::nullopt;
  }
  Refusal refusal_above_include() const {
    return {joined_->second, std::string(joined_->first) + ": write this below the last #include"};
  }
  /// _Pragma("unroll"): what it says cannot be put together anywhere.
  bool is_harmless_operator() const {
    std::string_view rest = without_white_space(words_.rest_of_line());
    if (!rest.starts_with('(')) return false;
    rest = without_white_space(rest.substr(1));
    if (!rest.starts_with('"')) return false;
    const std::size_t end = rest.find('"', 1);
    if (end == std::string_view::npos || !without_white_space(rest.substr(end + 1)).starts_with(')'))
      return false;
    const std::string_view says = rest.substr(1, end - 1);
    return says.find('\\') == std::string_view::npos && !says.starts_with("pack") && is_harmless_pragma(says);
  }

  std::optional<Refusal> look(const Token& token) {
    std::optional<Refusal> refusal;
    if (token.text == "_Pragma" && !is_harmless_operator()) refusal = only_below_includes("_Pragma", token);
    if (token.text == "#" && before_ == "#") refusal = only_below_includes("##", token);
    if (refusal) return refusal;
    if (token.text == "__has_include") {
      const std::string_view rest = without_white_space(words_.rest_of_line());
      const bool asks = directive_ != "ifdef" && directive_ != "ifndef" && before_ != "defined" &&
                        !(before_ == "(" && before_that_ == "defined");
      if (asks && (!rest.starts_with('(') || !why_not_header(without_white_space(rest.substr(1))).empty()))
        return Refusal{token.line,
                       "__has_include of such a file: what it finds depends on the place; leave it out"};
    }
    before_that_ = std::exchange(before_, token.text);
    return tokens_.look(token, directive_.empty());
  }

  Words words_;
  const SourceKind kind_;
  TokenLook tokens_;
  bool line_begins_ = true;
  std::string_view directive_;  ///< that the line is, or nothing
  int skipped_ = 0;             ///< depth of conditions within #if 0, with it
  std::string_view before_, before_that_;
  std::optional<std::pair<const char*, int>> joined_;  ///< what may only be below all includes, and its line
};

}  // namespace

std::optional<Refusal> refusal_of_source(std::string_view text, SourceKind kind) {
  if (const std::size_t at = text.find('\0'); at != std::string_view::npos)
    return Refusal{
        static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1,
        "a zero byte in the text: this is not a source file"};
  return SourceLook(text, kind).run();
}

std::optional<Refusal> refusal_of_preprocessed(std::string_view text, const std::string& file) {
  bool of_student = false;
  int line = 0;
  TokenLook tokens;
  // Pieces of the student's own text, each with the line that it begins at.
  const auto look = [&](std::string_view piece, int first) -> std::optional<Refusal> {
    Words words(piece, first);
    while (const std::optional<Token> token = words.next())
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
