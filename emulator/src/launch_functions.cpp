#include "warplab_emulator/launch_functions.hpp"

#include "errors.hpp"

namespace warplab::emulator {

cudaError_t refuse_untyped_kernel(const char* function) {
  report("%s: the kernel is a void* whose parameters the emulator can't know; pass its name: %s(kernel, ...)",
         function, function);
  return record(cudaErrorInvalidDeviceFunction);
}

cudaError_t apply_attribute(Launch& launch, const cudaLaunchAttribute& attribute) {
  if (attribute.id == cudaLaunchAttributeCooperative) launch.cooperative = attribute.val.cooperative != 0;
  const auto& cluster = attribute.val.clusterDim;
  if (attribute.id != cudaLaunchAttributeClusterDimension || (cluster.x | cluster.y | cluster.z) <= 1)
    return cudaSuccess;  // what is left are hints
  report("the launch of '%s' at %s:%d is refused: the emulator has no thread block clusters", launch.kernel,
         launch.file, launch.line);
  return record(cudaErrorNotSupported);
}

}  // namespace warplab::emulator
