#include <cuda_runtime_api.h>

#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/launch/cluster_launches.hpp"
#include "emulator/src/launch/occupancy.hpp"

namespace warplab::emulator {
namespace {

/// What an occupancy query is about.
struct Query {
  cudaError_t error = cudaErrorInvalidClusterSize;
  unsigned blocks = 0, most = 0;  ///< of a cluster
  int resident = 0;               ///< blocks that the device has room for
};

Query look_at(const void* kernel, const cudaLaunchConfig_t& config) {
  Launch launch;
  launch.address = kernel;
  launch.grid = config.gridDim;
  for (unsigned i = 0; i < config.numAttrs; ++i)
    if (config.attrs[i].id == cudaLaunchAttributeClusterDimension) {
      const auto& asked = config.attrs[i].val.clusterDim;
      launch.cluster = dim3(asked.x, asked.y, asked.z);
      launch.has_clusters = true;
    }
  Query query;
  query.most = allows_large_clusters(kernel) ? max_cluster_blocks : portable_cluster_blocks;
  const dim3 declared = declared_cluster(kernel, "");
  if (count_in(declared) != 0) {
    if (launch.has_clusters && !same(launch.cluster, declared)) return query;
    launch.cluster = declared;
  }
  query.blocks = static_cast<unsigned>(count_in(launch.cluster));
  // Too large a cluster for a kernel that allows large ones is not an error here: none of them fits.
  if (cluster_problem(launch).error != cudaSuccess &&
      !(query.most == max_cluster_blocks && query.blocks > query.most))
    return query;
  const unsigned long long threads = count_in(config.blockDim);
  if (threads == 0 || threads > max_threads_per_block) {
    query.error = cudaErrorInvalidConfiguration;
    return query;
  }
  query.error = cudaSuccess;
  query.resident = static_cast<int>(multiprocessors()) *
                   resident_blocks(kernel, static_cast<int>(threads), config.dynamicSmemBytes);
  return query;
}

}  // namespace
}  // namespace warplab::emulator

using namespace warplab::emulator;

// An H100's multiprocessors come in groups of up to 18, between which clusters are not divided; the emulated
// device is one group.
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* config) {
  return api_call([&] {
    if (!function) return cudaErrorInvalidDeviceFunction;
    if (!clusters || !config) return cudaErrorInvalidValue;
    const Query query = look_at(function, *config);
    if (query.error == cudaSuccess)
      *clusters = query.blocks > query.most ? 0 : query.resident / static_cast<int>(query.blocks);
    return query.error;
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function,
                                                 const cudaLaunchConfig_t* config) {
  return api_call([&] {
    if (!function) return cudaErrorInvalidDeviceFunction;
    if (!blocks || !config) return cudaErrorInvalidValue;
    const Query query = look_at(function, *config);
    if (query.error == cudaSuccess) *blocks = query.resident == 0 ? 0 : static_cast<int>(query.most);
    return query.error;
  });
}
