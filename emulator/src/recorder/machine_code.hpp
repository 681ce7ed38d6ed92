#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace warplab::emulator::lens {

/// What an instruction of this machine's code means to a GPU's arithmetic units.
enum class Operation : std::uint8_t {
  other,
  float_sum,
  float_product,
  float_quotient,
  float_root,
  double_sum,
  double_product,
  double_quotient,
  double_root,
  conversion,       ///< from an integer to float, or between float and double
  slow_conversion,  ///< from float to an integer, or between double and an integer
  half_rounding,    ///< to 16 bits: what comes before it is arithmetic of halves
  call,             ///< of a function whose address is in the instruction
  address,          ///< takes the address of something in the module
  leave             ///< goes on elsewhere, or may
};

/// An instruction of x86-64, as far as arithmetic is concerned.
struct MachineInstruction {
  std::size_t bytes = 0;
  Operation operation = Operation::other;
  bool stores = false;                ///< moves a value to memory other than the stack
  const std::byte* target = nullptr;  ///< what is called, or whose address is taken
};

/// The instruction at `code`. @return nothing for one that this decoder does not know
std::optional<MachineInstruction> decode(const std::byte* code, const std::byte* end);

/// The function that a call of `code` ends in: `code` itself, or where a linker's stub there leads.
/// @pre the module is bound
const void* called_function(const std::byte* code);

/// The function that is called next, if the code before it neither stores anything but on the stack nor goes
/// on elsewhere; else null.
/// @pre as above
const void* next_call(const std::byte* code);

}  // namespace warplab::emulator::lens
