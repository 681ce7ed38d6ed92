#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "grader/validator/instruction.hpp"

namespace warplab::validator {

inline constexpr std::int64_t word_bytes = 8;

/// What is known of a register, or of a word of the stack.
struct Value {
  enum class Kind {
    unknown,
    entry,   ///< bytes from the place of the function's return address
    base,    ///< bytes from the frame's aligned place
    saved,   ///< what register `number` held when the function began
    thread,  ///< the offset of thread-local variable `number` (a symbol) from the thread pointer
  };
  Kind kind = Kind::unknown;
  std::int64_t number = 0;

  bool is_stack() const { return kind == Kind::entry || kind == Kind::base; }
  Value plus(std::int64_t bytes) const { return is_stack() ? Value{kind, number + bytes} : Value{}; }
  friend bool operator==(const Value&, const Value&) = default;
};

/// What is known before an instruction, whatever way led to it.
class MachineState {
 public:
  /// At a function's first instruction.
  static MachineState at_entry();

  const Value& operator[](RegisterNumber r) const { return registers_[r]; }
  void set(RegisterNumber r, const Value& value) { registers_[r] = value; }
  const Value& stack_pointer() const { return registers_[rsp]; }
  /// Forgets words that lie below: nothing keeps them.
  void set_stack_pointer(const Value& value);

  /// The word at a place of the stack. @pre the place is one of the stack
  Value word_at(const Value& place) const;
  void set_word(const Value& place, const Value& value);

  /// After a call: registers that a callee may change are unknown.
  void forget_after_call();
  /// Keeps what both know. @return whether this state knows less than before
  bool join(const MachineState& other);

 private:
  std::array<Value, 16> registers_{};
  struct Word {
    Value place, value;
    friend bool operator==(const Word&, const Word&) = default;
  };
  std::vector<Word> words_;  ///< a few: registers that the function keeps for its caller
};

/// The registers that a function leaves as they were: rbx, rbp, r12 to r15.
inline constexpr RegisterNumber kept_registers[] = {3, 5, 12, 13, 14, 15};

}  // namespace warplab::validator
