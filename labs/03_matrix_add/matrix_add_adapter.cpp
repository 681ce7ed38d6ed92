// Calls a rung's launcher on the buffers of a call: those of a matrix with gaps between its rows have `gap`
// elements more in each.
#include "common/call.hpp"
#include "matrix_add.hpp"

namespace {

/// Calls whichever form the launcher has.
template <class T, class Launcher>
void launch(Launcher launcher, const warplab::Call& call) {
  const std::int64_t rows = call.problem_case.extent("rows"), cols = call.problem_case.extent("cols");
  const T *const a = call.input<T>(0), *const b = call.input<T>(1);
  T* const c = call.output<T>(0);
  const dim3 block = call.block(dim3(256));
  if constexpr (requires { launcher(a, b, c, rows, cols, call.grid(), block, call.stream); }) {
    launcher(a, b, c, rows, cols, call.grid(), block, call.stream);
  } else {
    const auto gap = static_cast<std::int64_t>(call.problem_case.param("gap", 0));
    const auto pitch = (cols + gap) * static_cast<std::int64_t>(sizeof(T));
    launcher(a, b, c, rows, cols, pitch, call.grid(), block, call.stream);
  }
}

}  // namespace

WARPLAB_ADAPTER(call) {
  const auto launches = static_cast<std::int64_t>(call.problem_case.param("launches", 1));
  warplab::dispatch<float, double, int>(call.inputs.at(0).dtype, [&]<class T>() {
    for (std::int64_t i = 0; i < launches; ++i) launch<T>(WARPLAB_RUNG<T>, call);
  });
}
