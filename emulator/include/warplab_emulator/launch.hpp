#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuda_runtime_api.h"

namespace warplab::emulator {

/// A function object that takes a kernel's code, and may be moved. Its three words are all there is to it, so
/// that strict mode can look at what a launcher made before anything calls it. (std::function would cost
/// every .cu file half of <functional>.)
class BoundCall {
 public:
  using Call = void(void* bound, const void* code);
  using Forget = void(void* bound);

  BoundCall() = default;
  template <class Function>
  explicit BoundCall(Function function)
      : bound_(new Function(std::move(function))),
        call_([](void* bound, const void* code) { (*static_cast<Function*>(bound))(code); }),
        forget_([](void* bound) { delete static_cast<Function*>(bound); }) {}
  BoundCall(BoundCall&& other) noexcept
      : bound_(std::exchange(other.bound_, nullptr)), call_(other.call_), forget_(other.forget_) {}
  BoundCall& operator=(BoundCall&& other) noexcept {
    std::swap(bound_, other.bound_);
    std::swap(call_, other.call_);
    std::swap(forget_, other.forget_);
    return *this;
  }
  ~BoundCall() {
    if (bound_ != nullptr) forget_(bound_);
  }

  void operator()(const void* code) const { call_(bound_, code); }
  Call* call() const { return call_; }
  Forget* forget() const { return forget_; }

 private:
  void* bound_ = nullptr;
  Call* call_ = nullptr;
  Forget* forget_ = nullptr;
};

/// A kernel launch with its arguments bound. `run_block` runs the block that the calling OS thread has been
/// given, by the kernel's own code or by that of its twin (see docs/lens.md).
struct Launch {
  struct PointerArgument {
    int index;  ///< position in the parameter list, from 1
    const void* value;
  };
  const char* kernel = "";  ///< as written in the source
  const char* file = "";    ///< where it is launched
  int line = 0;
  dim3 grid, block;
  std::size_t dynamic_shared_bytes = 0;
  cudaStream_t stream = nullptr;
  const void* address = nullptr;  ///< the kernel's function: its identity
  bool cooperative = false;       ///< its blocks may wait for each other
  BoundCall run_block;
  std::vector<PointerArgument> pointers;
  std::size_t argument_bytes = 0;
};

/// Validates and queues a launch; an error is kept for cudaGetLastError, as `<<<>>>` does.
cudaError_t enqueue_launch(Launch launch);

/// One function for all pointers of all launches, as it is long.
[[gnu::noinline]] inline void note_pointer(Launch& launch, int index, const volatile void* value) {
  launch.pointers.push_back({index, const_cast<const void*>(value)});
}

template <class P, class A>
void note_argument(Launch& launch, int index, const A& argument) {
  using T = std::remove_cv_t<P>;
  launch.argument_bytes += sizeof(T);
  constexpr bool handle = std::is_same_v<T, cudaStream_t> || std::is_same_v<T, cudaEvent_t>;
  if constexpr (std::is_pointer_v<T> && !handle && !std::is_function_v<std::remove_pointer_t<T>>)
    note_pointer(launch, index, argument);
}

/// A launch of a kernel of known type. The arguments are converted to its parameter types once, here, as CUDA
/// does.
template <class... P>
Launch with_arguments(Launch launch, void (*kernel)(P...), std::type_identity_t<P>... arguments) {
  launch.address = reinterpret_cast<const void*>(kernel);
  int index = 0;
  (note_argument<P>(launch, ++index, arguments), ...);
  launch.run_block =
      BoundCall([bound = std::tuple<std::remove_cv_t<P>...>(std::move(arguments)...)](const void* code) {
        std::apply(reinterpret_cast<void (*)(P...)>(const_cast<void*>(code)), bound);
      });
  return launch;
}

/// What launching such a kernel returns: call it with the arguments.
template <class... P>
auto bind_arguments(Launch launch, void (*kernel)(P...)) {
  return [launch = std::move(launch), kernel](std::type_identity_t<P>... arguments) mutable {
    enqueue_launch(with_arguments(std::move(launch), kernel, std::move(arguments)...));
  };
}

/// A call of `Call`, which holds nothing: its address is the identity of the kernel that it calls.
template <class Call, class... Arguments>
void call_with(std::tuple<Arguments...>& bound) {
  std::apply(Call{}, bound);
}

/// As above for a template or an overloaded kernel whose parameter types follow from the arguments.
template <class Call>
auto bind_deduced(Launch launch, Call) {
  return [launch = std::move(launch)](auto... arguments) mutable {
    using Bound = std::tuple<decltype(arguments)...>;
    launch.address = reinterpret_cast<const void*>(&call_with<Call, decltype(arguments)...>);
    int index = 0;
    (note_argument<decltype(arguments)>(launch, ++index, arguments), ...);
    launch.run_block = BoundCall([bound = Bound(std::move(arguments)...)](const void* code) mutable {
      reinterpret_cast<void (*)(Bound&)>(const_cast<void*>(code))(bound);
    });
    enqueue_launch(std::move(launch));
  };
}

/// The single function that a kernel's name stands for, where there is one.
struct TakeFunction {
  template <class... P>
  auto operator()(void (*kernel)(P...)) const {
    return kernel;
  }
};

/// The translator turns `k<<<grid, block, shared, stream>>>(x)` into `kernel(k, "k", file,
/// line).configured(grid, block, shared, stream)(x)`.
template <class Bind>
class Kernel {
 public:
  Kernel(Bind bind, const char* name, const char* file, int line) : bind_(bind) {
    launch_.kernel = name;
    launch_.file = file;
    launch_.line = line;
  }

  auto configured(dim3 grid, dim3 block, std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) && {
    launch_.grid = grid;
    launch_.block = block;
    launch_.dynamic_shared_bytes = shared_bytes;
    launch_.stream = stream;
    return bind_(std::move(launch_));
  }

 private:
  Bind bind_;
  Launch launch_;
};

/// A kernel given by a pointer.
template <class... P>
auto kernel(void (*function)(P...), const char* name, const char* file, int line) {
  auto bind = [function](Launch launch) { return bind_arguments(std::move(launch), function); };
  return Kernel<decltype(bind)>(bind, name, file, line);
}

/// A kernel given by name. `pass` hands the name to a function object, which works if it stands for one
/// function; `call` calls it with arguments, which works for templates and overloads too.
template <class Pass, class Call>
auto kernel(Pass pass, Call call, const char* name, const char* file, int line) {
  if constexpr (std::is_invocable_v<Pass, TakeFunction>) {
    return kernel(pass(TakeFunction{}), name, file, line);
  } else {
    auto bind = [call](Launch launch) { return bind_deduced(std::move(launch), call); };
    return Kernel<decltype(bind)>(bind, name, file, line);
  }
}

}  // namespace warplab::emulator
