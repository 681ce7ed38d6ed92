#include "warplab_emulator/ptx.hpp"

namespace warplab::emulator {

void report_shared_address(unsigned long long address, const Site& site) {
  device_fault(717,
               "%s at %s:%d: 0x%llx is not an address of shared memory: __cvta_generic_to_shared() makes one "
               "of a pointer",
               site.what, site.file, site.line, address);
}

void* shared_of_rank(const void* address, unsigned rank, const Site& site) {
  if (rank != 0)
    device_fault_at(site, 717, "%s at %s:%d: the cluster has no block of rank %u", site.what, site.file,
                    site.line, rank);
  return const_cast<void*>(address);
}

char* shared_of_cluster(unsigned long long address, const Site& site) {
  report_shared_address(address, site);
}

void report_misaligned(const void* address, unsigned bytes, const Site& site) {
  device_fault(716, "%s at %s:%d: the address %p is not a multiple of %u", site.what, site.file, site.line,
               address, bytes);
}

}  // namespace warplab::emulator
