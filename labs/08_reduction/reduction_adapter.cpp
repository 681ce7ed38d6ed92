// Calls a rung's launcher on the buffers of a call.
#include "common/call.hpp"
#include "reduction.hpp"
#include "reduction_shape.hpp"

WARPLAB_ADAPTER(call) {
  const auto run = [&]<class Op>() {
    const auto* in = call.input<typename Op::Input>(0);
    auto* out = call.output<typename Op::Result>(0);
    const std::int64_t n = call.problem_case.extent("n");
    const dim3 block = call.block(dim3(reduction_block));
    void* const workspace = call.workspace;
    const std::size_t bytes = call.workspace_bytes;
    const auto launch = [&](auto launcher) {
      if constexpr (requires { launcher(in, out, n, block, workspace, call.stream); })
        launcher(in, out, n, block, workspace, call.stream);
      else if constexpr (requires { launcher(in, out, n, call.grid(), block, workspace, call.stream); })
        launcher(in, out, n, call.grid(), block, workspace, call.stream);
      else if constexpr (requires { launcher(in, out, n, workspace, bytes, call.stream); })
        launcher(in, out, n, workspace, bytes, call.stream);
      else
        launcher(in, out, n, call.grid(), call.block(dim3(reduction_single_pass_block)), workspace, bytes,
                 call.stream);
    };
    launch(WARPLAB_RUNG<Op>);
  };
  warplab::dispatch<int, float, double>(call.inputs.at(0).dtype, [&]<class T>() {
    switch (static_cast<int>(call.problem_case.param("op", 0))) {
      case 0:
        return run.template operator()<Sum<T>>();
      case 1:
        return run.template operator()<Min<T>>();
      case 2:
        return run.template operator()<Max<T>>();
      case 3:
        return run.template operator()<Mean<T>>();
      default:
        throw std::invalid_argument("there is no operation of that number");
    }
  });
}
