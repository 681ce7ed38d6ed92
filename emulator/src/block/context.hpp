#pragma once

#include <cstddef>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <boost/context/detail/fcontext.hpp>
#endif

namespace warplab::emulator {

/// A suspended stack: where it goes on when it is switched to.
using Context = void*;

#if defined(__x86_64__) || defined(__aarch64__)

/// Suspends the caller into `*from` and goes on with `to`. Saves what the calling convention makes the
/// callee's, but, unlike Boost.Context, not the floating-point control words: kernels do not change them, and
/// loading them costs more than all the rest.
extern "C" void warplab_switch_context(Context* from, Context to);
inline void switch_context(Context* from, Context to) { warplab_switch_context(from, to); }

/// A stack of `bytes` bytes below `top` that will call `entry`, which must not return.
Context make_context(std::byte* top, std::size_t bytes, void (*entry)());

#else

inline void switch_context(Context* from, Context to) {
  const boost::context::detail::transfer_t back = boost::context::detail::jump_fcontext(to, from);
  *static_cast<Context*>(back.data) = back.fctx;
}

inline thread_local void (*context_entry)() = nullptr;

inline Context make_context(std::byte* top, std::size_t bytes, void (*entry)()) {
  context_entry = entry;
  return boost::context::detail::make_fcontext(top, bytes, [](boost::context::detail::transfer_t from) {
    *static_cast<Context*>(from.data) = from.fctx;
    context_entry();
  });
}

#endif

}  // namespace warplab::emulator
