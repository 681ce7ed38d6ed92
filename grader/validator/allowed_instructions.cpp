#include "grader/validator/allowed_instructions.hpp"

#include <algorithm>
#include <iterator>

namespace warplab::validator {
namespace {

/// On general registers. None of them has an operand in memory that it does not name, but for the stack.
constexpr ZydisMnemonic general[] = {
    // moves
    ZYDIS_MNEMONIC_MOV, ZYDIS_MNEMONIC_MOVSX, ZYDIS_MNEMONIC_MOVSXD, ZYDIS_MNEMONIC_MOVZX, ZYDIS_MNEMONIC_LEA,
    ZYDIS_MNEMONIC_XCHG, ZYDIS_MNEMONIC_BSWAP, ZYDIS_MNEMONIC_PUSH, ZYDIS_MNEMONIC_POP, ZYDIS_MNEMONIC_LEAVE,
    ZYDIS_MNEMONIC_CBW, ZYDIS_MNEMONIC_CWDE, ZYDIS_MNEMONIC_CDQE, ZYDIS_MNEMONIC_CWD, ZYDIS_MNEMONIC_CDQ,
    ZYDIS_MNEMONIC_CQO,
    // arithmetic and logic
    ZYDIS_MNEMONIC_ADD, ZYDIS_MNEMONIC_ADC, ZYDIS_MNEMONIC_SUB, ZYDIS_MNEMONIC_SBB, ZYDIS_MNEMONIC_MUL,
    ZYDIS_MNEMONIC_IMUL, ZYDIS_MNEMONIC_DIV, ZYDIS_MNEMONIC_IDIV, ZYDIS_MNEMONIC_NEG, ZYDIS_MNEMONIC_INC,
    ZYDIS_MNEMONIC_DEC, ZYDIS_MNEMONIC_AND, ZYDIS_MNEMONIC_OR, ZYDIS_MNEMONIC_XOR, ZYDIS_MNEMONIC_NOT,
    ZYDIS_MNEMONIC_CMP, ZYDIS_MNEMONIC_TEST, ZYDIS_MNEMONIC_XADD, ZYDIS_MNEMONIC_CMPXCHG,
    // shifts and bits
    ZYDIS_MNEMONIC_SHL, ZYDIS_MNEMONIC_SHR, ZYDIS_MNEMONIC_SAR, ZYDIS_MNEMONIC_ROL, ZYDIS_MNEMONIC_ROR,
    ZYDIS_MNEMONIC_RCL, ZYDIS_MNEMONIC_RCR, ZYDIS_MNEMONIC_SHLD, ZYDIS_MNEMONIC_SHRD, ZYDIS_MNEMONIC_BT,
    ZYDIS_MNEMONIC_BTS, ZYDIS_MNEMONIC_BTR, ZYDIS_MNEMONIC_BTC, ZYDIS_MNEMONIC_BSF, ZYDIS_MNEMONIC_BSR,
    ZYDIS_MNEMONIC_TZCNT, ZYDIS_MNEMONIC_LZCNT, ZYDIS_MNEMONIC_POPCNT,
    // control; the traps end a path
    ZYDIS_MNEMONIC_CALL, ZYDIS_MNEMONIC_RET, ZYDIS_MNEMONIC_UD2, ZYDIS_MNEMONIC_INT3, ZYDIS_MNEMONIC_NOP,
    ZYDIS_MNEMONIC_PAUSE, ZYDIS_MNEMONIC_LFENCE, ZYDIS_MNEMONIC_MFENCE, ZYDIS_MNEMONIC_SFENCE,
    ZYDIS_MNEMONIC_VZEROUPPER};

constexpr ZydisISASet vector_sets[] = {ZYDIS_ISA_SET_SSE,   ZYDIS_ISA_SET_SSE2, ZYDIS_ISA_SET_SSE3,
                                       ZYDIS_ISA_SET_SSSE3, ZYDIS_ISA_SET_SSE4, ZYDIS_ISA_SET_SSE42,
                                       ZYDIS_ISA_SET_AVX,   ZYDIS_ISA_SET_AVX2, ZYDIS_ISA_SET_F16C,
                                       ZYDIS_ISA_SET_FMA,   ZYDIS_ISA_SET_BMI1, ZYDIS_ISA_SET_BMI2};

/// Of these sets: what touches memory where a mask says so.
constexpr ZydisMnemonic masked[] = {ZYDIS_MNEMONIC_MASKMOVDQU, ZYDIS_MNEMONIC_VMASKMOVDQU,
                                    ZYDIS_MNEMONIC_VMASKMOVPS, ZYDIS_MNEMONIC_VMASKMOVPD,
                                    ZYDIS_MNEMONIC_VPMASKMOVD, ZYDIS_MNEMONIC_VPMASKMOVQ};

template <class T, std::size_t n>
bool is_in(const T (&list)[n], T value) {
  return std::find(list, list + n, value) != list + n;
}

bool is_listed(const ZydisDecodedInstruction& code) {
  switch (code.meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
      return code.mnemonic >= ZYDIS_MNEMONIC_JB && code.mnemonic <= ZYDIS_MNEMONIC_JZ &&
             code.mnemonic != ZYDIS_MNEMONIC_JCXZ && code.mnemonic != ZYDIS_MNEMONIC_JECXZ &&
             code.mnemonic != ZYDIS_MNEMONIC_JRCXZ;
    case ZYDIS_CATEGORY_UNCOND_BR:
      return code.mnemonic == ZYDIS_MNEMONIC_JMP;
    case ZYDIS_CATEGORY_SETCC:
    case ZYDIS_CATEGORY_CMOV:
    case ZYDIS_CATEGORY_PREFETCH:
      return true;
    default:
      return is_in(general, code.mnemonic) ||
             (is_in(vector_sets, code.meta.isa_set) && !is_in(masked, code.mnemonic));
  }
}

bool is_plain_register(ZydisRegister name, bool hidden) {
  switch (ZydisRegisterGetClass(name)) {
    case ZYDIS_REGCLASS_GPR8:
    case ZYDIS_REGCLASS_GPR16:
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64:
    case ZYDIS_REGCLASS_XMM:
    case ZYDIS_REGCLASS_YMM:
      return true;
    default:  // the flags, rip and the state of floating-point arithmetic are touched by the way
      return hidden &&
             (name == ZYDIS_REGISTER_RFLAGS || name == ZYDIS_REGISTER_RIP || name == ZYDIS_REGISTER_MXCSR);
  }
}

bool uses_the_stack(ZydisMnemonic m) {
  return m == ZYDIS_MNEMONIC_PUSH || m == ZYDIS_MNEMONIC_POP || m == ZYDIS_MNEMONIC_CALL ||
         m == ZYDIS_MNEMONIC_RET || m == ZYDIS_MNEMONIC_LEAVE;
}

/// Prefixes before a jump mean different things to different processors.
bool has_usual_length(const Instruction& instruction) {
  const ZydisDecodedInstruction& code = instruction.code;
  if (code.mnemonic == ZYDIS_MNEMONIC_RET) return code.length == 1;
  if (code.mnemonic == ZYDIS_MNEMONIC_CALL)
    return instruction.memory() != nullptr ? code.length == 6
                                           : code.length == (instruction.immediate(0) ? 5 : 3);
  if (!instruction.is_branch()) return true;
  return code.length == 2 || code.length == (instruction.is_conditional() ? 6 : 5);
}

}  // namespace

bool is_no_operation(ZydisMnemonic mnemonic) { return mnemonic == ZYDIS_MNEMONIC_NOP; }

bool is_allowed(const Instruction& instruction) {
  const ZydisDecodedInstruction& code = instruction.code;
  if (!is_listed(code) || !has_usual_length(instruction)) return false;
  unsigned named_memory = 0;
  for (unsigned i = 0; i < code.operand_count; ++i) {
    const ZydisDecodedOperand& operand = instruction.operands[i];
    const bool hidden = i >= code.operand_count_visible;
    if (operand.type == ZYDIS_OPERAND_TYPE_POINTER) return false;
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER && !is_plain_register(operand.reg.value, hidden))
      return false;
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY) continue;
    if (hidden ? !uses_the_stack(code.mnemonic) : ++named_memory > 1 || code.address_width != 64)
      return false;
    if (operand.mem.type != ZYDIS_MEMOP_TYPE_MEM && operand.mem.type != ZYDIS_MEMOP_TYPE_AGEN) return false;
  }
  // A bit's number in a register reaches beyond the operand.
  const bool bits = code.meta.category == ZYDIS_CATEGORY_BITBYTE && named_memory != 0;
  return !bits || instruction.immediate(1) || code.mnemonic == ZYDIS_MNEMONIC_BSF ||
         code.mnemonic == ZYDIS_MNEMONIC_BSR;
}

}  // namespace warplab::validator
