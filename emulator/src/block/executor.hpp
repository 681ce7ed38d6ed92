#pragma once

#include "warplab_emulator/launch.hpp"

namespace warplab::emulator {

/// Whether CUDA would accept this launch: the error codes are CUDA's own.
cudaError_t validate(const Launch& launch);

struct Children;

/// Runs a launch and all launches from kernels that follow from it, and returns when they have finished. Must
/// be called with the device lock held (by the stream that drains). @return cudaSuccess, or the fault's error
/// after its report was printed.
cudaError_t execute(Launch launch);

/// Runs all blocks of a launch on all cores, in an order shuffled by the seed; `children` gets what they
/// launch.
cudaError_t execute_grid(const Launch& launch, Children& children);

/// What has run since the program started, for programs that report counts.
struct Totals {
  unsigned long long launches, blocks, threads, barriers;
};
Totals totals();

/// The seed of block and stream order: WARPLAB_SEED, else a fixed one.
unsigned long long order_seed();

}  // namespace warplab::emulator
