#include "emulator/src/launch/cluster_launches.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "emulator/src/base/errors.hpp"
#include "emulator/src/base/isolation.hpp"
#include "warplab_emulator/block/cluster.hpp"

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

constinit thread_local dim3* cluster_query = nullptr;

cudaError_t take_cluster_shape(Launch& launch) {
  dim3 declared = declared_cluster(launch.address, launch.kernel);
  if (count_in(declared) == 0 && launch.asks_kernel && !isolation::active()) {
    cluster_query = &declared;
    launch.run_block(launch.address);
    cluster_query = nullptr;
  }
  if (count_in(declared) == 0) return cudaSuccess;
  if (launch.has_clusters && !same(launch.cluster, declared)) {
    report(
        "the launch of '%s' at %s:%d is refused: it asks for clusters of (%u,%u,%u) blocks, and the kernel "
        "is declared with __cluster_dims__(%u,%u,%u)",
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
  if (count_in(shape) > (large ? max_cluster_blocks : portable_cluster_blocks))
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
