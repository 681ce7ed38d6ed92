// Calls a rung's launcher on the buffers of a call.
#include "common/call.hpp"
#include "matmul.hpp"
#include "matmul_types.hpp"

#define NAME_OF(launcher) #launcher
#define EXPANDED_NAME_OF(launcher) NAME_OF(launcher)
constexpr std::string_view rung =
    std::string_view(EXPANDED_NAME_OF(WARPLAB_RUNG)).substr(sizeof("matmul_") - 1);

/// What a host type is called in kernels.
template <class Host>
struct OnDevice {
  using type = Host;
};
template <>
struct OnDevice<warplab::Half> {
  using type = __half;
};
template <>
struct OnDevice<warplab::Bfloat16> {
  using type = __nv_bfloat16;
};

template <class Host>
static void run(const warplab::Call& call) {
  using T = typename OnDevice<Host>::type;
  using Sum = MatmulSum<T>;
  const auto parameter = [&](const char* name, double fallback) {
    return call.problem_case.param(name, fallback);
  };
  const auto pad = static_cast<std::int64_t>(parameter("pad", 0));
  const int m = call.extent32("m"), n = call.extent32("n"), k = call.extent32("k");
  const auto beta = static_cast<Sum>(parameter("beta", 0));
  const Matmul<T> product{.a = reinterpret_cast<const T*>(call.input<Host>(0)),
                          .b = reinterpret_cast<const T*>(call.input<Host>(1)),
                          .c = beta == Sum{0} ? nullptr : call.input<Sum>(2),
                          .d = call.output<Sum>(0),
                          .m = m,
                          .n = n,
                          .k = k,
                          .lda = k + pad,
                          .ldb = n + pad,
                          .ldc = n + pad,
                          .ldd = n + pad,
                          .alpha = static_cast<Sum>(parameter("alpha", 1)),
                          .beta = beta};
  const MatmulFragment fragment{.rows = static_cast<int>(parameter("fragment_rows", 16)),
                                .cols = static_cast<int>(parameter("fragment_cols", 16)),
                                .half_sums = parameter("half_sums", 0) != 0};
  const auto launch = [&](auto launcher) {
    if constexpr (requires {
                    launcher(product, call.workspace, call.workspace_bytes, call.stream, fragment);
                  })
      launcher(product, call.workspace, call.workspace_bytes, call.stream, fragment);
    else
      launcher(product, call.workspace, call.workspace_bytes, call.stream);
  };
  launch(WARPLAB_RUNG<T>);
}

WARPLAB_ADAPTER(call) {
  warplab::dispatch_any(call.inputs.at(0).dtype, [&]<class Host>() {
    if constexpr (matmul_takes(rung, warplab::dtype_of<Host>()))
      run<Host>(call);
    else
      throw std::invalid_argument("this rung has no kernel for elements of this type");
  });
}
