#include "grader/validator/function_proof.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include "grader/validator/memory_rules.hpp"
#include "grader/validator/register_rules.hpp"
#include "grader/validator/sequence.hpp"

namespace warplab::validator {
namespace {

/// Imports that do not return: behind a call of one there may be other code.
bool never_returns(std::string_view import) {
  constexpr std::string_view names[] = {"warplab_isolation__Unwind_Resume",
                                        "warplab_isolation___cxa_throw",
                                        "_ZN7warplab22throw_invalid_argumentENS_8SentenceE",
                                        "_ZN7warplab11throw_to_doENS_8SentenceE",
                                        "_ZN7warplab16throw_cuda_errorE9cudaErrorNS_8SentenceES1_i",
                                        "_ZSt17__throw_bad_allocv",
                                        "_ZSt28__throw_bad_array_new_lengthv",
                                        "_ZSt20__throw_length_errorPKc",
                                        "_ZSt19__throw_logic_errorPKc",
                                        "_ZSt20__throw_out_of_rangePKc",
                                        "_ZSt24__throw_out_of_range_fmtPKcz",
                                        "_ZSt25__throw_bad_function_callv",
                                        "_ZSt9terminatev",
                                        "__cxa_pure_virtual"};
  return std::find(std::begin(names), std::end(names), import) != std::end(names);
}

/// The frame that the entry check describes to the runtime.
Frame frame_of(const CodeContext& context, const std::vector<Instruction>& code, const Sequence& first) {
  if (first.kind != SequenceKind::enter)
    context.refuse(Rule::function_entry, code.front(), "begins a function without its entry check");
  const Instruction& address = code[1];
  const auto refuse = [&](const char* what) { context.refuse(Rule::frame_shape, address, what); };
  const Relocation* const relocation = address.relocation;
  const std::optional<Place> place = relocation != nullptr && relocation->type == R_X86_64_PC32
                                         ? context.object.place_of(*relocation)
                                         : std::nullopt;
  if (!place) refuse("does not name the words that describe the frame");
  const Section& words = context.object.sections()[place->section];
  const std::uint64_t at = place->offset + (address.end() - relocation->offset);
  FrameShape shape;
  if ((words.flags & (SHF_WRITE | SHF_MERGE | SHF_ALLOC)) != SHF_ALLOC || !words.relocations.empty() ||
      at > words.bytes.size() || words.bytes.size() - at < sizeof shape)
    refuse("describes the frame by words that are not constants");
  std::memcpy(&shape, words.bytes.data() + at, sizeof shape);
  const Frame frame(shape);
  if (!frame.is_possible()) refuse("describes a frame that there cannot be");
  return frame;
}

/// Imports whose addresses are in tables, for others to call.
bool is_for_tables(std::string_view import) {
  return import == personality_name || import == "_ZNKSt13runtime_error4whatEv" ||
         import == "_ZNKSt11logic_error4whatEv";
}

class Proof {
 public:
  Proof(const CodeContext& context, const UnwindTable* table)
      : context_(context),
        table_(table),
        begin_(context.function.begin.offset),
        code_(decode(context.object.sections()[context.function.begin.section], begin_,
                     begin_ + context.function.size, context.function.name)),
        sequences_(sequences_of(code_, context.object, is_inside_)),
        frame_(frame_of(context, code_, sequences_.front())),
        is_join_(code_.size()),
        states_(code_.size()) {
    for (const Instruction& instruction : code_)
      if (instruction.is_branch()) is_join_[target_of(instruction)] = true;
    if (table_ != nullptr)
      for (const UnwindTable::CallSite& site : table_->call_sites)
        if (site.pad != 0) is_join_[pad_of(site)] = true;
  }

  void run() {
    flow(sequences_.front().length, MachineState::at_entry(), code_.front());
    while (!pending_.empty()) {
      const std::size_t at = pending_.back();
      pending_.pop_back();
      follow(at, MachineState(*states_[at]));
    }
  }

 private:
  /// The instruction at an offset from the function's begin, if one begins there that may be jumped to.
  std::optional<std::size_t> instruction_at(std::uint64_t offset) const {
    const auto found = std::lower_bound(code_.begin(), code_.end(), begin_ + offset,
                                        [](const Instruction& i, std::uint64_t at) { return i.offset < at; });
    if (found == code_.end() || found->offset != begin_ + offset) return std::nullopt;
    const auto index = static_cast<std::size_t>(found - code_.begin());
    if (index == 0 || is_inside_[index]) return std::nullopt;
    return index;
  }

  std::size_t target_of(const Instruction& jump) const {
    const auto distance = jump.immediate(0);
    if (!distance) context_.refuse(Rule::indirect_branch, jump, "jumps to an address that is computed");
    const auto target = instruction_at(jump.end() + static_cast<std::uint64_t>(*distance) - begin_);
    if (jump.relocation != nullptr || !target)
      context_.refuse(Rule::branch_target, jump, "does not jump to an instruction of its function");
    return *target;
  }

  std::size_t pad_of(const UnwindTable::CallSite& site) const {
    const auto pad = instruction_at(site.pad);
    if (!pad)
      throw Violation{Rule::exception_table, context_.function.name, site.pad,
                      "an exception would continue at what is not an instruction of the function"};
    return *pad;
  }

