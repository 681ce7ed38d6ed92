#pragma once

#include <cstddef>
#include <deque>
#include <unordered_map>
#include <vector>

#include "emulator/src/block/pending_work.hpp"
#include "emulator/src/copies/copy_overlap.hpp"
#include "warplab_emulator/block/thread.hpp"
#include "warplab_emulator/copies/bulk_copies.hpp"

namespace warplab::emulator {

struct Worker;

/// Asynchronous copies of the block that a worker runs: what its threads have issued, and what arrives at
/// the barriers in its shared memory.
class AsynchronousWork : public PendingWork {
 public:
  struct Copy {
    std::byte* to;
    unsigned bytes;
    std::byte data[16];
  };
  using Copies = std::vector<Copy>;

  struct BulkLoad {
    std::byte* to;
    std::size_t bytes;
    std::vector<std::byte> data;
    const std::byte* from;  ///< shared memory that is read when it lands, or null
    Site site;
    BulkReduction reduction{};
    void land() const;
  };
  struct BulkStore {
    std::vector<BulkPiece> pieces;
    const std::byte* from;
    std::size_t bytes;
    BulkReduction reduction;
    Site site;
    const void* code;             ///< where it was issued, for the lens
    std::vector<std::byte> data;  ///< once the source is read
    bool is_read = false;
    void read();
    void write();
  };
  using BulkStores = std::vector<BulkStore>;

  struct Thread {
    Copies open;
    std::deque<Copies> groups;
    CopyOverlap overlap;  ///< of the copies in groups, and of those bound to barriers
    BulkStores open_stores;
    std::deque<BulkStores> store_groups;
  };
  struct Barrier {
    Copies bound;              ///< land when all have arrived
    long long open_bytes = 0;  ///< of bulk copies: expected and not landed
    std::vector<BulkLoad> bulk;
  };

  Thread& of_this_thread();
  Thread* known_of_this_thread();  ///< null where no thread has any
  Barrier& of_barrier(const void* barrier) { return barriers_[barrier]; }
  Barrier* known_barrier(const void* barrier);
  void forget_barrier(const void* barrier) { barriers_.erase(barrier); }
  void clear() override;
  /// After the last thread stores land. A load that nobody has waited for ends the kernel.
  void note_return(int left) override;

  /// A copy under way that touches the bytes, or null: a load into them, or a store
  /// that has still to read them.
  const BulkLoad* load_into(const void* address, std::size_t bytes) const;
  /// Whether a copy of up to 16 bytes (cp.async) has still to land in the bytes.
  bool copies_into(const void* address, std::size_t bytes) const;
  const BulkStore* store_from(const void* address, std::size_t bytes) const;

  std::vector<std::byte> staged;  ///< for the next bulk load

  static void land(Copies& copies);

 private:
  std::vector<Thread> threads_;
  std::unordered_map<const void*, Barrier> barriers_;
};

/// The asynchronous work of a worker, made at its first use.
AsynchronousWork& asynchronous_work_of(Worker& worker);
/// The same, or null where no kernel has used it yet.
AsynchronousWork* find_asynchronous_work(const Worker& worker);

}  // namespace warplab::emulator
