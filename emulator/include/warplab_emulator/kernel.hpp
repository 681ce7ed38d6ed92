#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "warplab_emulator/launch.hpp"
#include "warplab_emulator/type_identity.hpp"

// What `k<<<grid, block, shared, stream>>>(x)` becomes.

namespace warplab::emulator {

template <class P, class A>
void note_argument(Launch& launch, int index, const A& argument) {
  using T = std::remove_cv_t<P>;
  launch.argument_bytes += sizeof(T);
  constexpr bool handle = std::is_same_v<T, cudaStream_t> || std::is_same_v<T, cudaEvent_t>;
  if constexpr (std::is_pointer_v<T> && !handle && !std::is_function_v<std::remove_pointer_t<T>>)
    launch.pointers.add(index, const_cast<const void*>(static_cast<const volatile void*>(argument)));
}

/// As nvcc has it, for devices from compute capability 7.0 on.
inline constexpr std::size_t max_parameter_bytes = 32764;
template <class... P>
inline constexpr bool parameters_fit = (std::size_t{0} + ... + sizeof(P)) <= max_parameter_bytes;

/// The arguments of a kernel of known type, and their call.
template <class... P>
struct CallByPointer {
  std::tuple<std::remove_cv_t<P>...> bound;
  void operator()(const void* code) const {
    std::apply(reinterpret_cast<void (*)(P...)>(const_cast<void*>(code)), bound);
  }
};

template <class Call, class... P>
void bind_call(Launch& launch, Identity<P>... arguments);

/// The same, of arguments that lie where `at` points.
template <class Call, class... P>
void bind_copies(Launch& launch, void** at) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    bind_call<Call, P...>(launch, *static_cast<std::remove_cv_t<P>*>(at[i])...);
  }
  (std::index_sequence_for<P...>{});
}

template <class Call>
int locate_arguments(const Launch& launch, void** at) {
  const auto note = [&](auto&... argument) {
    if (at) ((*at++ = const_cast<void*>(static_cast<const void*>(&argument))), ...);
    return static_cast<int>(sizeof...(argument));
  };
  return std::apply(note, static_cast<Call*>(launch.run_block.bound())->bound);
}

/// Gives a launch the call with these arguments. `Call` is a CallByPointer or a CallByTuple, `P` are the
/// kernel's parameters.
template <class Call, class... P>
void bind_call(Launch& launch, Identity<P>... arguments) {
  launch.pointers = {};
  launch.argument_bytes = 0;
  int index = 0;
  (note_argument<P>(launch, ++index, arguments), ...);
  launch.run_block = BoundCall(Call{std::tuple<std::remove_cv_t<P>...>(std::move(arguments)...)});
  launch.bind = &bind_copies<Call, P...>;
  launch.locate = &locate_arguments<Call>;
}

/// Binds the arguments of a kernel of known type. They are converted to its parameter
/// types once, here, as CUDA does.
template <class... P>
void bind_arguments(Launch& launch, void (*kernel)(P...), Identity<P>... arguments) {
  static_assert(parameters_fit<P...>, "a kernel's parameters take at most 32764 bytes");
  launch.address = reinterpret_cast<const void*>(kernel);
  bind_call<CallByPointer<P...>, P...>(launch, std::move(arguments)...);
}

// Not by std::apply, whose part in a compiler's errors would bury the kernel's. A lambda without captures has
// nothing to read from its object, which in C++17 cannot be made from its type.
template <class Call, class... Arguments, std::size_t... index>
void call_each(std::tuple<Arguments...>& bound, std::index_sequence<index...>) {
  static_assert(std::is_empty_v<Call>);
  union Nothing {
    Nothing() : none(0) {}
    char none;
    Call call;
  } nothing;
  nothing.call(std::get<index>(bound)...);
}

/// A call of `Call`, which holds nothing: its address is the identity of the kernel that it calls.
template <class Call, class... Arguments>
void call_with(std::tuple<Arguments...>& bound) {
  call_each<Call>(bound, std::index_sequence_for<Arguments...>());
}

/// The arguments of a kernel that call_with calls, and their call.
template <class... Arguments>
struct CallByTuple {
  std::tuple<Arguments...> bound;
  void operator()(const void* code) {
    reinterpret_cast<void (*)(std::tuple<Arguments...>&)>(const_cast<void*>(code))(bound);
  }
};

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
  /// Its clusters' shape depends on the parameters of its template.
  Self& asking_for_cluster() {
    launch_.asks_kernel = true;
    return static_cast<Self&>(*this);
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
  void operator()(Identity<P>... arguments) {
    bind_arguments(this->launch_, function_, std::move(arguments)...);
    enqueue_launch(std::move(this->launch_));
  }
  /// For arguments that the other one does not take: an ellipsis is the last choice.
  template <class Never = void>
  void operator()(...) {
    static_assert(!std::is_void_v<Never>,
                  "the launch's arguments cannot become the kernel's parameters: are there as many, in the "
                  "same order? (Default arguments do not count here.)");
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
    static_assert(parameters_fit<Arguments...>, "a kernel's parameters take at most 32764 bytes");
    Launch& launch = this->launch_;
    launch.address = reinterpret_cast<const void*>(&call_with<Call, Arguments...>);
    bind_call<CallByTuple<Arguments...>, Arguments...>(launch, std::move(arguments)...);
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
