#pragma once

namespace warplab::emulator {

/// Forgets all events: the device is reset.
void drop_events();

}  // namespace warplab::emulator
