#pragma once

namespace warplab::emulator {

/// Starts a process that looks source lines up for this one, which is about to give up starting processes and
/// writing files. It ends with this process. Without it, each look-up starts a process of its own.
/// @return whether it could be started
bool start_line_reader();

}  // namespace warplab::emulator