  /// Control comes to an instruction in a state.
  void flow(std::size_t to, const MachineState& state, const Instruction& from) {
    if (to >= code_.size()) context_.refuse(Rule::fall_through, from, "runs on beyond the function's end");
    if (!states_[to]) {
      states_[to] = state;
      pending_.push_back(to);
      return;
    }
    if (states_[to]->stack_pointer() != state.stack_pointer())
      context_.refuse(Rule::joined_paths, code_[to], "is reached with different stack pointers");
    if (states_[to]->join(state)) pending_.push_back(to);
  }

  /// From an instruction to the next one that several ways lead to.
  void follow(std::size_t at, MachineState state) {
    AccessCheck check;
    do {
      const Instruction& instruction = code_[at];
      const Sequence& sequence = sequences_[at];
      require_access(context_, state, frame_, instruction, std::exchange(check, {}));
      if (sequence.kind == SequenceKind::enter)
        context_.refuse(Rule::misplaced_check, instruction, "checks an entry within a function");
      if (sequence.kind == SequenceKind::access)
        check = {&code_[at + 2], *code_[at + 3].immediate(1)};
      else if (sequence.kind == SequenceKind::target)
        call(code_[at + 1], state);
      else if (sequence.kind == SequenceKind::mark)
        mark(state);
      else if (sequence.kind == SequenceKind::leave)
        return leave(instruction, state);
      else if (!step(instruction, state))
        return;
      at += sequence.length;
      if (at >= code_.size() || is_join_[at]) return flow(at, state, instruction);
    } while (true);
  }

  /// @return whether the next instruction is reached
  bool step(const Instruction& instruction, MachineState& state) {
    switch (instruction.mnemonic()) {
      case ZYDIS_MNEMONIC_UD2:
      case ZYDIS_MNEMONIC_INT3:
        return false;
      case ZYDIS_MNEMONIC_RET:
        context_.refuse(Rule::unchecked_return, instruction, "is not behind a check of where it returns to");
      case ZYDIS_MNEMONIC_CALL: {
        const std::string_view import = called_import(instruction, context_.object);
        if (is_check(import))
          context_.refuse(Rule::misplaced_check, instruction, "is only a part of a check");
        if (is_for_tables(import))
          context_.refuse(Rule::call_target, instruction, "calls what is only for tables");
        if (import.empty()) require_function(instruction);
        call(instruction, state);
        return !never_returns(import);
      }
      default:
        break;
    }
    if (!instruction.is_branch()) {
      apply(context_, frame_, instruction, state);
      return true;
    }
    flow(target_of(instruction), state, instruction);
    return instruction.is_conditional();
  }

  void require_function(const Instruction& instruction) const {
    const auto distance = instruction.immediate(0);
    if (!distance)
      context_.refuse(Rule::indirect_branch, instruction, "calls an address that is not checked");
    std::optional<Place> place =
        Place{context_.function.begin.section, instruction.end() + static_cast<std::uint64_t>(*distance)};
    if (const Relocation* const relocation = instruction.relocation) {
      const bool direct = relocation->type == R_X86_64_PLT32 || relocation->type == R_X86_64_PC32;
      place = direct ? context_.object.place_of(*relocation) : std::nullopt;
      if (place) place->offset += instruction.end() - relocation->offset;
    }
    if (!place || !context_.functions.contains(*place))
      context_.refuse(Rule::call_target, instruction, "does not call a function of its module");
  }

  void call(const Instruction& instruction, MachineState& state) {
    if (!frame_.is_full(state.stack_pointer()))
      context_.refuse(Rule::call_depth, instruction,
                      "calls while a part of the frame is below the stack pointer");
    const MachineState before = state;
    state.forget_after_call();
    if (table_ == nullptr) return;                               // an exception ends the program here
    const std::uint64_t place = instruction.end() - 1 - begin_;  // where the unwinder looks
    const UnwindRow* const row = table_->row_at(place);
    if (row == nullptr || !is_true_of(*row, before))
      context_.refuse(Rule::unwind_table, instruction,
                      "may throw where the table of frames does not describe the frame");
    for (const UnwindTable::CallSite& site : table_->call_sites)
      if (site.pad != 0 && place >= site.begin && place < site.end) flow(pad_of(site), state, instruction);
  }

  static void mark(MachineState& state) {
    state.forget_after_call();
    state.set(r12, state.stack_pointer());
  }

  void leave(const Instruction& instruction, const MachineState& state) const {
    if (state.stack_pointer() != Value{Value::Kind::entry, 0})
      context_.refuse(Rule::stack_pointer, instruction, "returns while the stack pointer is elsewhere");
    for (const RegisterNumber r : kept_registers)
      if (state[r] != Value{Value::Kind::saved, r})
        context_.refuse(Rule::saved_register, instruction,
                        "returns without the register " + std::to_string(r) + " that its caller had");
  }

  const CodeContext& context_;
  const UnwindTable* const table_;  ///< or null
  const std::uint64_t begin_;
  const std::vector<Instruction> code_;
  std::vector<bool> is_inside_;  ///< a sequence, or behind its check
  const std::vector<Sequence> sequences_;
  const Frame frame_;
  std::vector<bool> is_join_;  ///< several ways may lead to it
  std::vector<std::optional<MachineState>> states_;
  std::vector<std::size_t> pending_;
};

}  // namespace

void prove(const CodeContext& context, const UnwindTable* table) { Proof(context, table).run(); }

}  // namespace warplab::validator
