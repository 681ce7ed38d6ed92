#pragma once

namespace warplab::emulator {

/// Called before guarded code (docs/lens.md, "Isolation") is entered from outside: functions of it that an
/// exception has left have no variables any more.
void forget_guarded_frames() noexcept;

}  // namespace warplab::emulator
