#pragma once

namespace warplab::emulator {

/// Forgets all events of the current device, which is reset.
void drop_events();

}  // namespace warplab::emulator
