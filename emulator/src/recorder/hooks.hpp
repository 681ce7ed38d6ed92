#pragma once

namespace warplab::emulator::lens {

/// Clears PTX's carry flag of the calling OS thread, which the runtime keeps for instrumented code.
void forget_carry() noexcept;

}  // namespace warplab::emulator::lens
