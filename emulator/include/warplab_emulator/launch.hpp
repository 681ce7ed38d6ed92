#pragma once

#include <cstddef>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

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

  /// What a kernel's arguments throw while they are copied ends the program.
  void operator()(const void* code) const noexcept { call_(bound_, code); }
  Call* call() const { return call_; }
  Forget* forget() const { return forget_; }

 private:
  void* bound_ = nullptr;
  Call* call_ = nullptr;
  Forget* forget_ = nullptr;
};

/// A pointer among the arguments of a launch.
struct PointerArgument {
  int index;  ///< position in the parameter list, from 1
  const void* value;
};

/// Those of one launch. (std::vector would cost every .cu file a tenth of its compile time.)
class PointerArguments {
 public:
  PointerArguments() = default;
  /// Takes `data` over, which operator new made.
  PointerArguments(PointerArgument* data, std::size_t size) : data_(data), size_(size), room_(size) {}
  PointerArguments(PointerArguments&& other) noexcept { *this = std::move(other); }
  PointerArguments& operator=(PointerArguments&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
    return *this;
  }
  ~PointerArguments() { ::operator delete(data_); }

  /// Not in line, as it is long.
  [[gnu::noinline]] void add(int index, const void* value) {
    if (size_ == room_) {
      auto* const more = static_cast<PointerArgument*>(::operator new((room_ + 8) * sizeof(PointerArgument)));
      room_ += 8;
      for (std::size_t i = 0; i < size_; ++i) more[i] = data_[i];
      ::operator delete(data_);
      data_ = more;
    }
    data_[size_++] = {index, value};
  }
  const PointerArgument* data() const { return data_; }
  const PointerArgument* begin() const { return data_; }
  const PointerArgument* end() const { return data_ + size_; }
  std::size_t size() const { return size_; }

 private:
  PointerArgument* data_ = nullptr;
  std::size_t size_ = 0, room_ = 0;
};

/// A kernel launch with its arguments bound. `run_block` runs the block that the calling OS thread has been
/// given, by the kernel's own code or by that of its twin (see docs/lens.md).
struct Launch {
  const char* kernel = "";  ///< as written in the source
  const char* file = "";    ///< where it is launched
  int line = 0;
  dim3 grid, block;
  std::size_t dynamic_shared_bytes = 0;
  cudaStream_t stream = nullptr;
  const void* address = nullptr;  ///< the kernel's function: its identity
  bool cooperative = false;       ///< its blocks may wait for each other
  BoundCall run_block;
  PointerArguments pointers;
  std::size_t argument_bytes = 0;
};

/// Validates and queues a launch; an error is kept for cudaGetLastError, as `<<<>>>` does.
cudaError_t enqueue_launch(Launch launch);

template <class P, class A>
void note_argument(Launch& launch, int index, const A& argument) {
  using T = std::remove_cv_t<P>;
  launch.argument_bytes += sizeof(T);
  constexpr bool handle = std::is_same_v<T, cudaStream_t> || std::is_same_v<T, cudaEvent_t>;
  if constexpr (std::is_pointer_v<T> && !handle && !std::is_function_v<std::remove_pointer_t<T>>)
    launch.pointers.add(index, const_cast<const void*>(static_cast<const volatile void*>(argument)));
}

/// Binds the arguments of a kernel of known type. They are converted to its parameter types once, here, as
/// CUDA does.
template <class... P>
void bind_arguments(Launch& launch, void (*kernel)(P...), std::type_identity_t<P>... arguments) {
  launch.address = reinterpret_cast<const void*>(kernel);
  int index = 0;
  (note_argument<P>(launch, ++index, arguments), ...);
  launch.run_block =
      BoundCall([bound = std::tuple<std::remove_cv_t<P>...>(std::move(arguments)...)](const void* code) {
        std::apply(reinterpret_cast<void (*)(P...)>(const_cast<void*>(code)), bound);
      });
}

/// A call of `Call`, which holds nothing: its address is the identity of the kernel that it calls.
template <class Call, class... Arguments>
void call_with(std::tuple<Arguments...>& bound) {
  std::apply(Call{}, bound);
}

/// The single function that a kernel's name stands for, where there is one.
struct TakeFunction {
  template <class... P>
  auto operator()(void (*kernel)(P...)) const {
    return kernel;
  }
};

/// The translator turns `k<<<grid, block, shared, stream>>>(x)` into `kernel(k, "k", file,
/// line).configured(grid, block, shared, stream)(x)`. All of it is one object, which is never moved.
template <class Self>
class Kernel {
 public:
  Kernel(const char* name, const char* file, int line) {
    launch_.kernel = name;
    launch_.file = file;
    launch_.line = line;
  }
  Self& configured(dim3 grid, dim3 block, std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
    launch_.grid = grid;
    launch_.block = block;
    launch_.dynamic_shared_bytes = shared_bytes;
    launch_.stream = stream;
    return static_cast<Self&>(*this);
  }

 protected:
  Launch launch_;
};

/// A kernel given by a pointer.
template <class... P>
class KernelByPointer : public Kernel<KernelByPointer<P...>> {
 public:
  KernelByPointer(void (*function)(P...), const char* name, const char* file, int line)
      : Kernel<KernelByPointer>(name, file, line), function_(function) {}
  void operator()(std::type_identity_t<P>... arguments) {
    bind_arguments(this->launch_, function_, std::move(arguments)...);
    enqueue_launch(std::move(this->launch_));
  }

 private:
  void (*function_)(P...);
};

/// A template or an overloaded kernel, whose parameter types follow from the arguments.
template <class Call>
class KernelByCall : public Kernel<KernelByCall<Call>> {
 public:
  using Kernel<KernelByCall>::Kernel;
  template <class... Arguments>
  void operator()(Arguments... arguments) {
    using Bound = std::tuple<Arguments...>;
    Launch& launch = this->launch_;
    launch.address = reinterpret_cast<const void*>(&call_with<Call, Arguments...>);
    int index = 0;
    (note_argument<Arguments>(launch, ++index, arguments), ...);
    launch.run_block = BoundCall([bound = Bound(std::move(arguments)...)](const void* code) mutable {
      reinterpret_cast<void (*)(Bound&)>(const_cast<void*>(code))(bound);
    });
    enqueue_launch(std::move(launch));
  }
};

template <class... P>
KernelByPointer<P...> kernel(void (*function)(P...), const char* name, const char* file, int line) {
  return {function, name, file, line};
}

/// A kernel given by name. `pass` hands the name to a function object, which works if it stands for one
/// function; `call` calls it with arguments, which works for templates and overloads too.
template <class Pass, class Call>
auto kernel(Pass pass, Call, const char* name, const char* file, int line) {
  if constexpr (std::is_invocable_v<Pass, TakeFunction>)
    return kernel(pass(TakeFunction{}), name, file, line);
  else
    return KernelByCall<Call>(name, file, line);
}

}  // namespace warplab::emulator
