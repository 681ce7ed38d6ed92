#pragma once

namespace warplab::emulator {

/// Forgets all executable graphs: the device is reset.
void drop_executable_graphs();

}  // namespace warplab::emulator
