#include "harness/rung/lens_recording.hpp"

#include "common/host/bad_input.hpp"

#ifdef WARPLAB_BACKEND_EMULATOR
#include <warplab_emulator/lens/lens_session.hpp>
#endif

namespace warplab {

void start_lens([[maybe_unused]] std::uint64_t blocks, [[maybe_unused]] bool only,
                [[maybe_unused]] bool details) {
#ifdef WARPLAB_BACKEND_EMULATOR
  emulator::lens::start({.blocks = blocks, .only = only, .details = details});
#else
  throw NotAvailable("the lens records on the emulator");
#endif
}

std::vector<lens::Launch> take_lens() {
#ifdef WARPLAB_BACKEND_EMULATOR
  return emulator::lens::take();
#else
  return {};
#endif
}

}  // namespace warplab
