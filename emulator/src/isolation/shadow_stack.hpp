#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// Bytes: below the return address before the stack is aligned; from there, or from the caller's frame, to
/// the frame's end and to where saved registers end, which may lie on either side of the alignment.
struct WarplabFrameShape {
  unsigned before, alignment, depth, saved, moved;
};

namespace warplab::emulator::isolation {

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
  /// The same where there is room. @return whether there is
  bool enter_in_place(const Frame& frame) {
    drop(frame.slot + 1);
    if (frames_.size() == frames_.capacity()) return false;
    frames_.push_back(frame);
    return true;
  }
  /// Ends the innermost frame. @return false if it is another one, or would return elsewhere
  bool leave(std::uintptr_t slot) {
    drop(slot);
    if (frames_.empty() || frames_.back().slot != slot) return false;
    const bool whole = frames_.back().value == *reinterpret_cast<const std::uintptr_t*>(slot);
    frames_.pop_back();
    return whole;
  }
  /// leave() where all is as it should be. @return false: the frame is kept for leave() to judge
  bool leave_whole(std::uintptr_t slot) {
    drop(slot);
    if (frames_.empty() || frames_.back().slot != slot ||
        frames_.back().value != *reinterpret_cast<const std::uintptr_t*>(slot))
      return false;
    frames_.pop_back();
    return true;
  }
  /// Forgets frames whose return address lies below: an exception or a fault has left them.
  void drop(std::uintptr_t below) {
    while (!frames_.empty() && frames_.back().slot < below) frames_.pop_back();
  }
  void clear() { frames_.clear(); }
  /// Whether an address of the stack is above what functions have left that have returned.
  bool reach_to(std::uintptr_t address) const { return !frames_.empty() && address >= frames_.back().low; }
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

/// Where a function's frame lies, which returns to what is in `slot`.
class FramePlace {
 public:
  FramePlace(std::uintptr_t slot, const WarplabFrameShape& shape)
      : slot_(slot),
        base_(shape.alignment == 0 ? top() : (slot - shape.before) & ~(std::uintptr_t{shape.alignment} - 1)),
        depth_(shape.depth),
        high_((shape.moved != 0 ? base_ : top()) - shape.saved) {}
  /// Whether it fits into a stack that ends at `begin`, with room for what guarded code calls.
  bool fits(std::uintptr_t begin) const {
    constexpr std::size_t spare = 12 * 1024;
    return top() - begin >= top() - base_ + depth_ + spare;
  }
  ShadowStack::Frame frame() const {
    return {base_ - depth_, high_, slot_, *reinterpret_cast<const std::uintptr_t*>(slot_)};
  }

 private:
  std::uintptr_t top() const { return slot_ + 8; }
  std::uintptr_t slot_, base_;
  std::size_t depth_;
  std::uintptr_t high_;
};

}  // namespace warplab::emulator::isolation
