#pragma once

#include "warplab_emulator/block/cluster.hpp"
#include "warplab_emulator/block/synchronization.hpp"
#include "warplab_emulator/ptx/ptx_memory.hpp"

// What nvcc's headers have for thread block clusters on sm_90.

inline unsigned __isCtaShared(const void* pointer) { return __isShared(pointer); }
inline unsigned __isClusterShared(const void* pointer) {
  return warplab::emulator::is_cluster_shared(pointer);
}
inline void* __cluster_map_shared_rank(const void* pointer, unsigned rank,
                                       const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return warplab::emulator::shared_of_rank(pointer, rank, {"__cluster_map_shared_rank", file, line});
}
inline unsigned __cluster_query_shared_rank(const void* pointer, const char* file = __builtin_FILE(),
                                            int line = __builtin_LINE()) {
  return warplab::emulator::rank_of_shared(pointer, {"__cluster_query_shared_rank", file, line});
}
inline unsigned __clusterDimIsSpecified() { return warplab::emulator::cluster_place().is_explicit; }
inline dim3 __clusterDim() { return warplab::emulator::cluster_place().shape; }
inline dim3 __clusterRelativeBlockIdx() {
  const uint3 block = warplab::emulator::cluster_place().block;
  return dim3(block.x, block.y, block.z);
}
inline dim3 __clusterGridDimInClusters() { return warplab::emulator::cluster_place().clusters; }
inline dim3 __clusterIdx() {
  const uint3 cluster = warplab::emulator::cluster_place().cluster;
  return dim3(cluster.x, cluster.y, cluster.z);
}
inline unsigned __clusterRelativeBlockRank() { return warplab::emulator::cluster_place().rank; }
inline unsigned __clusterSizeInBlocks() { return warplab::emulator::cluster_place().blocks; }
inline void __cluster_barrier_arrive(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  warplab::emulator::cluster_arrive(true, {"__cluster_barrier_arrive", file, line});
}
inline void __cluster_barrier_arrive_relaxed(const char* file = __builtin_FILE(),
                                             int line = __builtin_LINE()) {
  warplab::emulator::cluster_arrive(false, {"__cluster_barrier_arrive_relaxed", file, line});
}
inline void __cluster_barrier_wait(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  warplab::emulator::cluster_wait({"__cluster_barrier_wait", file, line});
}
inline void __threadfence_cluster() { __threadfence(); }
