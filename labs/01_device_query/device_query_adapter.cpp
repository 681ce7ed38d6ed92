// Calls a rung's launcher on the buffers of a call: each of the three takes others.
#include <type_traits>

#include "common/call.hpp"
#include "device_query.hpp"

WARPLAB_ADAPTER(call) {
  using std::int64_t, std::uint8_t;
  const int count = call.extent32("devices");
  const auto launch = [&](auto launcher) {
    using Launcher = decltype(launcher);
    if constexpr (std::is_invocable_v<Launcher, const int*, int, int64_t*, uint8_t*>)
      launcher(call.input<int>(0), count, call.output<int64_t>(0), call.output<uint8_t>(1));
    else if constexpr (std::is_invocable_v<Launcher, const int64_t*, int, double*>)
      launcher(call.input<int64_t>(0), count, call.output<double>(0));
    else
      launcher(call.input<int64_t>(0), call.input<double>(1), call.input<uint8_t>(2), count,
               call.output<uint8_t>(0));
  };
  launch(WARPLAB_RUNG);
}
