#include "emulator/src/base/order_seed.hpp"

#include <cstdlib>

namespace warplab::emulator {

unsigned long long order_seed() {
  static const unsigned long long seed = [] {
    const char* text = std::getenv("WARPLAB_SEED");
    return text != nullptr ? std::strtoull(text, nullptr, 0) : 0x5eedull;
  }();
  return seed;
}

}  // namespace warplab::emulator
