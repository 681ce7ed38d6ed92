// Calls a rung's launcher on the buffers of a call.
#include "common/call.hpp"
#include "quicksort.hpp"
#include "quicksort_shape.hpp"

#ifdef WARPLAB_BACKEND_EMULATOR
#include <string_view>

#include "common/cuda_check.hpp"
#include "quicksort_undecided.hpp"

#define WARPLAB_TEXT(name) #name
#define WARPLAB_NAME(name) WARPLAB_TEXT(name)

namespace {

/// Sorts keys that decide their order while they are compared. Numbers of keys come in. What goes out are
/// places, so a sort that is right leaves 0, 1, 2 ...
/// @return whether the rung compares keys; otherwise nothing was done
bool sorts_undecided_keys(const warplab::Call& call) {
  if constexpr (std::string_view(WARPLAB_NAME(WARPLAB_RUNG)) != "quicksort_radix") {
    const std::int64_t n = call.problem_case.extent("n");
    warplab::emulator::begin_undecided_keys(static_cast<int>(n));
    WARPLAB_RUNG<UndecidedKey>(reinterpret_cast<const UndecidedKey*>(call.input<int>(0)),
                               reinterpret_cast<UndecidedKey*>(call.output<int>(0)), n, call.workspace,
                               call.workspace_bytes, call.stream);
    std::vector<int> keys(static_cast<std::size_t>(n));
    const std::size_t bytes = keys.size() * sizeof(int);
    CUDA_CHECK(cudaMemcpy(keys.data(), call.output<int>(0), bytes, cudaMemcpyDeviceToHost));
    const std::vector<int> places = warplab::emulator::places_of_undecided_keys();
    for (int& key : keys)  // a key that was lost stays what it is
      if (key >= 0 && key < n) key = places[static_cast<std::size_t>(key)];
    CUDA_CHECK(cudaMemcpy(call.output<int>(0), keys.data(), bytes, cudaMemcpyHostToDevice));
    return true;
  }
  return false;
}

}  // namespace
#endif

WARPLAB_ADAPTER(call) {
#ifdef WARPLAB_BACKEND_EMULATOR
  if (call.problem_case.param("pattern", 0) == quicksort_killer_own && sorts_undecided_keys(call)) return;
#endif
  warplab::dispatch<int, float, double>(call.inputs.at(0).dtype, [&]<class T>() {
    WARPLAB_RUNG<T>(call.input<T>(0), call.output<T>(0), call.problem_case.extent("n"), call.workspace,
                    call.workspace_bytes, call.stream);
  });
}
