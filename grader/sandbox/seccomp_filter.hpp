#pragma once

namespace warplab {

/// Takes from this process, and from all that it starts, the system calls that neither compilers nor workers
/// need and that reach beyond their sandbox: sockets, tracing, namespaces, mounts, keys, and those of the
/// kernel's parts that are seldom used and often broken. A further filter can be put on top.
/// @param gpu whether it may listen on a local socket, as CUDA's driver does
/// (connecting to one stays refused)
/// @throws std::system_error if the kernel cannot filter system calls
void filter_system_calls(bool gpu);

}  // namespace warplab
