#include "emulator/src/block/cluster.hpp"

#include <cuda_runtime_api.h>

#include <string>

#include "emulator/src/block/concurrent_blocks.hpp"
#include "emulator/src/block/worker.hpp"
#include "warplab_emulator/ptx/ptx_warp.hpp"

namespace warplab::emulator {
namespace {

/// The cluster of the calling thread's block; one of its own where the launch has none.
Cluster& cluster_here() {
  Worker& worker = *running_worker();
  if (worker.cluster == nullptr) {
    worker.cluster_of_one = std::make_unique<Cluster>(std::vector<Worker*>{&worker},
                                                      static_cast<std::size_t>(worker.scheduler.live()));
    worker.cluster = worker.cluster_of_one.get();
  }
  return *worker.cluster;
}

std::string explain_wait(const void* cluster, unsigned) {
  return static_cast<const Cluster*>(cluster)->missing();
}

}  // namespace

unsigned Cluster::rank_of(const Worker& worker) const {
  for (unsigned rank = 0; rank < blocks_.size(); ++rank)
    if (blocks_[rank] == &worker) return rank;
  return 0;
}

unsigned long long& Cluster::arrived_in(unsigned thread) {
  return arrived_in_[std::size_t{rank_of(*running_worker())} * 1024 + thread];
}

void Cluster::arrive(unsigned thread, bool releases, const Site& site) {
  unsigned long long& mine = arrived_in(thread);
  if (mine != 0)
    device_fault_at(site, cudaErrorLaunchFailure,
                    "%s at %s:%d: the thread arrives at the cluster's barrier a second time without having "
                    "waited there (barrier.cluster.wait)",
                    site.what, site.file, site.line);
  mine = phase_;
  releases_ &= releases;
  if (BlockObserver* const observer = running_worker()->observer.get()) observer->note_barrier(site);
  if (++arrived_ == live_) complete();
}

void Cluster::wait(unsigned thread, const Site& site) {
  unsigned long long& mine = arrived_in(thread);
  if (mine == 0)
    device_fault_at(site, cudaErrorLaunchFailure,
                    "%s at %s:%d: the thread waits at the cluster's barrier without having arrived there "
                    "(barrier.cluster.arrive)",
                    site.what, site.file, site.line);
  const unsigned long long phase = mine;
  while (phase_ == phase) running_worker()->scheduler.park(this, site, {.explain = explain_wait});
  mine = 0;
}

void Cluster::note_return(unsigned thread) {
  unsigned long long& mine = arrived_in(thread);
  if (mine == phase_) --arrived_;
  mine = 0;
  if (--live_ != 0 && arrived_ == live_) complete();
}

void Cluster::complete() {
  arrived_ = 0;
  ++phase_;
  if (releases_)
    if (BlockObserver* const observer = running_worker()->observer.get()) {
      std::vector<BlockObserver*> observers;
      for (const Worker* const block : blocks_)
        if (block->observer != nullptr) observers.push_back(block->observer.get());
      observer->meet_cluster(observers);
    }
  releases_ = true;
  for (Worker* const block : blocks_) wake_waiters(*block, this);
}

std::string Cluster::missing() const {
  return " (" + std::to_string(live_ - arrived_) + " of " + std::to_string(live_) +
         " threads of the cluster have not arrived)";
}

ClusterPlace cluster_place() noexcept {
  const Launch& launch = *running_worker()->job->launch;
  const dim3 shape = launch.cluster, grid = launch.grid;
  const uint3 at = current_indices.block;
  ClusterPlace place{};
  place.is_explicit = launch.has_clusters;
  place.shape = shape;
  place.block = {at.x % shape.x, at.y % shape.y, at.z % shape.z};
  place.cluster = {at.x / shape.x, at.y / shape.y, at.z / shape.z};
  place.clusters = {grid.x / shape.x, grid.y / shape.y, grid.z / shape.z};
  place.rank = static_cast<unsigned>(number_in(shape, place.block));
  place.blocks = static_cast<unsigned>(count_in(shape));
  return place;
}

void* shared_of_rank(const void* address, unsigned rank, const Site& site) {
  Worker& mine = *running_worker();
  const Worker* const from = owner_of_shared(address);
  if (from == nullptr)
    device_fault_at(site, cudaErrorInvalidAddressSpace, "%s at %s:%d: %p is not an address of shared memory",
                    site.what, site.file, site.line, address);
  const Worker* const to = mine.cluster != nullptr ? mine.cluster->block(rank) : rank == 0 ? &mine : nullptr;
  if (to == nullptr)
    device_fault_at(site, cudaErrorInvalidAddressSpace,
                    "%s at %s:%d: the cluster has %u block%s, and so none of rank %u", site.what, site.file,
                    site.line, cluster_place().blocks, cluster_place().blocks == 1 ? "" : "s", rank);
  const std::ptrdiff_t offset = static_cast<const std::byte*>(address) - from->shared.begin();
  return const_cast<std::byte*>(to->shared.begin() + offset);
}

unsigned rank_of_shared(const void* address, const Site& site) {
  const Worker* const owner = owner_of_shared(address);
  if (owner == nullptr)
    device_fault_at(site, cudaErrorInvalidAddressSpace, "%s at %s:%d: %p is not an address of shared memory",
                    site.what, site.file, site.line, address);
  return owner->cluster == nullptr ? 0 : owner->cluster->rank_of(*owner);
}

bool is_cluster_shared(const void* address) noexcept { return owner_of_shared(address) != nullptr; }

void cluster_arrive(bool releases, const Site& site) {
  cluster_here().arrive(ptx::thread_rank(), releases, site);
}
void cluster_wait(const Site& site) { cluster_here().wait(ptx::thread_rank(), site); }

}  // namespace warplab::emulator
