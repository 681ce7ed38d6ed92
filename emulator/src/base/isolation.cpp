#define WARPLAB_INSTRUMENTED  // declares lens_permit
#include "emulator/src/base/isolation.hpp"

#include "warplab_emulator/lens/lens_markers.hpp"

namespace warplab::emulator::isolation {

constinit std::atomic<Isolation*> implementation{nullptr};

void permit(const void* address, std::size_t bytes, bool write) {
  if (!active()) return;
  header_calls::lens_permit(address, bytes);
  require(address, bytes, write, nullptr);
}

}  // namespace warplab::emulator::isolation
