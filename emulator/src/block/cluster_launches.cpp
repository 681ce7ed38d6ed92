#include "block/cluster_launches.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "api/api_call.hpp"
#include "api/function_attributes.hpp"
#include "base/errors.hpp"
#include "warplab_emulator/cluster.hpp"

namespace warplab::emulator {
namespace {

struct Declarations {
  std::mutex mutex;
  std::map<const void*, dim3> by_function;
  std::map<std::string, dim3, std::less<>> by_name;
  std::set<const void*> large;
};

Declarations& declarations() {
  static auto* const all = new Declarations;
  return *all;
}
std::atomic<bool> any_declared{false};

/// "fill" of "tools::fill<float>".
std::string bare_name(const std::string& name) {
  const std::string front = name.substr(0, name.find('<'));
  const std::size_t colon = front.rfind(':');
  return colon == std::string::npos ? front : front.substr(colon + 1);
}

unsigned blocks_of(dim3 shape) { return shape.x * shape.y * shape.z; }

bool same(dim3 a, dim3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

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
  if (blocks_of(declared) != 0) {
    if (launch.has_clusters && !same(launch.cluster, declared)) return query;
    launch.cluster = declared;
  }
  query.blocks = blocks_of(launch.cluster);
  // Too large a cluster for a kernel that allows large ones is no error here: none of them fits.
  if (cluster_problem(launch).error != cudaSuccess &&
      !(query.most == max_cluster_blocks && query.blocks > query.most))
    return query;
  const dim3 block = config.blockDim;
  query.error = cudaSuccess;
  query.resident =
      static_cast<int>(multiprocessors()) *
      resident_blocks(kernel, static_cast<int>(block.x * block.y * block.z), config.dynamicSmemBytes);
  return query;
}

}  // namespace

ClusterRegistration::ClusterRegistration(const void* kernel, unsigned x, unsigned y, unsigned z) {
  const std::lock_guard lock(declarations().mutex);
  declarations().by_function[kernel] = dim3(x, y, z);
  any_declared = true;
}

ClusterRegistration::ClusterRegistration(const char* name, unsigned x, unsigned y, unsigned z) {
  const std::lock_guard lock(declarations().mutex);
  declarations().by_name[name] = dim3(x, y, z);
  any_declared = true;
}

dim3 declared_cluster(const void* kernel, const char* name) {
  if (!any_declared) return dim3(0, 0, 0);
  const std::lock_guard lock(declarations().mutex);
  if (const auto found = declarations().by_function.find(kernel); found != declarations().by_function.end())
    return found->second;
  const auto found = declarations().by_name.find(bare_name(name));
  return found != declarations().by_name.end() ? found->second : dim3(0, 0, 0);
}

cudaError_t take_cluster_shape(Launch& launch) {
  const dim3 declared = declared_cluster(launch.address, launch.kernel);
  if (blocks_of(declared) == 0) return cudaSuccess;
  if (launch.has_clusters && !same(launch.cluster, declared)) {
    report(
        "the launch of '%s' at %s:%d is refused: it asks for clusters of (%u,%u,%u) blocks, and the kernel "
        "is "
        "declared with __cluster_dims__(%u,%u,%u)",
        launch.kernel, launch.file, launch.line, launch.cluster.x, launch.cluster.y, launch.cluster.z,
        declared.x, declared.y, declared.z);
    return cudaErrorInvalidClusterSize;
  }
  launch.cluster = declared;
  launch.has_clusters = true;
  return cudaSuccess;
}

ClusterProblem cluster_problem(const Launch& launch) {
  const dim3 shape = launch.cluster, grid = launch.grid;
  if (shape.x == 0 || shape.y == 0 || shape.z == 0)
    return {cudaErrorInvalidClusterSize, "its clusters have no blocks"};
  const bool large = allows_large_clusters(launch.address);
  if (1ull * shape.x * shape.y * shape.z > (large ? max_cluster_blocks : portable_cluster_blocks))
    return {cudaErrorInvalidClusterSize,
            large ? "its clusters have more than 16 blocks"
                  : "its clusters have more than 8 blocks; cudaFuncSetAttribute with "
                    "cudaFuncAttributeNonPortableClusterSizeAllowed allows up to 16"};
  if (grid.x % shape.x != 0 || grid.y % shape.y != 0 || grid.z % shape.z != 0)
    return {cudaErrorInvalidClusterSize,
            "its grid is not made of whole clusters: each dimension of the grid must be a multiple of the "
            "cluster's"};
  return {};
}

void allow_large_clusters(const void* kernel, bool allowed) {
  const std::lock_guard lock(declarations().mutex);
  if (allowed)
    declarations().large.insert(kernel);
  else
    declarations().large.erase(kernel);
}

bool allows_large_clusters(const void* kernel) {
  const std::lock_guard lock(declarations().mutex);
  return declarations().large.contains(kernel);
}

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
