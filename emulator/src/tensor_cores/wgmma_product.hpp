#pragma once

#include "warplab_emulator/tensor_cores/wgmma.hpp"

namespace warplab::emulator {

/// Whether the hardware has an instruction for the product.
bool wgmma_exists(const WgmmaKind& kind);

/// The product of a warpgroup whose threads have brought `operands`, 128 of them. The first thread's
/// descriptors count. A descriptor that leads outside shared memory ends the kernel.
void multiply_matrices(const WgmmaKind& kind, const WgmmaOperands* operands, const Site& site);

/// Tells the lens what the product reads, as if `thread` of the running block did so.
void record_matrices(const WgmmaKind& kind, const WgmmaOperands& operands, unsigned thread, const void* code);

}  // namespace warplab::emulator
