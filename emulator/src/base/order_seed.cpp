#include "emulator/src/base/order_seed.hpp"

#include "emulator/src/base/environment.hpp"

namespace warplab::emulator {

unsigned long long order_seed() {
  static const unsigned long long seed = environment_number(
      "WARPLAB_SEED", 0, ~0ull, 0x5eed, "blocks and streams have the order that they have without it");
  return seed;
}

}  // namespace warplab::emulator
