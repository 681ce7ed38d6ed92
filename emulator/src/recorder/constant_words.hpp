#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "emulator/src/recorder/first_addresses.hpp"
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
    if (lane.condition != 0 && !lane.loops.empty()) note_condition(lane, at, address);
    at.varies = at.varies || !first_.is_first(mix(lane.path.unrolled, code), address);
    at.varies_in_loop = at.varies_in_loop || lane.loops.size() != 1 || lane.loops.back().has_branch ||
                        !first_.is_first(mix(lane.path.whole, ~std::uint64_t{code}), address);
  }
  /// A lane comes to an `if` in a loop. @param condition its number
  void note_way(std::uint64_t condition, bool taken) {
    Way& last = last_ways_[condition % last_ways_.size()];
    if (last.condition == condition && (last.taken >> taken & 1u) != 0) return;
    last = {condition, ways_[condition] |= 1u << taken};
  }
  /// Where lanes differ in a condition within a loop, nvcc makes a load of it that is switched off for some,
  /// unless both ways do the same with the word: that is taken for granted where both load it.
  bool are_uniform(std::uint32_t code) const {
    const auto at = instructions_.find(code);
    if (at == instructions_.end() || (at->second.varies && at->second.varies_in_loop)) return false;
    const auto ways = ways_.find(at->second.condition);
    if (at->second.condition == 0 || ways == ways_.end() || ways->second != both_ways) return true;
    const auto otherwise = words_otherwise_.find(at->second.condition);
    return otherwise != words_otherwise_.end() && are_alike(at->second.words, otherwise->second);
  }

 private:
  static constexpr unsigned both_ways = 3;
  static constexpr std::size_t most_words = 1024;  ///< of a set, beyond which it is not known
  using Words = std::unordered_set<std::uint64_t>;
  struct Instruction {
    std::uint64_t condition = 0;  ///< that holds where it loads, if it is in a loop
    Words words;                  ///< then
    bool varies = false;          ///< in a place of the unrolled code
    bool varies_in_loop = false;  ///< in an iteration
  };
  /// Whether one of them has all the words of the other: threads need not go both ways for each word.
  static bool are_alike(const Words& a, const Words& b) {
    const Words &few = a.size() < b.size() ? a : b, &many = a.size() < b.size() ? b : a;
    return !few.empty() && many.size() < most_words &&
           std::ranges::all_of(few, [&](std::uint64_t word) { return many.contains(word); });
  }
  void note_condition(const Lane& lane, Instruction& at, std::uint64_t address) {
    if (lane.condition_holds) at.condition = lane.condition;
    Words& words = lane.condition_holds ? at.words : words_otherwise_[lane.condition];
    if (words.size() < most_words) words.insert(address);
  }

  std::unordered_map<std::uint32_t, Instruction> instructions_;
  Instruction* last_instruction_ = nullptr;  ///< most loads are of the same one as the load before
  std::uint32_t last_code_ = 0;
  std::unordered_map<std::uint64_t, unsigned> ways_;          ///< that threads have gone, by condition
  std::unordered_map<std::uint64_t, Words> words_otherwise_;  ///< loaded where a condition does not hold
  struct Way {
    std::uint64_t condition = 0;
    unsigned taken = 0;
  };
  std::array<Way, 16> last_ways_{};  ///< of `ways_`, those that lanes have just gone
  FirstAddresses first_;
};

}  // namespace warplab::emulator::lens
