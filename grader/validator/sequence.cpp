#include "grader/validator/sequence.hpp"

#include <elf.h>

#include <algorithm>
#include <iterator>

namespace warplab::validator {
namespace {

/// A pattern's instruction: a mnemonic, a register for its first operand, and one of the others.
struct Step {
  enum class Other { any, none, number, address, reg };
  ZydisMnemonic mnemonic;
  RegisterNumber first = 0;
  Other other = Other::none;
  std::int64_t value = 0;  ///< the number, or the other register
  std::string_view import = {};
};

using Other = Step::Other;

constexpr Step push(RegisterNumber r) { return {ZYDIS_MNEMONIC_PUSH, r}; }
constexpr Step pop(RegisterNumber r) { return {ZYDIS_MNEMONIC_POP, r}; }
constexpr Step lea(RegisterNumber r) { return {ZYDIS_MNEMONIC_LEA, r, Other::address}; }
constexpr Step number(ZydisMnemonic m, RegisterNumber r, std::int64_t n) { return {m, r, Other::number, n}; }
constexpr Step move(RegisterNumber to, RegisterNumber from) {
  return {ZYDIS_MNEMONIC_MOV, to, Other::reg, static_cast<std::int64_t>(from)};
}
constexpr Step call(std::string_view import) { return {ZYDIS_MNEMONIC_CALL, 0, Other::any, 0, import}; }
/// mov esi, n: the number is looked at by whoever uses the check.
constexpr Step size_of_access() { return {ZYDIS_MNEMONIC_MOV, rsi, Other::any}; }

constexpr Step enter[] = {push(rdi), lea(rdi), call("warplab_isolation_enter"), pop(rdi)};
constexpr Step leave[] = {call("warplab_isolation_leave"), {ZYDIS_MNEMONIC_RET}};
constexpr Step access[] = {push(rdi), push(rsi), lea(rdi), size_of_access(), call("warplab_isolation_access"),
                           pop(rsi),  pop(rdi)};
constexpr Step target[] = {call("warplab_isolation_target"), {ZYDIS_MNEMONIC_CALL, r11}};
constexpr Step mark[] = {move(r12, rsp), number(ZYDIS_MNEMONIC_SUB, rsp, 128),
                         number(ZYDIS_MNEMONIC_AND, rsp, -16), call("warplab_lens_mark"), move(rsp, r12)};
constexpr Step registration[] = {number(ZYDIS_MNEMONIC_SUB, rsp, 8),
                                 lea(rdi),
                                 lea(rsi),
                                 call("warplab_isolation_register"),
                                 number(ZYDIS_MNEMONIC_ADD, rsp, 8),
                                 {ZYDIS_MNEMONIC_RET}};

bool matches(const Step& step, const Instruction& instruction, const ObjectFile& object) {
  if (instruction.mnemonic() != step.mnemonic) return false;
  if (!step.import.empty()) return called_import(instruction, object) == step.import;
  if (step.mnemonic == ZYDIS_MNEMONIC_RET) return true;
  if (step.other == Other::any)  // into the lower half of a register, which clears the upper half
    return instruction.operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           instruction.operands[0].reg.value == ZYDIS_REGISTER_ESI && instruction.immediate(1).has_value();
  if (instruction.whole_register(0) != step.first) return false;
  switch (step.other) {
    case Other::number:
      return instruction.immediate(1) == step.value;
    case Other::reg:
      return instruction.whole_register(1) == static_cast<RegisterNumber>(step.value);
    case Other::address:
      return instruction.memory() != nullptr;
    default:
      return true;
  }
}

template <std::size_t n>
bool begins(const Step (&pattern)[n], const std::vector<Instruction>& code, std::size_t at,
            const ObjectFile& object) {
  if (n > code.size() - at) return false;
  for (std::size_t i = 0; i < n; ++i)
    if (!matches(pattern[i], code[at + i], object)) return false;
  return true;
}

Sequence sequence_at(const std::vector<Instruction>& code, std::size_t at, const ObjectFile& object) {
  if (begins(access, code, at, object)) return {SequenceKind::access, std::size(access)};
  if (begins(mark, code, at, object)) return {SequenceKind::mark, std::size(mark)};
  if (begins(target, code, at, object)) return {SequenceKind::target, std::size(target)};
  if (begins(enter, code, at, object)) return {SequenceKind::enter, std::size(enter)};
  if (begins(leave, code, at, object)) return {SequenceKind::leave, std::size(leave)};
  return {};
}

}  // namespace

bool is_check(std::string_view import) {
  constexpr std::string_view names[] = {"warplab_isolation_enter",    "warplab_isolation_leave",
                                        "warplab_isolation_access",   "warplab_isolation_target",
                                        "warplab_isolation_register", "warplab_lens_mark"};
  return std::find(std::begin(names), std::end(names), import) != std::end(names);
}

std::string_view called_import(const Instruction& instruction, const ObjectFile& object) {
  if (instruction.mnemonic() != ZYDIS_MNEMONIC_CALL || instruction.relocation == nullptr ||
      instruction.memory() == nullptr)
    return {};
  const Relocation& relocation = *instruction.relocation;
  const bool table = relocation.type == R_X86_64_GOTPCREL || relocation.type == R_X86_64_GOTPCRELX;
  const Symbol& symbol = object.symbol_of(relocation);
  return table && relocation.addend == -4 && symbol.section == SHN_UNDEF ? std::string_view(symbol.name)
                                                                         : std::string_view();
}

std::vector<Sequence> sequences_of(const std::vector<Instruction>& code, const ObjectFile& object,
                                   std::vector<bool>& is_inside) {
  std::vector<Sequence> all(code.size());
  is_inside.assign(code.size(), false);
  for (std::size_t at = 0; at < code.size(); at += all[at].length) {
    all[at] = sequence_at(code, at, object);
    // What an access check is for belongs to it: nothing else may lead there.
    const std::size_t end = at + all[at].length + (all[at].kind == SequenceKind::access ? 1 : 0);
    for (std::size_t i = at + 1; i < std::min(end, code.size()); ++i) is_inside[i] = true;
  }
  return all;
}

bool is_registration(const std::vector<Instruction>& code, const ObjectFile& object) {
  return code.size() == std::size(registration) && begins(registration, code, 0, object);
}

}  // namespace warplab::validator
