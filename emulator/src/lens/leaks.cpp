#include "lens/leaks.hpp"

#include "memory.hpp"

namespace warplab::emulator::lens {

std::vector<warplab::lens::Finding> find_leaks() {
  std::vector<warplab::lens::Finding> leaks;
  for (const LiveAllocation& allocation : live_allocations()) {
    if (allocation.space == Space::symbol || allocation.space == Space::host) continue;
    warplab::lens::Finding leak;
    leak.kind = "leak";
    leak.text = std::to_string(allocation.bytes) + " bytes of " + allocation.function + " (number " +
                std::to_string(allocation.number) + ") were never freed";
    leaks.push_back(leak);
  }
  return leaks;
}

}  // namespace warplab::emulator::lens
