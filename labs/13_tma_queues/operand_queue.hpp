#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/device/bulk_copy.hpp"
#include "common/device/cluster.hpp"
#include "tma_queues_tiles.hpp"

// A queue of operands: the paper's OperandQueue. A producer pushes tiles of some vectors, which bulk copies
// bring; consumers acquire the oldest tile, use it, and release its slot. Two barriers per slot:
//
//   full    one arrival, by the producer, and the tile's bytes: consumers wait for it
//   empty   one arrival per consumer warp: the producer waits for it before it fills the slot again
//
//        push                     acquire          release
//   slot  full[s] counts bytes -> consumers use -> empty[s] counts warps -> push of the next round

/// What a queue brings: the paper's queue descriptor. The address of a vector's
/// next tile goes with each push.
struct QueueDescriptor {
  int rows;           ///< vectors that it brings together
  int tile;           ///< elements of each vector per slot, a multiple of 4
  int slots;          ///< 1 or more
  bool once = false;  ///< whether L2 may forget what it brings: no block reads it again

  /// Bytes of shared memory: the barriers, then (slots, rows, tile) floats, at multiples of 128 bytes.
  __host__ __device__ std::size_t bytes() const { return barrier_bytes() + slots * slot_bytes(); }
  __host__ __device__ std::size_t barrier_bytes() const {
    return (2 * sizeof(std::uint64_t) * slots + 127) / 128 * 128;
  }
  __host__ __device__ std::size_t slot_bytes() const {
    return (static_cast<std::size_t>(rows) * tile * sizeof(float) + 127) / 128 * 128;
  }
};

/// One thread's view of a queue: each thread counts for itself which slot comes next, and in which round.
class OperandQueue {
 public:
  /// @param place in shared memory: descriptor.bytes(), at a multiple of 128 bytes
  __device__ OperandQueue(QueueDescriptor descriptor, unsigned char* place)
      : descriptor_(descriptor),
        full_(reinterpret_cast<std::uint64_t*>(place)),
        empty_(full_ + descriptor.slots),
        slots_at_(place + descriptor.barrier_bytes()) {}

  /// One thread makes the barriers. A barrier of the block, or of the cluster, must follow. @param warps that
  /// release each slot
  __device__ void initialize(int warps) {
    for (int s = 0; s < descriptor_.slots; ++s) {
      barrier_init(full_ + s, 1);
      barrier_init(empty_ + s, static_cast<unsigned>(warps));
    }
    fence_barriers();
  }

  /// Fills the next slot, as soon as it is empty. All lanes of a warp call it: one thread would start the
  /// copies of many vectors one after another, and for one vector the others do nothing. @param at at(v) is
  /// where vector v's tile begins in device memory @param count elements of each vector
  template <class At>
  __device__ void push(At at, int count) {
    if (descriptor_.rows > 1 || lane() == 0) {
      begin_push(at, count);
      const unsigned bytes = whole_bytes(count);
      if (bytes > 0)
        for (int v = lane(); v < descriptor_.rows; v += 32) copy(row(v), at(v), bytes);
    }
    advance();
  }
  /// The same for a queue that all `blocks` of a cluster have, at the same place: each copies its share of
  /// the vectors for all of them. A slot is empty when the consumers of all blocks have released it. @param
  /// rank of this block
  template <int blocks, class At>
  __device__ void push_for_all(At at, int count, unsigned rank) {
    begin_push(at, count);
    const unsigned bytes = whole_bytes(count);
    const int share = descriptor_.rows / blocks, first = static_cast<int>(rank) * share;
    if (bytes > 0)
      for (int v = first + lane(); v < first + share; v += 32)
        copy_bulk_for_all<blocks>(row(v), at(v), bytes, full_ + slot_);
    advance();
  }

  /// Waits for the oldest tile. @return (rows, tile), in shared memory
  __device__ const float* acquire() const {
    barrier_wait(full_ + slot_, parity_);
    return row(0);
  }
  /// Gives the oldest tile's slot back. All lanes of a warp call it, after their last read.
  __device__ void release() {
    __syncwarp();  // waits until all lanes have read
    if (lane() == 0) barrier_arrive(empty_ + slot_);
    advance();
  }
  /// The same for a queue of a cluster: arrives at the barriers of all its blocks.
  template <int blocks>
  __device__ void release_to_all() {
    static_assert(blocks <= 32);
    __syncwarp();  // waits until all lanes have read
    if (lane() < blocks) barrier_arrive_at(empty_ + slot_, static_cast<unsigned>(lane()));
    advance();
  }

  /// Waits for tile `step` of a queue that has a slot for each, and keeps them.
  __device__ const float* keep(int step) const {
    barrier_wait(full_ + step, 0);
    return reinterpret_cast<const float*>(slots_at_ + step * descriptor_.slot_bytes());
  }

 private:
  __device__ static unsigned whole_bytes(int count) { return static_cast<unsigned>(count) / 4 * 16; }
  __device__ float* row(int v) const {
    return reinterpret_cast<float*>(slots_at_ + slot_ * descriptor_.slot_bytes()) + v * descriptor_.tile;
  }
  __device__ static int lane() { return static_cast<int>(threadIdx.x % 32); }
  __device__ void copy(float* to, const float* from, unsigned bytes) {
    if (descriptor_.once)
      copy_bulk_once(to, from, bytes, full_ + slot_);
    else
      copy_bulk(to, from, bytes, full_ + slot_);
  }
  /// Waits for the slot, stores the elements that fill no 16 bytes, and announces the bytes of all vectors.
  template <class At>
  __device__ void begin_push(At at, int count) {
    const unsigned bytes = static_cast<unsigned>(descriptor_.rows) * whole_bytes(count);
    if (count % 4 != 0) {
      wait_until_empty();
      for (int v = lane(); v < descriptor_.rows; v += 32)
        for (int i = count / 4 * 4; i < count; ++i) row(v)[i] = at(v)[i];
      fence_for_async();  // a later copy into this slot comes after these stores
      meet();             // waits until the last elements are stored
      if (lane() == 0) barrier_expect(full_ + slot_, bytes);
    } else if (lane() == 0) {
      wait_until_empty();
      barrier_expect(full_ + slot_, bytes);
    }
    meet();  // waits until the slot is empty and the bytes are announced
  }
  /// Of the lanes that fill the queue.
  __device__ void meet() const {
    if (descriptor_.rows > 1) __syncwarp();
  }
  /// Passes at once in the first round.
  __device__ void wait_until_empty() const { barrier_wait(empty_ + slot_, parity_ ^ 1); }
  __device__ void advance() {
    if (++slot_ < descriptor_.slots) return;
    slot_ = 0;
    parity_ ^= 1;
  }

  QueueDescriptor descriptor_;
  std::uint64_t *full_, *empty_;
  unsigned char* slots_at_;
  int slot_ = 0;
  unsigned parity_ = 0;
};
