#pragma once

#include "warplab_emulator/block/cluster.hpp"
#include "warplab_emulator/block/warp_groups.hpp"

// The cluster of cooperative groups.

namespace cooperative_groups {

namespace details {

/// What a grid knows of its clusters.
class ClustersOfGrid {
 public:
  static dim3 dim_clusters() { return warplab::emulator::cluster_place().clusters; }
  static dim3 cluster_index() {
    const uint3 cluster = warplab::emulator::cluster_place().cluster;
    return dim3(cluster.x, cluster.y, cluster.z);
  }
  static unsigned long long num_clusters() { return warplab::emulator::count_in(dim_clusters()); }
  static unsigned long long cluster_rank() {
    const warplab::emulator::ClusterPlace place = warplab::emulator::cluster_place();
    return warplab::emulator::number_in(place.clusters, place.cluster);
  }
};

}  // namespace details

/// The threads of a thread block cluster.
class cluster_group {
 public:
  class arrival_token {};

  static void sync(WARPLAB_CALLER) {
    const warplab::emulator::Site site{"cluster.sync", file, line};
    warplab::emulator::cluster_arrive(true, site);
    warplab::emulator::cluster_wait(site);
  }
  static arrival_token barrier_arrive(WARPLAB_CALLER) {
    warplab::emulator::cluster_arrive(true, {"cluster.barrier_arrive", file, line});
    return {};
  }
  static void barrier_wait(WARPLAB_CALLER) {
    warplab::emulator::cluster_wait({"cluster.barrier_wait", file, line});
  }
  static void barrier_wait(arrival_token&&, WARPLAB_CALLER) { barrier_wait(file, line); }

  template <class T>
  static T* map_shared_rank(T* address, int rank, WARPLAB_CALLER) {
    return static_cast<T*>(warplab::emulator::shared_of_rank(address, static_cast<unsigned>(rank),
                                                             {"cluster.map_shared_rank", file, line}));
  }
  static unsigned query_shared_rank(const void* address, WARPLAB_CALLER) {
    return warplab::emulator::rank_of_shared(address, {"cluster.query_shared_rank", file, line});
  }

  static dim3 block_index() { return as_dim3(warplab::emulator::cluster_place().block); }
  static unsigned block_rank() { return warplab::emulator::cluster_place().rank; }
  static dim3 dim_blocks() { return warplab::emulator::cluster_place().shape; }
  static unsigned num_blocks() { return warplab::emulator::cluster_place().blocks; }
  static dim3 thread_index() {
    const dim3 block = block_index(), size = warplab::emulator::current_indices.block_dim;
    const uint3 at = warplab::emulator::current_indices.thread;
    return dim3(block.x * size.x + at.x, block.y * size.y + at.y, block.z * size.z + at.z);
  }
  static unsigned thread_rank() {
    return block_rank() * warplab::emulator::threads_in_block() + warplab::emulator::thread_rank_in_block();
  }
  static dim3 dim_threads() {
    const dim3 blocks = dim_blocks(), size = warplab::emulator::current_indices.block_dim;
    return dim3(blocks.x * size.x, blocks.y * size.y, blocks.z * size.z);
  }
  static unsigned num_threads() { return num_blocks() * warplab::emulator::threads_in_block(); }
  static unsigned size() { return num_threads(); }

 private:
  static dim3 as_dim3(uint3 v) { return dim3(v.x, v.y, v.z); }
};

inline cluster_group this_cluster() { return {}; }

}  // namespace cooperative_groups
