#include "emulator/translator/ptx/inline_ptx.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "emulator/translator/ptx/emitter.hpp"
#include "emulator/translator/ptx/syntax.hpp"

namespace warplab::translator {
namespace {

/// The text of an asm statement, and from which token each character is.
struct AsmText {
  std::string text;
  std::vector<int> tokens;
};

/// `"=r"(x)`
struct AsmOperand {
  std::string constraint;
  int first, last;  ///< tokens of the expression
};

class Statement : private TokenReader {
 public:
  Statement(const Source& source, int begin, Edits& edits)
      : TokenReader(source), begin_(begin), edits_(edits) {}

  void rewrite() {
    read();
    const std::string prefix = "warplab_ptx" + std::to_string(begin_) + "_";
    std::string after;
    std::vector<PtxArgument> arguments;
    int kept = begin_;  // expressions of operands stay where they are
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      edits_.erase(kept, operands_[i].first - 1);
      kept = operands_[i].last + 1;
      arguments.push_back(argument(operands_[i], prefix + std::to_string(i), after));
    }
    edits_.erase(kept, end_);
    const std::string code = code_of(arguments, prefix);
    edits_.before(begin_) += "{ __atomic_signal_fence(__ATOMIC_SEQ_CST); ";
    const bool one_line = at(begin_).line == at(end_).line;
    edits_.after(end_) += (one_line ? "" : line_marker(source_, begin_)) + code + after + "}" +
                          (one_line ? "" : line_marker(source_, end_));
  }

 private:
  /// The instructions in C++. What the emulator lacks ends a kernel that comes to it in a library, whose
  /// headers hold instructions for every GPU; elsewhere it is an error.
  std::string code_of(const std::vector<PtxArgument>& arguments, const std::string& prefix) const {
    PtxEmitter emitter(arguments, prefix);
    try {
      emitter.emit(parse_ptx(text_.text), [&](std::size_t at) { return place_of(source_, token_of(at)); });
      return emitter.declarations() + emitter.code();
    } catch (const PtxError& error) {
      const int token = token_of(error.at);
      if (!source_.is_of_library(begin_)) source_.fail(token, "asm: " + error.what);
      return std::string(runtime) + "device_fault_at({\"asm\", " + place_of(source_, token) +
             "}, cudaErrorNotSupported, \"%s\", " + quote(error.what) + "); ";
    }
  }

  int token_of(std::size_t character) const {
    if (text_.tokens.empty()) return begin_;
    return text_.tokens[std::min(character, text_.tokens.size() - 1)];
  }

  // asm volatile ( "text" : outputs : inputs : clobbers ) ;
  void read() {
    int i = next(begin_);
    while (at(i).is("volatile") || at(i).is("__volatile__") || at(i).is("__volatile") || at(i).is("inline"))
      i = next(i);
    if (!at(i).is("(")) source_.fail(begin_, "asm: '(' is missing");
    const int close = at(i).partner;
    end_ = next(close);
    if (end_ < 0 || !at(end_).is(";")) source_.fail(begin_, "asm: ';' is missing");
    for (i = next(i); at(i).kind == Token::Kind::literal; i = next(i)) add_text(i);
    if (text_.text.empty() && !at(i).is(":") && i != close)
      source_.fail(i, "asm: a string with PTX is expected");
    if (at(i).is(":")) {
      int section = 0;
      for (; i < close; ++section) {
        i = next(i);
        while (i < close && !at(i).is(":")) i = operand(i, close, section);
      }
    } else if (i != close) {
      source_.fail(i, "asm: ':' or ')' is expected");
    }
    unescape_percent();
  }

  // One operand, clobber or comma. @return the token after it
  int operand(int i, int close, int section) {
    if (at(i).is(",")) return next(i);
    if (at(i).kind != Token::Kind::literal) source_.fail(i, "asm: a constraint in quotes is expected");
    std::string constraint;
    for (; at(i).kind == Token::Kind::literal; i = next(i)) constraint += content(i);
    if (section >= 2) return i;  // a clobber
    if (i >= close || !at(i).is("(")) source_.fail(i, "asm: '(' is missing after the constraint");
    operands_.push_back({constraint, i + 1, at(i).partner - 1});
    if ((constraint.starts_with("=") || constraint.starts_with("+")) != (section == 0))
      source_.fail(i, "asm: outputs have the constraints \"=\" and \"+\", inputs have not");
    return next(at(i).partner);
  }

