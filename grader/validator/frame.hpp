#pragma once

#include <cstdint>

#include "grader/validator/machine_state.hpp"

namespace warplab::validator {

/// What a function's entry check says of its frame; the same words that the runtime reads
/// (emulator/src/isolation/checks.cpp, WarplabFrameShape).
struct FrameShape {
  std::uint32_t before = 0;     ///< bytes below the return address, before the stack is aligned
  std::uint32_t alignment = 0;  ///< 0: it is not aligned
  std::uint32_t depth = 0;      ///< from there, or from the caller's frame, to the frame's end
  std::uint32_t saved = 0;      ///< likewise to where saved registers end, and variables begin
  std::uint32_t moved = 0;      ///< 1: saved registers lie below the alignment
};

/// The places of a frame. The runtime lets checked writes reach its variables, and nothing else of it.
class Frame {
 public:
  explicit Frame(const FrameShape& shape) : shape_(shape) {}

  /// Whether the words describe a frame at all.
  bool is_possible() const;
  /// Whether the stack pointer may be there.
  bool may_reach(const Value& stack_pointer) const;
  /// Whether the stack pointer is below all variables, as it must be when others are called: what lies
  /// between it and the variables would be theirs.
  bool is_full(const Value& stack_pointer) const;
  /// Where the stack pointer is after it was aligned; nothing if the frame is aligned otherwise.
  Value aligned(const Value& stack_pointer, std::int64_t mask) const;
  /// Whether no checked write can reach a word.
  bool is_protected(const Value& place) const;
  /// Whether bytes may be written without a check: they are variables of this frame.
  bool holds_variables(const Value& place, std::int64_t bytes) const;
  /// Whether bytes may be read without a check: of this frame, or arguments above it.
  bool is_near(const Value& place, std::int64_t bytes) const;

 private:
  FrameShape shape_;
};

}  // namespace warplab::validator
