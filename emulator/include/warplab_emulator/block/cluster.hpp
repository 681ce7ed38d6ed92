#pragma once

#include "warplab_emulator/block/thread.hpp"

// Thread block clusters: blocks that run side by side and reach each other's shared memory.

namespace warplab::emulator {

/// Where the calling thread's block is in its cluster, and the cluster in the grid. A launch without clusters
/// has one of one block for each.
struct ClusterPlace {
  bool is_explicit;  ///< the launch has clusters
  dim3 shape;        ///< blocks
  uint3 block;       ///< within the cluster
  uint3 cluster;     ///< within the grid of clusters
  dim3 clusters;
  unsigned rank, blocks;
};
ClusterPlace cluster_place() noexcept;

/// The place that an address of shared memory has in the block of this rank. Ends the kernel where there is
/// no such block, or where the address is not in shared memory.
void* shared_of_rank(const void* address, unsigned rank, const Site& site);
/// The rank of the block whose shared memory an address is in.
unsigned rank_of_shared(const void* address, const Site& site);
/// Whether an address is in the shared memory of a block of the cluster.
bool is_cluster_shared(const void* address) noexcept;

/// Arrives at the barrier of the cluster's threads. @param releases the others see what the thread did before
void cluster_arrive(bool releases, const Site& site);
/// Waits there. @pre the thread has arrived
void cluster_wait(const Site& site);

/// Makes the cluster's shape known that a kernel is declared with (`__cluster_dims__`): by its function, or
/// by its name where it is a template.
struct ClusterRegistration {
  ClusterRegistration(const void* kernel, unsigned x, unsigned y = 1, unsigned z = 1);
  ClusterRegistration(const char* name, unsigned x, unsigned y = 1, unsigned z = 1);
};

/// The same for an instance of a template whose shape depends on its parameters: the kernel's body names it.
template <auto kernel, unsigned x, unsigned y = 1, unsigned z = 1>
inline const ClusterRegistration cluster_of_kernel{reinterpret_cast<const void*>(kernel), x, y, z};

/// Where such a kernel leaves its clusters' shape when it is asked for it, and does nothing else; or null.
extern __constinit WARPLAB_EMULATOR_TLS thread_local dim3* cluster_query;

}  // namespace warplab::emulator
