#define WARPLAB_INSTRUMENTED  // declares lens_announce
#include "emulator/src/base/isolation.hpp"

#include "warplab_emulator/lens/lens_markers.hpp"

namespace warplab::emulator::isolation {

constinit std::atomic<Isolation*> implementation{nullptr};
constinit std::atomic<bool> is_entered{false};

void permit(const void* address, std::size_t bytes, bool write) {
  if (!active()) return;
  lens_announce(address, bytes);
  require(address, bytes, write, nullptr);
}

}  // namespace warplab::emulator::isolation
