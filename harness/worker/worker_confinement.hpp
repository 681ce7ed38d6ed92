#pragma once

namespace warplab {

/// Gives up, for good, what no rung needs, before a worker loads the module that a student wrote: starting
/// processes, opening files for writing, sockets, tracing, signals to others. What is left: memory, threads,
/// reading what can be read, and the descriptors that are open. With CUDA, whose driver needs device files,
/// files can still be opened for writing, and a local socket can be listened on. On the emulator a second
/// process, which holds no student's code, is left to look source lines up for reports.
/// @throws std::system_error if the kernel cannot filter system calls
void confine_this_worker();

}  // namespace warplab
