#pragma once

#include <cstddef>
#include <utility>

#include "warplab_emulator/launch/kernel.hpp"

// Launches by a function call: cudaLaunchKernel, cudaLaunchCooperativeKernel, cudaLaunchKernelEx. A
// kernel must be given by its name (the translator sees through a cast to void*), since its
// parameters' types follow from that.

namespace warplab::emulator {

/// A kernel as a launching function gets it.
template <class... P>
struct NamedKernel {
  void (*function)(P...);
  const char* name;
  const char* file;
  int line;
};

/// What the translator makes of the kernel that is passed to a launching function.
template <class... P>
NamedKernel<P...> named_kernel(void (*function)(P...), const char* name, const char* file, int line) {
  return {function, name, file, line};
}
inline const void* named_kernel(const void* function, const char*, const char*, int) { return function; }

/// Makes the parameters of a kernel known, for cudaKernelNodeParams::func and cuLaunchKernel.
void note_kernel(const void* function, const char* name, const char* file, int line,
                 const KernelArguments& arguments);

/// What the translator makes of a kernel's name that is cast to void* in a program that builds graphs.
template <class... P>
auto known_kernel(void (*function)(P...), const char* name, const char* file, int line) {
  note_kernel(reinterpret_cast<const void*>(function), name, file, line,
              arguments_of<Stored<P>...>(&CallByPointer<std::index_sequence_for<P...>, P...>::call));
  return function;
}

/// Says that a kernel given by a void* is not enough. @return cudaErrorInvalidDeviceFunction
cudaError_t refuse_untyped_kernel(const char* function);

/// Applies a launch attribute: a cooperative launch, the shape of its clusters. Others change nothing here.
cudaError_t apply_attribute(Launch& launch, const cudaLaunchAttribute& attribute);

template <class... P>
Launch describe_launch(const NamedKernel<P...>& kernel, dim3 grid, dim3 block, std::size_t shared_bytes,
                       cudaStream_t stream) {
  Launch launch(kernel.name, kernel.file, kernel.line);
  launch.configure(grid, block, shared_bytes, stream);
  return launch;
}

/// Queues a launch whose arguments lie where `arguments` points.
template <class... P>
cudaError_t launch_with_pointers(Launch launch, const NamedKernel<P...>& kernel, void** arguments) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    bind_arguments(launch, kernel.function, *static_cast<Stored<P>*>(arguments[i])...);
  }
  (std::index_sequence_for<P...>{});
  return enqueue_launch(std::move(launch));
}

template <class... P>
cudaError_t describe_launch(Launch& launch, const cudaLaunchConfig_t* config,
                            const NamedKernel<P...>& kernel) {
  launch =
      describe_launch(kernel, config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream);
  for (unsigned i = 0; i < config->numAttrs; ++i)
    if (const cudaError_t error = apply_attribute(launch, config->attrs[i])) return error;
  return cudaSuccess;
}

}  // namespace warplab::emulator

/// The kernel as cuLaunchKernel takes it.
template <class... P>
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, warplab::emulator::NamedKernel<P...> kernel) {
  using namespace warplab::emulator;
  note_kernel(reinterpret_cast<const void*>(kernel.function), kernel.name, kernel.file, kernel.line,
              arguments_of<Stored<P>...>(&CallByPointer<std::index_sequence_for<P...>, P...>::call));
  return cudaGetFuncBySymbol(function, reinterpret_cast<const void*>(kernel.function));
}

template <class... P>
cudaError_t cudaFuncGetName(const char** name, warplab::emulator::NamedKernel<P...> kernel) {
  using namespace warplab::emulator;
  note_kernel(reinterpret_cast<const void*>(kernel.function), kernel.name, kernel.file, kernel.line,
              arguments_of<Stored<P>...>(&CallByPointer<std::index_sequence_for<P...>, P...>::call));
  return cudaFuncGetName(name, reinterpret_cast<const void*>(kernel.function));
}

template <class... P>
cudaError_t cudaLaunchKernel(warplab::emulator::NamedKernel<P...> kernel, dim3 grid, dim3 block,
                             void** arguments, std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  using namespace warplab::emulator;
  return launch_with_pointers(describe_launch(kernel, grid, block, shared_bytes, stream), kernel, arguments);
}
template <class... P>
cudaError_t cudaLaunchCooperativeKernel(warplab::emulator::NamedKernel<P...> kernel, dim3 grid, dim3 block,
                                        void** arguments, std::size_t shared_bytes = 0,
                                        cudaStream_t stream = nullptr) {
  using namespace warplab::emulator;
  Launch launch = describe_launch(kernel, grid, block, shared_bytes, stream);
  launch.cooperative = true;
  return launch_with_pointers(std::move(launch), kernel, arguments);
}
template <class... P>
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, warplab::emulator::NamedKernel<P...> kernel,
                                void** arguments) {
  using namespace warplab::emulator;
  Launch launch;
  if (const cudaError_t error = describe_launch(launch, config, kernel)) return error;
  return launch_with_pointers(std::move(launch), kernel, arguments);
}
template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, warplab::emulator::NamedKernel<P...> kernel,
                               A&&... arguments) {
  using namespace warplab::emulator;
  Launch launch;
  if (const cudaError_t error = describe_launch(launch, config, kernel)) return error;
  return enqueue_with_arguments(std::move(launch), kernel.function, std::forward<A>(arguments)...);
}

inline cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, std::size_t = 0,
                                    cudaStream_t = nullptr) {
  return warplab::emulator::refuse_untyped_kernel("cudaLaunchKernel");
}
inline cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, std::size_t = 0,
                                               cudaStream_t = nullptr) {
  return warplab::emulator::refuse_untyped_kernel("cudaLaunchCooperativeKernel");
}
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**) {
  return warplab::emulator::refuse_untyped_kernel("cudaLaunchKernelExC");
}
