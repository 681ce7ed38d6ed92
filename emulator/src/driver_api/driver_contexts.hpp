#pragma once

namespace warplab::emulator {

/// Whether cuInit was called, or the runtime has done the same.
bool is_initialized();

/// Whether the calling thread has a context.
bool has_context();

}  // namespace warplab::emulator
