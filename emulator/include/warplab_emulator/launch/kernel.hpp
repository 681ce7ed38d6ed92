#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "warplab_emulator/launch/launch.hpp"
#include "warplab_emulator/type_identity.hpp"

// What `k<<<grid, block, shared, stream>>>(x)` becomes.

namespace warplab::emulator {

/// As nvcc has it, for devices from compute capability 7.0 on.
inline constexpr std::size_t max_parameter_bytes = 32764;
template <class... P>
inline constexpr bool parameters_fit = (std::size_t{0} + ... + sizeof(P)) <= max_parameter_bytes;

template <class T>
inline constexpr bool points_to_memory =
    std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>> &&
    !std::is_same_v<T, cudaStream_t> && !std::is_same_v<T, cudaEvent_t>;

/// Where arguments of these types lie when they are bound, one after another. No std::tuple: each launch
/// of a kernel would take a compiler three times as long.
template <class... T>
struct ParameterList {
  Parameter each[sizeof...(T) + 1] = {};  // there may be none
  std::size_t bytes = 0, alignment = 1;
  constexpr ParameterList() {
    Parameter* next = each;
    (place(*next++, sizeof(T), alignof(T), points_to_memory<T>), ...);
    (void)next;
  }

 private:
  constexpr void place(Parameter& parameter, std::size_t size, std::size_t aligned, bool points) {
    const std::size_t offset = (bytes + aligned - 1) / aligned * aligned;
    parameter = {offset, size, points};
    bytes = offset + size;
    if (aligned > alignment) alignment = aligned;
  }
};
template <class... T>
inline constexpr ParameterList<T...> parameter_list{};

template <class... T>
KernelArguments arguments_of(BoundCall::Call* call) {
  return {parameter_list<T...>.each, sizeof...(T), parameter_list<T...>.bytes, call};
}

template <class T>
T& argument_at(void* bound, std::size_t offset) {
  return *reinterpret_cast<T*>(static_cast<std::byte*>(bound) + offset);
}

inline void free_arguments(void* bound) { ::operator delete(bound); }
template <std::size_t bytes, std::size_t alignment>
void free_aligned_arguments(void* bound) {
  ::operator delete (bound, bytes, std::align_val_t{alignment});
}

/// What a launch keeps of an argument: of one that is passed by reference its address, as CUDA does.
template <class P>
using Stored = std::conditional_t<std::is_reference_v<P>, std::remove_reference_t<P>*, std::remove_cv_t<P>>;
/// Gives a launch copies of arguments, which it keeps, and a function that calls its kernel's code with them.
/// The copies are those of CUDA, byte by byte: a constructor or destructor runs on the host only.
template <class... T, std::size_t... i>
void bind_copies(Launch& launch, BoundCall::Call* call, std::index_sequence<i...>, const T&... arguments) {
  constexpr const ParameterList<T...>& list = parameter_list<T...>;
  constexpr bool plain = list.alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;
  void* const bound = sizeof...(T) == 0 ? nullptr
                      : plain           ? ::operator new(list.bytes)
                                        : ::operator new (list.bytes, std::align_val_t{list.alignment});
  (std::memcpy(static_cast<std::byte*>(bound) + list.each[i].offset, __builtin_addressof(arguments),
               sizeof(T)),
   ...);
  if constexpr (plain)
    launch.bind(bound, arguments_of<T...>(call), &free_arguments);
  else
    launch.bind(bound, arguments_of<T...>(call), &free_aligned_arguments<list.bytes, list.alignment>);
}

/// Whether a parameter of type T is passed by the address of a copy, which the caller makes and destroys (the
/// C++ ABI of Itanium): a copy byte by byte can then be passed instead.
template <class T>
inline constexpr bool passed_by_address =
    !std::is_trivially_destructible_v<T> ||
    (std::is_copy_constructible_v<T> && !std::is_trivially_copy_constructible_v<T>) ||
    (std::is_move_constructible_v<T> && !std::is_trivially_move_constructible_v<T>);

/// A copy of a parameter for one call of a kernel, which no constructor made and no destructor ends.
template <class T>
class ParameterCopy {
 public:
  explicit ParameterCopy(const void* from) { std::memcpy(bytes_, from, sizeof(T)); }
  operator T*() { return reinterpret_cast<T*>(bytes_); }

