#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/translator/ptx/syntax.hpp"
#include "emulator/translator/ptx/types.hpp"

namespace warplab::translator {

inline const std::string ptx = "::warplab::emulator::ptx::";

/// An operand %i of an asm statement as the translated code has it.
struct PtxArgument {
  std::string variable;      ///< a register
  bool is_constant = false;  ///< of the constraint "n"
};

/// Turns the statements of one asm statement into C++.
class PtxEmitter {
 public:
  /// @param prefix begins the names of variables
  PtxEmitter(std::vector<PtxArgument> arguments, std::string prefix)
      : arguments_(std::move(arguments)), prefix_(std::move(prefix)) {
    scopes_.emplace_back();
  }

  /// @param place gives a position in the text as arguments of a Site: `"k.cu", 12`
  /// @throws PtxError
  template <class Place>
  void emit(const std::vector<PtxStatement>& statements, Place place) {
    for (const PtxStatement& statement : statements) {
      place_ = place(statement.at);
      at_ = statement.at;
      emit_statement(statement);
    }
  }
  /// Where the local registers are declared, which comes first, and what is done.
  const std::string& declarations() const { return declarations_; }
  const std::string& code() const { return code_; }

  // --- For the instruction under way ---

  /// "ld.global.f32"
  const std::string& name() const { return name_; }
  std::size_t at() const { return at_; }  ///< its position in the text
  const std::string& place() const { return place_; }
  const std::string& prefix() const { return prefix_; }
  [[noreturn]] void fail(const std::string& what) const { throw PtxError{at_, what}; }
  [[noreturn]] void unknown() const;
  void need(const std::vector<PtxOperand>& operands, std::size_t count) const;

  bool is_register(const PtxOperand& operand) const;
  bool is_predicate(const PtxOperand& operand) const;
  /// The variable of a register. @throws PtxError if there is none of that name
  std::string variable(const PtxOperand& operand) const;
  /// An operand as an expression of the type.
  std::string value(const PtxOperand& operand, std::string_view cpp_type) const;
  /// The same, which takes the lower bits of a register that is wider.
  std::string narrow_value(const PtxOperand& operand, std::string_view cpp_type) const;
  /// `[a+16]` as a pointer; `space` is "shared" or "global".
  std::string address(const PtxOperand& operand, std::string_view space) const;
  /// `{"ld.global.f32", "k.cu", 12}`
  std::string site() const;

  void write(const std::string& statements) { code_ += statements; }
  /// Sets a register, or drops the value for `_`.
  void put(const PtxOperand& to, const std::string& expression);

 private:
  using Operands = std::vector<PtxOperand>;

  void emit_statement(const PtxStatement& statement);
  void declare(const PtxStatement& statement);
  void instruction(const PtxStatement& statement);

  std::string number(const std::string& text, std::string_view cpp_type) const;
  /// A special register as an expression, or "".
  std::string special(const std::string& name) const;

  std::vector<PtxArgument> arguments_;
  std::string prefix_, place_, declarations_, code_;
  std::string name_;  ///< of the present instruction
  std::size_t at_ = 0;
  std::vector<std::map<std::string, std::string>> scopes_;  ///< registers' variables by name
  int registers_ = 0;
};

}  // namespace warplab::translator
