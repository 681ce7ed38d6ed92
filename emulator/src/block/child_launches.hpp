#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "emulator/src/block/observer.hpp"
#include "warplab_emulator/launch/launch.hpp"

namespace warplab::emulator {

/// What the threads of one grid launch, until the grid has ended; shared by the OS
/// threads that run its blocks.
struct Children {
  explicit Children(LaunchWatcher& who) : watcher(who) {}

  LaunchWatcher& watcher;
  Lineage lineage;  ///< of the grid itself

  struct Child {
    unsigned long long block;  ///< that launched it
    unsigned thread;
    Launch launch;
  };
  std::mutex lock;
  std::vector<Child> launches;                           ///< a block's in their order
  std::set<cudaStream_t> streams;                        ///< that the grid has made
  std::map<std::array<unsigned, 6>, cudaError_t> error;  ///< a thread's last, by block and thread
};

/// Runs a launch and all launches from kernels that follow from it, and returns when they have finished. Must
/// be called with the device lock held (by the stream that drains). @return cudaSuccess, or the fault's error
/// after its report was printed.
cudaError_t execute(const Launch& launch, LaunchWatcher& watcher);

/// What `<<<>>>` does in a kernel: keeps the launch until the grid of the calling thread has ended. An error
/// is kept for the thread's cudaGetLastError.
cudaError_t launch_from_kernel(Launch launch);

/// The calling device thread's last error, as cudaGetLastError and cudaPeekAtLastError give it in a kernel.
cudaError_t last_error_in_kernel(bool clear);

/// Streams of the calling thread's grid.
cudaError_t create_stream_in_kernel(cudaStream_t* stream, unsigned flags);
cudaError_t destroy_stream_in_kernel(cudaStream_t stream);

/// How many launches from kernels may wait to begin, nested however deep:
/// cudaLimitDevRuntimePendingLaunchCount.
std::size_t pending_launch_limit();
void set_pending_launch_limit(std::size_t launches);

}  // namespace warplab::emulator
