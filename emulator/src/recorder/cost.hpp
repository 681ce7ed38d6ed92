#pragma once

#include <array>
#include <cstdint>

namespace warplab::emulator::lens {

// What one instruction of one warp costs, as Nsight Compute counts it. The rules were found by measuring an
// H100 (sm_90) instruction by instruction; tests/parity compares whole kernels with what was recorded there.

/// One instruction of one warp that touches memory.
struct WarpRequest {
  std::uint32_t mask = 0;                   ///< lanes that take part
  std::uint32_t bytes = 4;                  ///< of each lane: 1, 2, 4, 8 or 16
  std::array<std::uint64_t, 32> address{};  ///< of lanes in `mask`; each a multiple of `bytes`
};

/// Sectors are 32 bytes. The ideal is what the lanes' bytes need side by side, or less
/// where lanes read the same ones.
struct GlobalCost {
  unsigned sectors = 0;
  unsigned ideal_sectors = 0;
};

/// A wavefront is what the 32 banks of 4 bytes deliver at once, or take.
struct SharedCost {
  unsigned wavefronts = 0;
  unsigned ideal_wavefronts = 0;
};

/// Atomic operations of one instruction, in global or shared memory.
struct AtomicCost {
  unsigned sectors = 0;             ///< distinct, as for any access to global memory
  unsigned addresses = 0;           ///< distinct
  unsigned max_on_one_address = 0;  ///< lanes that take turns, however they are spread over banks
};

/// Bytes of the largest aligned piece, 16 at most, in which all lanes' addresses have the same place.
std::uint32_t common_width(const WarpRequest& request);

/// Loads and stores cost the same. `address` is that of the device.
GlobalCost global_cost(const WarpRequest& request);

/// Distinct lines of 128 bytes.
unsigned distinct_lines(const WarpRequest& request);

/// `address` is the offset in the block's shared memory. Lanes that read one word share it. Accesses of 8
/// bytes go half a warp at a time and those of 16 a quarter, except that two such parts go together when that
/// is free of conflicts and neighbours (lanes 1 or 2 apart) read the same or nothing.
SharedCost shared_load_cost(const WarpRequest& request);

/// As for loads, but halves and quarters never go together.
SharedCost shared_store_cost(const WarpRequest& request);

/// Steps that a load from constant memory takes: one for each distinct word.
unsigned constant_addresses(const WarpRequest& request);

/// Sectors of an access to local memory. `address` is the offset in the thread's own; the hardware lays the
/// same word of a warp's lanes side by side.
unsigned local_sectors(const WarpRequest& request);

AtomicCost atomic_cost(const WarpRequest& request);

}  // namespace warplab::emulator::lens
