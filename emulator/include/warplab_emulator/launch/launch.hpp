#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "cuda_runtime_api.h"

namespace warplab::emulator {

/// A kernel's bound arguments, and how they are handed to its code. Its three words are all there is to it,
/// so that isolation can look at what a launcher made before anything calls it.
class BoundCall {
 public:
  using Call = void(void* bound, const void* code);
  using Forget = void(void* bound);

  BoundCall() = default;
  /// @param by hands the arguments to code
  /// @param end destroys them and frees their memory
  BoundCall(void* arguments, Call* by, Forget* end) : bound_(arguments), call_(by), forget_(end) {}
  BoundCall(BoundCall&& other) noexcept { *this = std::move(other); }
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

/// Where a kernel's parameter lies among its bound arguments.
struct Parameter {
  std::size_t offset, bytes;
  bool points_to_memory;
};

/// How a kernel's arguments are bound.
struct KernelArguments {
  const Parameter* parameters = nullptr;
  std::size_t count = 0;
  std::size_t bytes = 0;            ///< of all that is bound
  BoundCall::Call* call = nullptr;  ///< with what is bound
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
  PointerArguments(PointerArguments&& other) noexcept { *this = std::move(other); }
  PointerArguments& operator=(PointerArguments&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~PointerArguments() { delete[] data_; }

  /// Those that are bound.
  PointerArguments(const KernelArguments& arguments, const void* bound);
  const PointerArgument* begin() const { return data_; }
  const PointerArgument* end() const { return data_ + size_; }

 private:
  PointerArgument* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A kernel launch with its arguments bound. `run_block` runs the block that the calling OS thread has been
/// given, by the kernel's own code or by that of its instrumented build (docs/lens.md).
struct Launch {
  // Not in line, as each launch in a file has one.
  [[gnu::noinline]] Launch() {}
  [[gnu::noinline]] Launch(const char* kernel_, const char* file_, int line_)
      : kernel(kernel_), file(file_), line(line_) {}
  Launch(Launch&&) = default;
  Launch& operator=(Launch&&) = default;
  [[gnu::noinline]] ~Launch() {}
  [[gnu::noinline]] void configure(dim3 grid_, dim3 block_, std::size_t shared_bytes, cudaStream_t stream_) {
    grid = grid_;
    block = block_;
    dynamic_shared_bytes = shared_bytes;
    stream = stream_;
  }
  /// Takes over what is bound. @param forget ends it and frees its memory
  [[gnu::noinline]] void bind(void* bound, const KernelArguments& arguments_, BoundCall::Forget* forget) {
    run_block = BoundCall(bound, arguments_.call, forget);
    arguments = arguments_;
  }

  const char* kernel = "";  ///< as written in the source
  const char* file = "";    ///< where it is launched
  int line = 0;
  dim3 grid, block;
  std::size_t dynamic_shared_bytes = 0;
  cudaStream_t stream = nullptr;
  const void* address = nullptr;  ///< the kernel's function: its identity
  const void* limits = nullptr;   ///< the function whose attributes hold for it, where that is another one
  bool cooperative = false;       ///< its blocks may wait for each other
  dim3 cluster;                   ///< blocks that reach each other's shared memory
  bool has_clusters = false;      ///< the launch or the kernel asks for them
  bool asks_kernel = false;       ///< their shape depends on the parameters of the kernel's template
  bool in_order = false;          ///< a block may wait for those of lower numbers, which begin before it
  BoundCall run_block;
  KernelArguments arguments;
  PointerArguments pointers;  ///< among them, once it is queued
};

/// Validates and queues a launch; an error is kept for cudaGetLastError, as `<<<>>>` does.
cudaError_t enqueue_launch(Launch&& launch);

}  // namespace warplab::emulator
