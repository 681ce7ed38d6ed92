#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// How the blocks of a grid share a kernel's work. A run is what a block does without a break: one tile of a
// vector, or all tiles of some rows of a matrix. Blocks take runs in turn.

/// What a block takes at a time: elements first to first + count - 1 of each vector.
struct Tile {
  std::int64_t run;
  std::int64_t first;
  int count;
  bool last;  ///< of its run
};

/// Where a block is in its work. @tparam Work one of tma_queues_works.hpp
template <class Work>
class TileCursor {
 public:
  /// @param tile elements of each vector per tile @param rank of the block in its cluster, whose blocks all
  /// go on while the first of them has a run: those past the last run find rows that they do not store
  __device__ TileCursor(const Work& work, int tile, unsigned rank = 0)
      : end_(work.runs(tile) + rank), steps_(work.steps(tile)), length_(work.length), tile_(tile) {
    run_ = blockIdx.x;
  }
  __device__ bool more() const { return run_ < end_; }
  __device__ void next() {
    if (++step_ < steps_) return;
    step_ = 0;
    run_ += gridDim.x;
  }
  __device__ Tile tile() const {
    const std::int64_t first = (Work::is_matrix ? step_ : run_) * tile_;
    return {run_, first, static_cast<int>(min(std::int64_t{tile_}, length_ - first)), step_ + 1 == steps_};
  }
  /// The tile's number in its run.
  __device__ int step() const { return static_cast<int>(step_); }

 private:
  std::int64_t end_, steps_, length_, run_, step_ = 0;
  int tile_;
};
