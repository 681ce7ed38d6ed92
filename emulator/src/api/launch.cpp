#include "warplab_emulator/launch.hpp"

#include <memory>
#include <utility>

#include "emulator/src/api/stream_queue.hpp"
#include "emulator/src/base/devices.hpp"
#include "emulator/src/base/errors.hpp"
#include "emulator/src/block/child_launches.hpp"
#include "emulator/src/block/cluster_launches.hpp"
#include "emulator/src/block/launch_rules.hpp"
#include "emulator/src/isolation/strict.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/recorder/session.hpp"
#include "warplab_emulator/thread.hpp"

namespace warplab::emulator {

cudaError_t enqueue_launch(Launch launch) {
  const cudaError_t cluster_error = take_cluster_shape(launch);
  strict::take_over(launch);
  if (cluster_error != cudaSuccess) return record(cluster_error);
  if (in_kernel()) return launch_from_kernel(std::move(launch));
  if (const cudaError_t error = sticky(); error != cudaSuccess) return record(error);
  if (const cudaError_t error = validate(launch); error != cudaSuccess) return record(error);
  const auto kept = std::make_shared<const Launch>(std::move(launch));
  const auto work = [kept, device = current_device()] {
    const WorkingDevice scope(device);
    return execute(*kept, lens::launch_watcher());
  };
  return record(enqueue(kept->stream, work, kept));
}

}  // namespace warplab::emulator
