#include "emulator/translator/ptx/instructions.hpp"

#include "emulator/translator/ptx/instruction.hpp"

namespace warplab::translator {

void emit_ptx_instruction(PtxEmitter& emitter, const std::vector<PtxOperand>& operands) {
  const std::string base = PtxModifiers(emitter.name()).base();
  for (const PtxHandlers* const table :
       {&ptx_arithmetic(), &ptx_comparisons(), &ptx_memory(), &ptx_asynchronous(), &ptx_warps(),
        &ptx_matrices(), &ptx_warpgroups()})
    if (const auto found = table->find(base); found != table->end()) return found->second(emitter, operands);
  emitter.unknown();
}

}  // namespace warplab::translator
