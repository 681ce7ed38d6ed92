#pragma once

#include <cstddef>
#include <new>
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
  void* bound() const { return bound_; }
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
/// given, by the kernel's own code or by that of its instrumented build (docs/lens.md).
struct Launch {
  const char* kernel = "";  ///< as written in the source
  const char* file = "";    ///< where it is launched
  int line = 0;
  dim3 grid, block;
  std::size_t dynamic_shared_bytes = 0;
  cudaStream_t stream = nullptr;
  const void* address = nullptr;  ///< the kernel's function: its identity
  bool cooperative = false;       ///< its blocks may wait for each other
  dim3 cluster;                   ///< blocks that reach each other's shared memory
  bool has_clusters = false;      ///< the launch or the kernel asks for them
  bool asks_kernel = false;       ///< their shape depends on the parameters of the kernel's template
  BoundCall run_block;
  PointerArguments pointers;
  std::size_t argument_bytes = 0;
  using Bind = void(Launch& launch, void** arguments);
  Bind* bind = nullptr;  ///< binds those to which `arguments` points; for graphs, null in strict mode
  /// Writes where the bound arguments lie, unless `arguments` is null. @return how many there are
  int (*locate)(const Launch& launch, void** arguments) = nullptr;
};

/// Validates and queues a launch; an error is kept for cudaGetLastError, as `<<<>>>` does.
cudaError_t enqueue_launch(Launch launch);

}  // namespace warplab::emulator
