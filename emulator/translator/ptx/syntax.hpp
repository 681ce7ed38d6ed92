#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warplab::translator {

/// An operand of a PTX instruction as it is written.
struct PtxOperand {
  enum class Kind {
    name,     ///< "%0", "%laneid", "r1", "_", a label
    number,   ///< "16", "0x3f", "0f3F800000", "1.5"
    vector,   ///< {a, b}: `parts`
    address,  ///< [a+16]: `parts` holds the base; of a tensor [map, {x, y}] the coordinates too
    pair      ///< d|p: `parts`
  };
  Kind kind = Kind::name;
  std::string text;      ///< of a name or number
  bool negated = false;  ///< !p
  std::vector<PtxOperand> parts;
  std::string offset = "0";  ///< of an address, in bytes
};

/// A brace, a declaration of registers, a label or an instruction.
struct PtxStatement {
  enum class Kind { open, close, registers, label, instruction };
  Kind kind;
  std::size_t at;  ///< where in the text it begins

  // An instruction, or a label's name
  std::string guard;  ///< the predicate that it is executed under, or ""
  bool guard_negated = false;
  std::string name;  ///< with all modifiers: "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
  std::vector<PtxOperand> operands;

  // .reg
  std::string type;  ///< "b32"
  struct Register {
    std::string name;
    int count;  ///< of `name<count>`, or -1
  };
  std::vector<Register> registers;
};

/// What is wrong with a PTX text, and where.
struct PtxError {
  std::size_t at;
  std::string what;
};

/// Cuts a PTX text, as the strings of an asm statement give it, into statements. @throws PtxError
std::vector<PtxStatement> parse_ptx(std::string_view text);

}  // namespace warplab::translator
