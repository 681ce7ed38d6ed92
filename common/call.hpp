#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

#include "common/host/case.hpp"

namespace warplab {

/// One array of a call. `data` is device memory, or host memory for labs whose problem says so.
struct CallArray {
  DType dtype;
  std::int64_t count;
  void* data;
};

/// One call of a launcher, as the adapter of a lab sees it: the case and its
/// buffers, never an expected value.
struct Call {
  Case problem_case;
  std::vector<CallArray> inputs;   ///< read only; checked to be unchanged
  std::vector<CallArray> outputs;  ///< poisoned before the call
  void* workspace = nullptr;       ///< device memory of the size that the problem asked for, poisoned
  std::size_t workspace_bytes = 0;
  cudaStream_t stream = nullptr;

  /// Input `i` as elements of T. @throws std::invalid_argument if its type is another.
  template <class T>
  const T* input(std::size_t i) const {
    return typed<T>(inputs.at(i));
  }
  template <class T>
  T* output(std::size_t i) const {
    return typed<T>(outputs.at(i));
  }

  /// An extent as int. @throws std::invalid_argument if it is larger than 2^31 - 1.
  int extent32(std::string_view name) const {
    const std::int64_t value = problem_case.extent(name);
    if (value > 0x7fffffff) throw std::invalid_argument(std::string(name) + " exceeds 2147483647");
    return static_cast<int>(value);
  }

  /// The block asked for, or `fallback`; `grid()` likewise, where absent means "as many as the size needs".
  dim3 block(dim3 fallback) const { return problem_case.block ? to_dim3(*problem_case.block) : fallback; }
  std::optional<dim3> grid() const {
    return problem_case.grid ? std::optional(to_dim3(*problem_case.grid)) : std::nullopt;
  }

 private:
  static dim3 to_dim3(const Extent3& e) { return dim3(e[0], e[1], e[2]); }
  template <class T>
  static T* typed(const CallArray& array) {
    if (array.dtype != dtype_of<T>()) throw std::invalid_argument("the buffer holds another element type");
    return static_cast<T*>(array.data);
  }
};

}  // namespace warplab

/// Defines the entry point of a rung's module: `WARPLAB_ADAPTER(call) { ... WARPLAB_RUNG<T>(...); }`. The
/// adapter of a lab is compiled once for each rung, with WARPLAB_RUNG set to the launcher's name. It may
/// throw: ToDo for a stub, std::invalid_argument for what the rung refuses.
#define WARPLAB_ADAPTER(call_name) \
  extern "C" __attribute__((visibility("default"))) void warplab_call(const ::warplab::Call& call_name)
