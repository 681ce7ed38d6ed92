// Calls a rung's launcher on the buffers of a call.
#include "common/call.hpp"
#include "quicksort.hpp"

WARPLAB_ADAPTER(call) {
  warplab::dispatch<int, float, double>(call.inputs.at(0).dtype, [&]<class T>() {
    WARPLAB_RUNG<T>(call.input<T>(0), call.output<T>(0), call.problem_case.extent("n"), call.workspace,
                    call.workspace_bytes, call.stream);
  });
}
