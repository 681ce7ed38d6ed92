#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "emulator/src/recorder/lane.hpp"

namespace warplab::emulator::lens {

/// Which words of constant memory a GPU takes by its uniform datapath, whose loads `idc__requests` does not
/// count: where nvcc knows the address, and where the address depends on nothing but the iteration of a loop
/// that has no other loop around it and no branch inside. What nvcc knows is taken from the addresses: at
/// each such place all threads of a launch load from the same one.
class ConstantWords {
 public:
  /// The lane loads. @param code the instruction
  void note(const Lane& lane, std::uint32_t code, std::uint64_t address) {
    if (last_instruction_ == nullptr || code != last_code_)
      last_instruction_ = &instructions_[last_code_ = code];
    Instruction& at = *last_instruction_;
    if (lane.condition != 0 && !lane.loops.empty()) at.condition = lane.condition;
    at.varies = at.varies || !is_first(mix(lane.path.unrolled, code), address);
    at.varies_in_loop = at.varies_in_loop || lane.loops.size() != 1 || lane.loops.back().has_branch ||
                        !is_first(mix(lane.path.whole, ~std::uint64_t{code}), address);
  }
  /// A lane comes to an `if` in a loop. @param condition its number
  void note_way(std::uint64_t condition, bool taken) {
    if (condition == last_way_ && taken == last_taken_) return;
    ways_[last_way_ = condition] |= 1 << (last_taken_ = taken);
  }
  /// Where lanes differ in a condition within a loop, nvcc makes a load of it that is switched off for some.
  bool are_uniform(std::uint32_t code) const {
    const auto at = instructions_.find(code);
    if (at == instructions_.end() || (at->second.varies && at->second.varies_in_loop)) return false;
    const auto ways = ways_.find(at->second.condition);
    return at->second.condition == 0 || ways == ways_.end() || ways->second != both_ways;
  }

 private:
  static constexpr unsigned both_ways = 3;
  struct Instruction {
    std::uint64_t condition = 0;  ///< that holds where it loads, if it is in a loop
    bool varies = false;          ///< in a place of the unrolled code
    bool varies_in_loop = false;  ///< in an iteration
  };
  struct Seen {
    std::uint64_t place = 0, address = 0;
  };

  /// Whether this is the address that was first loaded from at a place.
  bool is_first(std::uint64_t place, std::uint64_t address) {
    Seen& last = last_[place % last_.size()];
    if (last.place == place && last.address == address) return true;
    const std::uint64_t first = first_.try_emplace(place, address).first->second;
    if (first == address) last = {place, address};
    return first == address;
  }

  std::unordered_map<std::uint32_t, Instruction> instructions_;
  Instruction* last_instruction_ = nullptr;  ///< most loads are of the same one as the load before
  std::uint32_t last_code_ = 0;
  std::unordered_map<std::uint64_t, unsigned> ways_;  ///< that threads have gone, by condition
  std::uint64_t last_way_ = 0;
  bool last_taken_ = false;
  std::unordered_map<std::uint64_t, std::uint64_t> first_;  ///< addresses, by place
  std::array<Seen, 256> last_{};
};

}  // namespace warplab::emulator::lens
