#pragma once

#include <cstdint>
#include <vector>

namespace warplab {

/// A byte of a function, and what it becomes.
struct BytePatch {
  std::uint64_t offset;  ///< from the function's begin
  std::uint8_t value;
};

/// How a call ended.
enum class CallOutcome {
  returned,   ///< with the registers and the stack pointer that its caller had
  stopped,    ///< by a check of the runtime
  trapped,    ///< by an instruction that raises an error: a trap, a division by 0, a misaligned vector
  timed_out,  ///< it ran on within itself
  escaped,    ///< it wrote where it must not, jumped out, or returned with other registers
};

/// Memory that called code must not change, filled with a pattern; processes that are forked share it.
class Canary {
 public:
  static constexpr std::size_t bytes = 1 << 16;
  Canary();
  ~Canary();
  Canary(const Canary&) = delete;
  std::uint8_t* middle() const { return begin_ + bytes / 2; }
  bool is_alive() const;

 private:
  std::uint8_t* begin_;
};

/// Calls a function of a loaded module in a child process, after some of its bytes were changed there: once
/// for each set of register values (rax to r15; that of rsp is not used).
CallOutcome call_in_child(void* function, const std::vector<BytePatch>& patches,
                          const std::vector<std::vector<std::uint64_t>>& registers, const Canary& canary);

}  // namespace warplab
