#include "emulator/translator/ptx/syntax.hpp"

#include <cctype>

namespace warplab::translator {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::vector<PtxStatement> run() {
    for (skip(); at_ < text_.size(); skip()) {
      if (take(';')) continue;
      const std::size_t begin = at_;
      if (take('{')) {
        add(PtxStatement::Kind::open, begin);
      } else if (take('}')) {
        add(PtxStatement::Kind::close, begin);
      } else if (peek() == '.') {
        directive();
      } else {
        instruction();
      }
    }
    return std::move(statements_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw PtxError{at_, what}; }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void skip() {
    for (;;) {
      while (std::isspace(static_cast<unsigned char>(peek()))) ++at_;
      if (text_.substr(at_, 2) == "//")
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (text_.substr(at_, 2) == "/*")
        at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
      else
        return;
    }
  }
  bool take(char c) {
    skip();
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(std::string("'") + c + "' is missing in the PTX");
  }

  // A name; `parts`: with the dots and colons of an opcode or of a special register.
  std::string word(bool parts) {
    skip();
    const std::size_t begin = at_;
    while (is_word(peek()) || (parts && peek() == '.') ||
           (parts && peek() == ':' && peek(1) == ':' && is_word(peek(2))) ||
           (parts && peek() == ':' && at_ > begin && text_[at_ - 1] == ':'))
      ++at_;
    if (at_ == begin) fail("the PTX can't be read here: '" + std::string(text_.substr(at_, 12)) + "'");
    return std::string(text_.substr(begin, at_ - begin));
  }

  PtxStatement& add(PtxStatement::Kind kind, std::size_t at) {
    PtxStatement statement{};
    statement.kind = kind;
    statement.at = at;
    statements_.push_back(std::move(statement));
    return statements_.back();
  }

  // .reg .b32 a, b<4>;
  void directive() {
    PtxStatement& statement = add(PtxStatement::Kind::registers, at_);
    ++at_;
    const std::string name = word(false);
    if (name != "reg") fail("the PTX directive '." + name + "' is not one that the emulator has");
    expect('.');
    statement.type = word(false);
    do {
      PtxStatement::Register reg{word(false), -1};
      if (take('<')) {
        reg.count = std::atoi(word(false).c_str());
        expect('>');
      }
      statement.registers.push_back(reg);
    } while (take(','));
    expect(';');
  }

  void instruction() {
    const std::size_t begin = at_;
    std::string guard;
    bool negated = false;
    if (take('@')) {
      negated = take('!');
      guard = word(false);
    }
    const std::string name = word(true);
    if (guard.empty() && peek() == ':') {
      ++at_;
      add(PtxStatement::Kind::label, begin).name = name;
      return;
    }
    PtxStatement& statement = add(PtxStatement::Kind::instruction, begin);
    statement.guard = guard;
    statement.guard_negated = negated;
    statement.name = name;
    skip();
    if (peek() != ';' && peek() != '}' && at_ < text_.size()) {
      do statement.operands.push_back(operand());
      while (take(','));
    }
    skip();
    if (peek() != '}' && at_ < text_.size()) expect(';');
  }

  PtxOperand operand() {
    PtxOperand result = single();
    if (!take('|')) return result;
    PtxOperand pair;
    pair.kind = PtxOperand::Kind::pair;
    pair.parts = {std::move(result), single()};
    return pair;
  }

  PtxOperand single() {
    skip();
    PtxOperand result;
    if (take('{')) {
      result.kind = PtxOperand::Kind::vector;
      do result.parts.push_back(operand());
      while (take(','));
      expect('}');
    } else if (take('[')) {
      result.kind = PtxOperand::Kind::address;
      result.parts.push_back(operand());
      skip();
      if (peek() == '+' || peek() == '-') {
        bool minus = peek() == '-';
        ++at_;
        if (take('-')) minus = !minus;  // nvcc writes `[a+-4]`
        take('+');
        result.offset = (minus ? "-" : "") + word(true);
      }
      if (take(',')) result.parts.push_back(operand());
      expect(']');
    } else if (take('!')) {
      result = single();
      result.negated = true;
    } else if (is_digit(peek()) || peek() == '-' || peek() == '+') {
      result.kind = PtxOperand::Kind::number;
      const bool minus = peek() == '-';
      if (!is_digit(peek())) ++at_;
      const std::string digits = word(true);
      result.text = (minus ? "-" : "") + digits;
      const bool exponent = digits.find_first_of("eE") + 1 == digits.size() && digits[1] != 'x';
      if (exponent && (peek() == '-' || peek() == '+')) {
        result.text += peek();
        ++at_;
        result.text += word(false);
      }
    } else {
      result.text = word(true);
    }
    return result;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<PtxStatement> statements_;
};

}  // namespace

std::vector<PtxStatement> parse_ptx(std::string_view text) { return Parser(text).run(); }

}  // namespace warplab::translator