  // What a literal means; `R"(...)"` as it is.
  std::string content(int i) const {
    const std::string_view text = at(i).text;
    const std::size_t open = text.find('"');
    if (open > 0 && text[open - 1] == 'R') {
      const std::size_t begin = text.find('(') + 1;
      return std::string(text.substr(begin, text.rfind(')') - begin));
    }
    std::string result;
    for (std::size_t k = open + 1; k + 1 < text.size(); ++k) {
      if (text[k] != '\\') {
        result += text[k];
        continue;
      }
      const char c = text[++k];
      if (c != '\n') result += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
    }
    return result;
  }
  void add_text(int i) {
    const std::string text = content(i);
    text_.text += text;
    text_.tokens.insert(text_.tokens.end(), text.size(), i);
  }
  // With operands or without, %% is the % of a special register, and %= a number that no other asm has.
  void unescape_percent() {
    const std::string number = std::to_string(begin_);
    for (std::size_t k = 0; k + 1 < text_.text.size(); ++k) {
      if (text_.text[k] != '%') continue;
      const auto token = text_.tokens.begin() + static_cast<std::ptrdiff_t>(k);
      if (text_.text[k + 1] == '%') {
        text_.text.erase(k, 1);
        text_.tokens.erase(token);
      } else if (text_.text[k + 1] == '=') {
        const int literal = *token;
        text_.text.replace(k, 2, number);
        text_.tokens.insert(text_.tokens.erase(token, token + 2), number.size(), literal);
      }
    }
  }

  // Declares the register of an operand around its expression; `after` the PTX it is written back.
  PtxArgument argument(const AsmOperand& operand, const std::string& name, std::string& after) {
    std::string kind = operand.constraint;
    const bool output = kind.starts_with("=") || kind.starts_with("+"), reads = !kind.starts_with("=");
    std::erase_if(kind, [](char c) { return c == '=' || c == '+' || c == '&'; });
    std::string& before = edits_.before(operand.first);
    std::string& behind = edits_.after(operand.last);
    if (kind == "n" && !output) {
      before += "constexpr long long " + name + " = static_cast<long long>(";
      behind += "); ";
      return {name, true};
    }
    const int bytes = kind == "h" ? 2 : kind == "r" || kind == "f" ? 4 : kind == "l" || kind == "d" ? 8 : 0;
    if (bytes == 0)
      source_.fail(operand.first, "asm: the constraint \"" + operand.constraint +
                                      "\" is not one of h, r, l, f, d and n, which PTX has here");
    const std::string reg = "[[maybe_unused]] std::uint" + std::to_string(8 * bytes) + "_t " + name;
    const std::string arguments =
        "<" + std::to_string(bytes) + (kind == "f" || kind == "d" ? ", true>(" : ", false>(");
    if (!output) {
      before += reg + " = " + ptx + "take" + arguments + "(";
      behind += ")); ";
      return {name, false};
    }
    const std::string variable = name + "_variable";
    before += "auto&& " + variable + " = (";
    behind += "); " + reg + (reads ? " = " + ptx + "take" + arguments + variable + ")" : "") + "; ";
    after += ptx + "give" + arguments + variable + ", " + name + "); ";
    return {name, false};
  }

  int begin_, end_ = -1;
  Edits& edits_;
  AsmText text_;
  std::vector<AsmOperand> operands_;
};

}  // namespace

bool is_asm(const Source& source, int i) {
  const Token& token = source.at(i);
  return token.is_name() && (token.is("asm") || token.is("__asm__") || token.is("__asm"));
}

void rewrite_inline_ptx(const Source& source, int i, Edits& edits) { Statement(source, i, edits).rewrite(); }

}  // namespace warplab::translator
