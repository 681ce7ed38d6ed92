#include <driver_types.h>

#include "warplab_emulator/ptx/ptx.hpp"

namespace warplab::emulator {

void report_shared_address(unsigned long long address, const Site& site) {
  device_fault(cudaErrorInvalidAddressSpace,
               "%s at %s:%d: 0x%llx is not an address of shared memory: __cvta_generic_to_shared() makes one "
               "of a pointer",
               site.what, site.file, site.line, address);
}

char* shared_of_cluster(unsigned long long address, const Site& site) {
  const unsigned long long in_block = address & ((1ull << cluster_rank_bit) - 1);
  const unsigned long long rank = (address >> cluster_rank_bit) - 1;
  if (rank > 15) report_shared_address(address, site);
  char* const place =
      static_cast<char*>(shared_of_rank(ptx::shared(in_block, site), static_cast<unsigned>(rank), site));
  require_shared(place, 1, site);
  return place;
}

unsigned long long address_in_cluster(const void* pointer) noexcept {
  if (!in_kernel() || !is_cluster_shared(pointer)) return 0;
  const unsigned rank = rank_of_shared(pointer, {"cvta.to.shared", "", 0});
  const auto* const begin = static_cast<const std::byte*>(
      shared_of_rank(current_block.shared_begin, rank, {"cvta.to.shared", "", 0}));
  const std::ptrdiff_t offset = static_cast<const std::byte*>(pointer) - begin;
  return ptx::shared_address(current_block.shared_begin + offset) +
         (static_cast<unsigned long long>(rank + 1) << cluster_rank_bit);
}

unsigned long long cluster_address(unsigned long long shared_address, unsigned rank, const Site& site) {
  const char* const place = shared_address >> cluster_rank_bit == 0 ? ptx::shared(shared_address, site)
                                                                    : shared_of_cluster(shared_address, site);
  shared_of_rank(place, rank, site);
  return (shared_address & ((1ull << cluster_rank_bit) - 1)) | static_cast<unsigned long long>(rank + 1)
                                                                   << cluster_rank_bit;
}

void report_misaligned(const void* address, unsigned bytes, const Site& site) {
  device_fault(716, "%s at %s:%d: the address %p is not a multiple of %u", site.what, site.file, site.line,
               address, bytes);
}

}  // namespace warplab::emulator
