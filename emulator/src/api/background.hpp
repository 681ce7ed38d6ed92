#pragma once

namespace warplab::emulator {

/// Streams are lazy, but a host may wait without a CUDA call: for a flag in pinned memory that a kernel sets,
/// or for what a host function does. Once work of this kind is queued, a thread in the background runs what
/// is queued when the host has asked for nothing for a second; a GPU would have done it long before.
void start_background();

/// The host has asked for something.
void note_progress();

/// No more work: the program ends.
void stop_background();

}  // namespace warplab::emulator
