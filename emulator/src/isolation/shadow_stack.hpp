#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warplab::emulator::strict {

/// The shadow stack of one stack, which grows downwards: the return addresses and variables of guarded
/// functions that have not returned.
class ShadowStack {
 public:
  struct Frame {
    std::uintptr_t low, high;  ///< its variables: saved registers and the return address lie above
    std::uintptr_t slot;       ///< where its return address is
    std::uintptr_t value;
  };

  void enter(const Frame& frame) {
    drop(frame.slot + 1);
    frames_.push_back(frame);
  }
  /// Ends the innermost frame. @return false if it is another one, or would return elsewhere
  bool leave(std::uintptr_t slot) {
    drop(slot);
    if (frames_.empty() || frames_.back().slot != slot) return false;
    const bool whole = frames_.back().value == *reinterpret_cast<const std::uintptr_t*>(slot);
    frames_.pop_back();
    return whole;
  }
  /// Forgets frames whose return address lies below: an exception or a fault has left them.
  void drop(std::uintptr_t below) {
    while (!frames_.empty() && frames_.back().slot < below) frames_.pop_back();
  }
  void clear() { frames_.clear(); }
  /// Whether the bytes are variables of one frame.
  bool hold(std::uintptr_t address, std::size_t bytes) const {
    for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
      if (address < frame->low) return false;
      if (address < frame->high) return bytes <= frame->high - address;
      if (address < frame->slot + sizeof frame->slot) return false;
    }
    return false;
  }

 private:
  std::vector<Frame> frames_;  ///< the innermost last
};

}  // namespace warplab::emulator::strict
