// Calls a rung's launcher on the buffers of a call.
#include "common/call.hpp"
#include "conv1d.hpp"

WARPLAB_ADAPTER(call) {
  warplab::dispatch<float, double>(call.inputs.at(0).dtype, [&]<class T>() {
    const auto launch = [&](auto launcher) {
      const T *in = call.input<T>(0), *filter = call.input<T>(1);
      T* out = call.output<T>(0);
      const std::int64_t n = call.problem_case.extent("n");
      const int m = call.extent32("m");
      if constexpr (requires { launcher(in, filter, out, n, m, dim3(), call.stream); })
        launcher(in, filter, out, n, m, call.block(dim3(256)), call.stream);
      else
        launcher(in, filter, out, n, m, static_cast<int>(call.problem_case.param("thread-outputs", 0)),
                 call.stream);
    };
    launch(WARPLAB_RUNG<T>);
  });
}
