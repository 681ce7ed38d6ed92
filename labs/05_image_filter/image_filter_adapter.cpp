// Calls a rung's launcher on the buffers of a call.
#include "common/call.hpp"
#include "image_filter.hpp"

WARPLAB_ADAPTER(call) {
  const auto parameter = [&](const char* name, int fallback) {
    return static_cast<int>(call.problem_case.param(name, fallback));
  };
  const FilteredImage image{.width = call.extent32("width"),
                            .height = call.extent32("height"),
                            .channels = parameter("channels", 1),
                            .radius = parameter("radius", 1),
                            .kind = static_cast<FilterKind>(parameter("filter", 0)),
                            .border = static_cast<warplab::Border>(parameter("border", 1))};
  warplab::dispatch<unsigned char, float>(call.inputs.at(0).dtype, [&]<class T>() {
    const auto launch = [&](auto launcher) {
      const T* in = call.input<T>(0);
      const float* filter = call.input<float>(1);
      if constexpr (requires { launcher(in, filter, call.output<T>(0), image, nullptr, call.stream); })
        launcher(in, filter, call.output<T>(0), image, static_cast<float*>(call.workspace), call.stream);
      else
        launcher(in, filter, call.output<T>(0), image, call.stream);
    };
    launch(WARPLAB_RUNG<T>);
  });
}
