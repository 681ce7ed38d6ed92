// Calls a rung's launcher with the integral of a case.
#include <cstring>
#include <vector>

#include "common/call.hpp"
#include "common/cuda_check.hpp"
#include "riemann.hpp"
#include "riemann_shape.hpp"

namespace {

/// Calls whichever form the launcher has.
template <class Launcher, class F>
void launch(Launcher launcher, const warplab::Call& call, F f, const Integral& integral,
            typename F::Value* out, std::optional<dim3> grid, dim3 block) {
  std::byte* const workspace = static_cast<std::byte*>(call.workspace) + riemann_reserved_bytes;
  const std::size_t bytes =
      call.workspace_bytes > riemann_reserved_bytes ? call.workspace_bytes - riemann_reserved_bytes : 0;
  if constexpr (requires { launcher(f, integral, out, block, call.stream); })
    launcher(f, integral, out, block, call.stream);
  else if constexpr (requires { launcher(f, integral, out, grid, block, call.stream); })
    launcher(f, integral, out, grid, block, call.stream);
  else if constexpr (requires { launcher(f, integral, out, workspace, bytes, call.stream); })
    launcher(f, integral, out, workspace, bytes, call.stream);
  else
    launcher(f, integral, out, grid, block, workspace, bytes, call.stream);
}

/// Launches once, or with several shapes; where a second output asks for it, counts the results whose bits
/// differ from the first.
template <class F>
void run(const warplab::Call& call, F f) {
  using T = typename F::Value;
  const warplab::Case& c = call.problem_case;
  const int rule = static_cast<int>(c.param("rule", 0));  // 4 and 5 are those of simpson and romberg
  const Integral integral{c.param("from", 0), c.param("to", 10), c.extent("n"),
                          rule == 4 || rule == 5 ? Rule::left : static_cast<Rule>(rule)};
  const dim3 block = call.block(dim3(riemann_block));
  T* const out = call.output<T>(0);
  launch(WARPLAB_RUNG<F>, call, f, integral, out, call.grid(), block);
  const auto results = static_cast<std::size_t>(call.outputs[0].count);
  for (std::size_t k = 1; k < results; ++k) {
    const auto blocks = static_cast<unsigned>(c.param("other_grid", 1)) + 5 * static_cast<unsigned>(k - 1);
    const auto threads =
        static_cast<unsigned>(c.param("other_block", 32)) + 32 * static_cast<unsigned>(k - 1);
    launch(WARPLAB_RUNG<F>, call, f, integral, out + k, dim3(blocks), dim3(threads));
  }
  if (call.outputs.size() < 2) return;

  std::vector<T> host(results);
  CUDA_CHECK(cudaStreamSynchronize(call.stream));
  CUDA_CHECK(cudaMemcpy(host.data(), out, results * sizeof(T), cudaMemcpyDeviceToHost));
  std::int64_t different = 0;
  for (std::size_t k = 1; k < results; ++k) different += std::memcmp(&host[k], &host[0], sizeof(T)) != 0;
  CUDA_CHECK(cudaMemcpy(call.output<std::int64_t>(1), &different, sizeof different, cudaMemcpyHostToDevice));
}

template <class T>
void run_with(const warplab::Call& call) {
  const auto parameter = static_cast<T>(call.problem_case.param("parameter", 0));
  switch (static_cast<int>(call.problem_case.param("function", 0))) {
    case 0:
      return run(call, ExpSin<T>{});
    case 1:
      return run(call, SinSquare<T>{});
    case 2:
      return run(call, Kinked<T>{parameter});
    case 3:
      return run(call, Root<T>{});
    case 4:
      return run(call, Linear<T>{});
    case 5:
      return run(call, Constant<T>{parameter});
    case 6: {
      auto* const calls = static_cast<unsigned long long*>(call.workspace);
      CUDA_CHECK(cudaMemsetAsync(calls, 0, sizeof *calls, call.stream));
      return run(call, Counted<T>{calls});
    }
    default:
      throw std::invalid_argument("there is no integrand of that number");
  }
}

}  // namespace

WARPLAB_ADAPTER(call) {
  warplab::dispatch<float, double>(call.outputs.at(0).dtype, [&]<class T>() { run_with<T>(call); });
}
