#pragma once

#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuda_runtime_api.h"

namespace warplab::emulator {

/// A kernel launch with its arguments bound. `run_block` runs the block that the calling thread has been given.
struct Launch {
  struct PointerArgument {
    int index;  ///< position in the parameter list, from 1
    const void* value;
  };
  const char* kernel = "";  ///< as written in the source
  const char* file = "";
  int line = 0;
  dim3 grid, block;
  std::size_t dynamic_shared_bytes = 0;
  cudaStream_t stream = nullptr;
  const void* address = nullptr;  ///< the kernel's function, its identity
  std::function<void()> run_block;
  std::vector<PointerArgument> pointers;
  std::size_t argument_bytes = 0;
};

/// Validates and queues a launch; errors are kept for cudaGetLastError, as `<<<>>>` does.
cudaError_t enqueue_launch(Launch launch);

/// `<<<grid, block, shared, stream>>>`: the translator turns `k<<<c>>>` into `Configured(c).at(...)(k)` and leaves the
/// argument list behind it.
class Configured {
 public:
  explicit Configured(dim3 grid, dim3 block, std::size_t shared = 0, cudaStream_t stream = nullptr) {
    launch_.grid = grid;
    launch_.block = block;
    launch_.dynamic_shared_bytes = shared;
    launch_.stream = stream;
  }

  Configured&& at(const char* kernel, const char* file, int line) && {
    launch_.kernel = kernel;
    launch_.file = file;
    launch_.line = line;
    return std::move(*this);
  }

  /// A kernel whose parameter types are known: arguments are converted to them once, at the launch.
  template <class... P>
  auto operator()(void (*kernel)(P...)) && {
    return [launch = std::move(launch_), kernel](std::type_identity_t<P>... arguments) mutable {
      launch.address = reinterpret_cast<const void*>(kernel);
      launch.argument_bytes = (std::size_t{0} + ... + sizeof(P));
      int index = 0;
      (note_pointer<P>(launch, ++index, arguments), ...);
      launch.run_block = [kernel, bound = std::tuple<std::remove_cv_t<P>...>(std::move(arguments)...)] {
        std::apply(kernel, bound);
      };
      enqueue_launch(std::move(launch));
    };
  }

 private:
  template <class P, class A>
  static void note_pointer(Launch& launch, int index, const A& argument) {
    using T = std::remove_cv_t<P>;
    if constexpr (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>)
      launch.pointers.push_back({index, const_cast<const void*>(static_cast<const volatile void*>(argument))});
  }

  Launch launch_;
};

}  // namespace warplab::emulator
