#pragma once

#include <cstddef>

namespace warplab::emulator {

/// A suspended stack: where it goes on when it is switched to.
using Context = void*;

/// Suspends the caller into `*from` and goes on with `to`. Saves what the calling convention makes the
/// callee's, but not the floating-point control words: kernels do not change them, and loading them costs
/// more than all the rest.
extern "C" void warplab_switch_context(Context* from, Context to);
inline void switch_context(Context* from, Context to) { warplab_switch_context(from, to); }

/// A stack of `bytes` bytes below `top` that will call `entry`, which must not return.
Context make_context(std::byte* top, std::size_t bytes, void (*entry)());

}  // namespace warplab::emulator
