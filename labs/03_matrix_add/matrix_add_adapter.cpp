// Calls a rung's launcher on the buffers of a call.
#include "common/call.hpp"
#include "matrix_add.hpp"

WARPLAB_ADAPTER(call) {
  const auto launches = static_cast<std::int64_t>(call.problem_case.param("launches", 1));
  warplab::dispatch<float, double, int>(call.inputs.at(0).dtype, [&]<class T>() {
    for (std::int64_t launch = 0; launch < launches; ++launch)
      WARPLAB_RUNG(call.input<T>(0), call.input<T>(1), call.output<T>(0), call.problem_case.extent("rows"),
                   call.problem_case.extent("cols"), call.grid(), call.block(dim3(256)), call.stream);
  });
}
