#include "emulator/src/memory/device_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "emulator/src/base/devices.hpp"

namespace warplab::emulator {
namespace {

// A field of /proc/meminfo in bytes, or 0.
std::size_t meminfo(const char* format) {
  std::FILE* const file = std::fopen("/proc/meminfo", "r");
  if (!file) return 0;
  char line[256];
  unsigned long long kib = 0;
  while (std::fgets(line, sizeof line, file))
    if (std::sscanf(line, format, &kib) == 1) break;
  std::fclose(file);
  return static_cast<std::size_t>(kib) * 1024;
}

std::size_t number_in(const char* path) {
  unsigned long long number = 0;
  if (std::FILE* const file = std::fopen(path, "r")) {
    if (std::fscanf(file, "%llu", &number) != 1) number = 0;
    std::fclose(file);
  }
  return static_cast<std::size_t>(number);
}

// In a container the limit of its control group is the memory that there is.
std::size_t physical_memory() {
  std::size_t bytes = meminfo("MemTotal: %llu kB");
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (const std::size_t limit = number_in(path)) bytes = std::min(bytes, limit);
  return bytes;
}

}  // namespace

std::size_t device_memory_total() {
  static const std::size_t total = physical_memory() / 4 * 3 / static_cast<std::size_t>(device_count());
  return total;
}

bool host_can_provide(std::size_t bytes) {
  constexpr std::size_t worth_asking = std::size_t{256} << 20;
  if (bytes < worth_asking) return true;
  const std::size_t available = meminfo("MemAvailable: %llu kB");
  return available == 0 || bytes <= available;
}

}  // namespace warplab::emulator
