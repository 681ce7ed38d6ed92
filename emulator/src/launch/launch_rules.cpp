#include "emulator/src/launch/launch_rules.hpp"

#include <cstdarg>
#include <cstdio>
#include <string>

#include "emulator/src/base/device_profile.hpp"
#include "emulator/src/base/errors.hpp"
#include "emulator/src/launch/cluster_launches.hpp"
#include "emulator/src/launch/occupancy.hpp"
#include "emulator/src/launch/shared_memory.hpp"
#include "warplab_emulator/block/extents.hpp"

namespace warplab::emulator {
namespace {

cudaError_t refuse(const Launch& launch, cudaError_t error, const char* format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  report("the launch of '%s' at %s:%d is refused: %s", launch.kernel, launch.file, launch.line, text);
  return error;
}

}  // namespace

cudaError_t validate(const Launch& launch) {
  const dim3 g = launch.grid, b = launch.block;
  if (g.x == 0 || g.y == 0 || g.z == 0)
    return refuse(launch, cudaErrorInvalidConfiguration, "its grid (%u,%u,%u) has no blocks", g.x, g.y, g.z);
  if (b.x == 0 || b.y == 0 || b.z == 0)
    return refuse(launch, cudaErrorInvalidConfiguration, "its block (%u,%u,%u) has no threads", b.x, b.y,
                  b.z);
  if (b.x > 1024 || b.y > 1024 || b.z > 64 || count_in(b) > 1024)
    return refuse(launch, cudaErrorInvalidConfiguration,
                  "its block (%u,%u,%u) has %llu threads; at most 1024 are possible, and 1024, 1024 and 64 "
                  "in x, y and z",
                  b.x, b.y, b.z, count_in(b));
  if (g.x > 2147483647u || g.y > 65535 || g.z > 65535)
    return refuse(launch, cudaErrorInvalidConfiguration,
                  "its grid (%u,%u,%u) exceeds 2147483647, 65535 and 65535 in x, y and z", g.x, g.y, g.z);
  if (const std::string why = shared_memory_problem(launch.address, launch.dynamic_shared_bytes);
      !why.empty())
    return refuse(launch, cudaErrorInvalidValue, "%s", why.c_str());
  if (launch.has_clusters && chosen_profile() && chosen_profile()->major < 9)
    return refuse(launch, cudaErrorNotSupported,
                  "thread block clusters need compute capability 9.0; %s has %d.%d", chosen_profile()->name,
                  chosen_profile()->major, chosen_profile()->minor);
  if (launch.has_clusters)
    if (const ClusterProblem problem = cluster_problem(launch); problem.error != cudaSuccess)
      return refuse(launch, problem.error, "%s", problem.what);
  if (launch.cooperative) {
    const auto at_once = 1ull * multiprocessors() *
                         static_cast<unsigned>(resident_blocks(launch.address, static_cast<int>(count_in(b)),
                                                               launch.dynamic_shared_bytes));
    if (count_in(g) > at_once)
      return refuse(
          launch, cudaErrorCooperativeLaunchTooLarge,
          "its %llu blocks can't all run at the same time, as those of a cooperative launch must: the "
          "device has room for %llu of them (cudaOccupancyMaxActiveBlocksPerMultiprocessor)",
          count_in(g), at_once);
  }
  return cudaSuccess;
}

}  // namespace warplab::emulator
