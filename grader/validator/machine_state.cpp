#include "grader/validator/machine_state.hpp"

#include <algorithm>

namespace warplab::validator {

MachineState MachineState::at_entry() {
  MachineState state;
  state.registers_[rsp] = {Value::Kind::entry, 0};
  for (const RegisterNumber r : kept_registers) state.registers_[r] = {Value::Kind::saved, r};
  return state;
}

void MachineState::set_stack_pointer(const Value& value) {
  registers_[rsp] = value;
  // The aligned place lies below all places that are known from the entry.
  std::erase_if(words_, [&](const Word& word) {
    return word.place.kind == value.kind ? word.place.number < value.number
                                         : value.kind == Value::Kind::entry;
  });
}

Value MachineState::word_at(const Value& place) const {
  const auto found =
      std::find_if(words_.begin(), words_.end(), [&](const Word& word) { return word.place == place; });
  return found != words_.end() ? found->value : Value{};
}

void MachineState::set_word(const Value& place, const Value& value) {
  // A push at an odd place would overwrite parts of two words.
  std::erase_if(words_, [&](const Word& word) {
    return word.place.kind == place.kind && word.place.number - place.number < 8 &&
           place.number - word.place.number < 8;
  });
  if (value.kind != Value::Kind::unknown) words_.push_back({place, value});
}

void MachineState::forget_after_call() {
  for (const RegisterNumber r : {0u, 1u, 2u, 6u, 7u, 8u, 9u, 10u, 11u}) registers_[r] = {};
}

bool MachineState::join(const MachineState& other) {
  bool less = false;
  for (std::size_t r = 0; r < registers_.size(); ++r)
    if (registers_[r].kind != Value::Kind::unknown && registers_[r] != other.registers_[r]) {
      registers_[r] = {};
      less = true;
    }
  less |=
      std::erase_if(words_, [&](const Word& word) { return other.word_at(word.place) != word.value; }) != 0;
  return less;
}

}  // namespace warplab::validator
