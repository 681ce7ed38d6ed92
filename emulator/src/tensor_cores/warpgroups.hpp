#pragma once

#include <array>
#include <vector>

#include "emulator/src/block/pending_work.hpp"
#include "warplab_emulator/tensor_cores/wgmma.hpp"

namespace warplab::emulator {

/// What the warpgroups of a block do, and which products of theirs nobody has waited for.
class Warpgroups : public PendingWork {
 public:
  static constexpr unsigned threads = 128;

  /// The calling thread brings its operands. @param code the instruction. @return after the product
  void multiply(const WgmmaKind& kind, const WgmmaOperands& operands, const Site& site, const void* code);
  void fence();
  void commit();
  void wait(unsigned left);
  void clear() override;
  /// What the thread has left open, or a product of its warpgroup that waits for it, ends the kernel.
  void note_return(int left) override;

 private:
  struct Warpgroup {
    unsigned arrived = 0;
    unsigned first = 0;          ///< who arrived first
    const Site* site = nullptr;  ///< of the product that is waited for
    WgmmaKind kind{};
    std::array<WgmmaOperands, threads> operands;  ///< by thread
  };
  struct Thread {
    bool fenced = false;
    unsigned open = 0;             ///< products that are in no group
    std::vector<unsigned> groups;  ///< products of each group that may still be running
    std::size_t closed = 0;        ///< groups, in all
    Site last{};                   ///< of the last product
  };

  /// What threads that wait for a group acquire, for the lens: an address that no variable has.
  static const void* token(unsigned warpgroup, std::size_t group);
  void record(const WgmmaKind& kind, const WgmmaOperands& operands, const void* code);
  Warpgroup& group_of(unsigned thread) { return warpgroups_[thread / threads]; }
  Thread& this_thread();
  void require_same(const Warpgroup& group, const WgmmaKind& kind, const WgmmaOperands& operands,
                    const Site& site) const;

  std::array<Warpgroup, 1024 / threads> warpgroups_;
  std::vector<Thread> threads_;
};

}  // namespace warplab::emulator
