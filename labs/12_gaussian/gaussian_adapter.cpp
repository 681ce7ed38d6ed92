// Calls a rung's launcher on the buffers of a call.
#include "common/call.hpp"
#include "gaussian.hpp"
#include "problem/filter_quantiser.hpp"

WARPLAB_ADAPTER(call) {
  const auto parameter = [&](const char* name, double fallback) {
    return call.problem_case.param(name, fallback);
  };
  const ImageShape image{.width = call.extent32("width"),
                         .height = call.extent32("height"),
                         .channels = static_cast<int>(parameter("channels", 1))};
  const auto halves = [&](std::size_t input) {
    return reinterpret_cast<const __half*>(call.input<warplab::Half>(input));
  };
  const auto count = static_cast<int>(parameter("filters", 1)), side = static_cast<int>(parameter("side", 1));
  const bool separable = call.inputs.at(2).count > 0;
  const FilterBank filters{.weights = halves(1),
                           .across = separable ? halves(2) : nullptr,
                           .down = separable ? halves(2) + std::int64_t{count} * side : nullptr,
                           .weight_gain = 1 / warplab::filter_scale,
                           .factor_gain = 1 / warplab::filter_scale,
                           .count = count,
                           .side = side};
  const unsigned char* const in = call.input<unsigned char>(0);
  unsigned char* const out = call.output<unsigned char>(0);
  const auto launch = [&](auto launcher) {
    if constexpr (requires { launcher(in, filters, out, call.workspace, image, call.stream); })
      launcher(in, filters, out, call.workspace, image, call.stream);
    else if constexpr (requires { launcher(in, filters, out, image, 0.5f, call.stream); })
      launcher(in, filters, out, image, static_cast<float>(parameter("balance", 0.5)), call.stream);
    else
      launcher(in, filters, out, image, call.stream);
  };
  launch(WARPLAB_RUNG);
}
