#include "warplab_emulator/launch/launch_functions.hpp"

#include "emulator/src/base/errors.hpp"

namespace warplab::emulator {

cudaError_t refuse_untyped_kernel(const char* function) {
  report("%s: the kernel is a void* whose parameters the emulator can't know; pass its name: %s(kernel, ...)",
         function, function);
  return record(cudaErrorInvalidDeviceFunction);
}

cudaError_t apply_attribute(Launch& launch, const cudaLaunchAttribute& attribute) {
  if (attribute.id == cudaLaunchAttributeCooperative) launch.cooperative = attribute.val.cooperative != 0;
  if (attribute.id == cudaLaunchAttributeClusterDimension) {
    const auto& cluster = attribute.val.clusterDim;
    launch.cluster = dim3(cluster.x, cluster.y, cluster.z);
    launch.has_clusters = true;
  }
  return cudaSuccess;  // what is left are hints
}

}  // namespace warplab::emulator
