#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/guard/assembly_words.hpp"

/// The frames of functions in x86-64 assembly, as g++ writes it.
namespace warplab::assembly {

/// Where a function's variables and saved registers lie, as the frame's stub wants it.
struct FrameShape {
  long before = 0;     ///< bytes below the return address, before the stack is aligned
  long alignment = 0;  ///< 0: it is not
  long depth = 0;      ///< from there, or from the caller's frame, to the frame's end
  long saved = 8;      ///< likewise to where saved registers end
  bool moved = false;  ///< saved registers lie below the alignment
};

/// Follows the directives of a function, line by line: what its frame is measured from.
class Frame {
 public:
  /// A function begins. Looks through it: what its prologue pushes, and how deep its frame goes.
  /// @param begin the line after its .cfi_startproc
  /// @throws Refused if its variables need too much stack
  void begin(const std::vector<std::string_view>& lines, std::size_t begin);
  /// A directive of this function that begins with ".cfi_". @throws Refused if it is not understood
  void directive(std::string_view word, const std::vector<std::string_view>& parts);

  const FrameShape& shape() const { return shape_; }
  bool is_measured_from_stack_pointer() const { return cfa_.first == stack_pointer; }

  /// Whether a write lies among the variables of the function's own frame, whatever happens.
  bool has_variable(const Memory& memory, unsigned bytes) const;
  /// Whether a read relative to the stack or the frame stays in the function's frame and the arguments above
  /// it: stacks of threads lie in a row, and a constant distance away are the variables of others.
  bool is_near(const Memory& memory) const;

 private:
  // DWARF's numbers of registers.
  static constexpr long frame_pointer = 6, stack_pointer = 7;

  FrameShape shape_;
  std::pair<long, long> cfa_{stack_pointer, 8};  ///< the register, and the distance from it
  std::vector<std::pair<long, long>> remembered_;
};

}  // namespace warplab::assembly
