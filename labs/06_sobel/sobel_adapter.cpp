// Calls a rung's launcher on the buffers of a call.
#include "common/call.hpp"
#include "sobel.hpp"

WARPLAB_ADAPTER(call) {
  warplab::dispatch<unsigned char, float>(call.inputs.at(0).dtype, [&]<class T>() {
    const auto launch = [&](auto launcher) {
      const T* in = call.input<T>(0);
      T* out = call.output<T>(0);
      float* angle = call.outputs.size() > 1 ? call.output<float>(1) : nullptr;
      const int width = call.extent32("width"), height = call.extent32("height");
      const auto border = static_cast<warplab::Border>(call.problem_case.param("border", 1));
      const dim3 block = call.block(dim3(16, 16));
      auto* const workspace = static_cast<float*>(call.workspace);
      if constexpr (requires {
                      launcher(in, out, angle, workspace, width, height, border, block, call.stream);
                    })
        launcher(in, out, angle, workspace, width, height, border, block, call.stream);
      else if constexpr (requires { launcher(in, out, angle, width, height, border, block, call.stream); })
        launcher(in, out, angle, width, height, border, block, call.stream);
      else if constexpr (requires {
                           launcher(in, out, angle, workspace, width, height, border, call.stream);
                         })
        launcher(in, out, angle, workspace, width, height, border, call.stream);
      else
        launcher(in, out, angle, width, height, border, call.stream);
    };
    launch(WARPLAB_RUNG<T>);
  });
}
