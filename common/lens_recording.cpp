#include "common/lens_recording.hpp"

#include "common/bad_input.hpp"

#if defined(WARPLAB_BACKEND_EMULATOR) && __has_include("emulator/src/lens/session.cpp")
#include <warplab_emulator/lens_session.hpp>
#define WARPLAB_HAS_LENS
#endif

namespace warplab {

void start_lens([[maybe_unused]] std::uint64_t blocks) {
#ifdef WARPLAB_HAS_LENS
  emulator::lens::start({.blocks = blocks});
#else
  throw NotAvailable("the lens records on the emulator");
#endif
}

std::vector<lens::Launch> take_lens() {
#ifdef WARPLAB_HAS_LENS
  return emulator::lens::take();
#else
  return {};
#endif
}

}  // namespace warplab
