#pragma once

#include "warplab_emulator/launch/launch.hpp"

namespace warplab::emulator {

/// The most blocks of a cluster: on every device, and on this one for kernels that allow it.
inline constexpr unsigned portable_cluster_blocks = 8, max_cluster_blocks = 16;

inline bool same(dim3 a, dim3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// Gives a launch the cluster's shape that its kernel is declared with. @return cudaErrorInvalidClusterSize,
/// explained, where the launch asks for another
cudaError_t take_cluster_shape(Launch& launch);

/// Why a launch can't have its clusters; `what` is one sentence, or "".
struct ClusterProblem {
  cudaError_t error = cudaSuccess;
  const char* what = "";
};
ClusterProblem cluster_problem(const Launch& launch);

/// cudaFuncAttributeNonPortableClusterSizeAllowed
void allow_large_clusters(const void* kernel, bool allowed);
bool allows_large_clusters(const void* kernel);

/// The shape that a kernel is declared with, or (0,0,0).
dim3 declared_cluster(const void* kernel, const char* name);

}  // namespace warplab::emulator