 private:
  alignas(T) std::byte bytes_[sizeof(T)];
};

template <class T>
decltype(auto) parameter_at(void* bound, std::size_t offset) {
  if constexpr (passed_by_address<T>)
    return ParameterCopy<T>(static_cast<std::byte*>(bound) + offset);
  else
    return argument_at<T>(bound, offset);
}

/// Calls a kernel of these parameters at an address, with arguments that were bound.
/// @tparam Each an std::index_sequence of its parameters
template <class Each, class... P>
struct CallByPointer;
template <std::size_t... i, class... P>
struct CallByPointer<std::index_sequence<i...>, P...> {
  template <class T>
  using Passed = std::conditional_t<passed_by_address<T>, T*, T>;
  static void call(void* bound, const void* code) {
    reinterpret_cast<void (*)(Passed<Stored<P>>...)>(const_cast<void*>(code))(
        parameter_at<Stored<P>>(bound, parameter_list<Stored<P>...>.each[i].offset)...);
  }
};

/// Binds what is stored of a kernel's arguments.
template <class... P>
void bind_arguments(Launch& launch, void (*kernel)(P...), const Identity<Stored<P>>&... arguments) {
  static_assert(parameters_fit<Stored<P>...>, "a kernel's parameters take at most 32764 bytes");
  using Each = std::index_sequence_for<P...>;
  launch.address = reinterpret_cast<const void*>(kernel);
  bind_copies<Stored<P>...>(launch, &CallByPointer<Each, P...>::call, Each(), arguments...);
}

/// The same, from variables that are like its parameters.
template <class... P>
void bind_parameters(Launch& launch, void (*kernel)(P...), std::remove_reference_t<P>&... parameters) {
  const auto keep = [](auto& parameter, auto is_reference) -> decltype(auto) {
    if constexpr (decltype(is_reference)::value)
      return __builtin_addressof(parameter);
    else
      return (parameter);
  };
  bind_arguments(launch, kernel, keep(parameters, std::is_reference<P>())...);
}

/// Queues a launch. Its arguments are converted to the kernel's parameter types once, here, and destroyed
/// once it is queued, as CUDA does.
template <class... P>
cudaError_t enqueue_with_arguments(Launch launch, void (*kernel)(P...), Identity<P>... arguments) {
  bind_parameters(launch, kernel, arguments...);
  return enqueue_launch(std::move(launch));
}

/// Calls `Call`, which holds nothing. A lambda without captures has nothing to read from its object, which in
/// C++17 cannot be made from its type.
template <class Call, class... Arguments, std::size_t... i>
void call_each(void* bound, std::index_sequence<i...>) {
  static_assert(std::is_empty_v<Call>);
  union Nothing {
    Nothing() : none(0) {}
    char none;
    Call call;
  } nothing;
  nothing.call(argument_at<Arguments>(bound, parameter_list<Arguments...>.each[i].offset)...);
}

/// A call of `Call`: its address is the identity of the kernel that it calls.
template <class Call, class... Arguments>
void call_with(void* bound) {
  call_each<Call, Arguments...>(bound, std::index_sequence_for<Arguments...>());
}

/// Calls a call_with() by its address.
inline void call_code(void* bound, const void* code) {
  reinterpret_cast<void (*)(void*)>(const_cast<void*>(code))(bound);
}

/// The single function that a kernel's name stands for, where there is one.
struct TakeFunction {
  // Not void (*)(P...): of several functions g++ would take the one without parameters.
  template <class Function>
  auto operator()(Function* kernel) const {
    return kernel;
  }
};

/// The translator turns `k<<<grid, block, shared, stream>>>(x)` into `kernel(k, "k", file,
/// line).configured(grid, block, shared, stream)(x)`. All of it is one object, which is never moved.
template <class Self>
class Kernel {
 public:
  Kernel(const char* name, const char* file, int line) : launch_(name, file, line) {}
  /// Its clusters' shape depends on the parameters of its template.
  Self& asking_for_cluster() {
    launch_.asks_kernel = true;
    return static_cast<Self&>(*this);
  }
  /// A library launches it, whose blocks look back at those before them: GPUs begin blocks in order.
  Self& in_order() {
    launch_.in_order = true;
    return static_cast<Self&>(*this);
  }
  Self& configured(dim3 grid, dim3 block, std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
    launch_.configure(grid, block, shared_bytes, stream);
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
    bind_parameters(this->launch_, function_, arguments...);
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

template <class... T>
struct TypeList {};

/// A kernel with default arguments. With all of its arguments it is launched by its pointer; with fewer, by a
/// call of its name in each thread, which fills in the others.
/// @tparam Taken its first parameters @tparam Left the rest
template <class Self, class Call, class Taken, class... Left>
class KernelWithDefaults;
template <class Self, class Call, class... T>
class KernelWithDefaults<Self, Call, TypeList<T...>> : public Kernel<Self> {
 public:
  KernelWithDefaults(void (*function)(T...), const char* name, const char* file, int line)
      : Kernel<Self>(name, file, line), function_(function) {}
  void operator()(Identity<T>... arguments) {
    bind_parameters(this->launch_, function_, arguments...);
    enqueue_launch(std::move(this->launch_));
  }
  /// As in KernelByPointer.
  template <class Never = void>
  void operator()(...) {
    static_assert(
        !std::is_void_v<Never>,
        "the launch's arguments cannot become the kernel's parameters: are they in the same order?");
  }

 protected:
  void (*function_)(T...);
};
template <class Self, class Call, class... T, class Next, class... Left>
class KernelWithDefaults<Self, Call, TypeList<T...>, Next, Left...>
    : public KernelWithDefaults<Self, Call, TypeList<T..., Next>, Left...> {
  using Base = KernelWithDefaults<Self, Call, TypeList<T..., Next>, Left...>;

 public:
  using Base::Base;
  using Base::operator();
  void operator()(Identity<T>... arguments) {
    static_assert(!(std::is_reference_v<T> || ...),
                  "a kernel with a parameter by reference is launched with all of its arguments");
    Launch& launch = this->launch_;
    launch.address = reinterpret_cast<const void*>(&call_with<Call, std::remove_cv_t<T>...>);
    launch.limits = reinterpret_cast<const void*>(this->function_);
    bind_copies<std::remove_cv_t<T>...>(launch, &call_code, std::index_sequence_for<T...>(), arguments...);
    enqueue_launch(std::move(launch));
  }
};
template <class Call, class... P>
class NamedKernelWithDefaults
    : public KernelWithDefaults<NamedKernelWithDefaults<Call, P...>, Call, TypeList<>, P...> {
  using Base = KernelWithDefaults<NamedKernelWithDefaults, Call, TypeList<>, P...>;

 public:
  using Base::Base;
  using Base::operator();
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
    bind_copies<Arguments...>(launch, &call_code, std::index_sequence_for<Arguments...>(), arguments...);
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

template <class Call, class... P>
NamedKernelWithDefaults<Call, P...> with_defaults(void (*function)(P...), const char* name, const char* file,
                                                  int line) {
  return {function, name, file, line};
}

/// The same for a kernel that has default arguments.
template <class Pass, class Call>
auto kernel_with_defaults(Pass pass, Call call, const char* name, const char* file, int line) {
  if constexpr (std::is_invocable_v<Pass, TakeFunction>)
    return with_defaults<Call>(pass(TakeFunction{}), name, file, line);
  else
    return kernel(pass, call, name, file, line);
}

}  // namespace warplab::emulator
