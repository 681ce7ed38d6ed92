#pragma once

namespace warplab::emulator {

/// Watches from now on for a host that makes no call for some seconds while a stream has work that did not
/// begin, and says so, once: streams are lazy, and a host that waits for a flag or a host function would wait
/// forever.
void watch_for_idle_host();

}  // namespace warplab::emulator
