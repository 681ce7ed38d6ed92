// Calls a rung's launcher on the buffers of a call.
#include "common/call.hpp"
#include "transpose.hpp"

WARPLAB_ADAPTER(call) {
  warplab::dispatch<int, float, double>(call.inputs.at(0).dtype, [&]<class T>() {
    const auto launch = [&](auto launcher) {
      const T* in = call.input<T>(0);
      T* out = call.output<T>(0);
      const int rows = call.extent32("rows"), cols = call.extent32("cols");
      if constexpr (requires { launcher(in, out, rows, cols, dim3(), call.stream); })
        launcher(in, out, rows, cols, call.block(dim3(32, 32)), call.stream);
      else
        launcher(in, out, rows, cols, call.stream);
    };
    launch(WARPLAB_RUNG<T>);
  });
}
