#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

namespace warplab::emulator::lens {

/// The address that was first used at each place of the code.
class FirstAddresses {
 public:
  /// Whether this is it.
  bool is_first(std::uint64_t place, std::uint64_t address) {
    Seen& last = last_[place % last_.size()];
    if (last.place == place && last.address == address) return true;
    const std::uint64_t first = first_.try_emplace(place, address).first->second;
    if (first == address) last = {place, address};
    return first == address;
  }

 private:
  struct Seen {
    std::uint64_t place = 0, address = 0;
  };
  std::unordered_map<std::uint64_t, std::uint64_t> first_;
  std::array<Seen, 256> last_{};
};

}  // namespace warplab::emulator::lens
