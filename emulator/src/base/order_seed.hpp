#pragma once

namespace warplab::emulator {

/// The seed of block and stream order: WARPLAB_SEED, else a fixed one.
unsigned long long order_seed();

}  // namespace warplab::emulator
