#pragma once

#include <functional>

namespace warplab::emulator {

/// OS threads that run blocks, the calling one included: WARPLAB_THREADS, else
/// the cores this process may use.
int pool_size();

/// Lets the pool's other threads call `work` too. They sleep until then and take no processor time.
void call_for_help(const std::function<void()>& work);

/// Waits until all that were called have returned from `work`.
void await_helpers();

}  // namespace warplab::emulator
