#pragma once

#include <cstddef>
#include <deque>
#include <unordered_map>
#include <vector>

namespace warplab::emulator {

/// Asynchronous copies of the block that a worker runs.
class AsynchronousWork {
 public:
  struct Copy {
    std::byte* to;
    unsigned bytes;
    std::byte data[16];
  };
  using Copies = std::vector<Copy>;

  struct Thread {
    Copies open;
    std::deque<Copies> groups;
  };
  struct Barrier {
    Copies bound;              ///< land when all have arrived
    long long open_bytes = 0;  ///< of bulk copies: expected and not landed
    Copies bulk;
  };

  Thread& of_this_thread();
  Barrier& of_barrier(const void* barrier) { return barriers_[barrier]; }
  Barrier* known_barrier(const void* barrier);
  void forget_barrier(const void* barrier) { barriers_.erase(barrier); }
  /// Another block begins: what nobody waited for is lost.
  void clear();

  static void land(Copies& copies);

 private:
  std::vector<Thread> threads_;
  std::unordered_map<const void*, Barrier> barriers_;
};

}  // namespace warplab::emulator
