// Calls a rung's function on host memory, as its own `main` does, and looks at what it leaves: an error that
// it did not return, and device memory that it did not free.
#include <type_traits>

#include "common/call.hpp"
#include "common/exceptions.hpp"
#include "common/throwing.hpp"
#include "device_array.hpp"
#include "first_program.hpp"

namespace {

#define WARPLAB_TEXT(name) #name
#define WARPLAB_NAME(name) WARPLAB_TEXT(name)
constexpr const char* name = WARPLAB_NAME(WARPLAB_RUNG);

[[noreturn]] void fail(const std::string& what) { throw warplab::RungFailure(name + what); }

std::size_t free_bytes() {
  std::size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  return free;
}

/// Runs one of the lab's functions. @param may_fail whether its error is an output of the call
template <class Function>
cudaError_t watched(const Function& function, bool may_fail) {
  const std::size_t before = free_bytes();
  const cudaError_t returned = function(), left = cudaGetLastError();
  if (returned == cudaErrorNotYetImplemented)
    warplab::throw_to_do(warplab::Sentence(name, " is not written yet: its file describes what to write"));
  if (returned == cudaSuccess && left != cudaSuccess)
    fail(std::string(" returned cudaSuccess, but a call or a launch in it failed: ") +
         cudaGetErrorName(left) + " (" + cudaGetErrorString(left) + ")");
  if (returned != cudaSuccess && !may_fail)
    fail(std::string(" returned ") + cudaGetErrorName(returned) + " (" + cudaGetErrorString(returned) + ")");
    // On a GPU other programs allocate and free meanwhile.
#ifdef WARPLAB_BACKEND_EMULATOR
  if (const cudaError_t waited = cudaDeviceSynchronize(); waited == cudaSuccess && free_bytes() < before)
    fail(" left " + std::to_string(before - free_bytes()) +
         " bytes of device memory allocated: each cudaMalloc needs a cudaFree, also after an error");
#else
  (void)before;
#endif
  return returned;
}

template <auto function>
void call_checked(const warplab::Call& call) {
  const cudaError_t returned = watched(
      [&] {
        return function(call.input<float>(0), call.extent32("n"), call.output<float>(0),
                        static_cast<std::int64_t>(call.problem_case.param("copies", 0)),
                        static_cast<int>(call.problem_case.param("threads", 0)));
      },
      true);
  // CUDA 13 calls a block that is too large an invalid value.
#ifdef WARPLAB_BACKEND_CUDA
  const bool is_of_launch = returned == cudaErrorInvalidValue;
#else
  constexpr bool is_of_launch = false;
#endif
  *call.output<int>(1) = is_of_launch ? cudaErrorInvalidConfiguration : returned;
}

template <auto function>
void call_timed(const warplab::Call& call) {
  const int n = call.extent32("n");
  // Graded code cannot write to this function's variables.
  float *const figures = static_cast<float*>(call.workspace), &milliseconds = figures[0],
               &gb_per_s = figures[1];
  watched(
      [&] {
        return function(*call.input<float>(2), call.input<float>(0), call.input<float>(1),
                        call.output<float>(0), n, static_cast<int>(call.problem_case.param("launches", 0)),
                        &milliseconds, &gb_per_s);
      },
      false);
  if (n == 0) return;
  if (!(milliseconds > 0))
    fail(" gave " + std::to_string(milliseconds) + " ms: no time passed between its two events");
  const double bytes = 12.0 * n, rate = gb_per_s * 1e6 * milliseconds;
  if (!(rate > 0.99 * bytes && rate < 1.01 * bytes))
    fail(
        " gave a rate that does not fit its time: a launch moves 12 bytes per element, and its figures "
        "say " +
        std::to_string(rate / n));
}

struct Stream {
  cudaStream_t handle = nullptr;
  Stream() { cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking); }
  ~Stream() { cudaStreamDestroy(handle); }
};

/// Calls the function between work of two streams: before it each writes an input, after it the second one
/// overwrites its own. The emulator runs what the host waits for, and no more: whichever stream the host asks
/// for first does not wait for the other, unless the function said so.
template <auto function>
cudaError_t between_streams(const warplab::Call& call, int n, float* out, bool second_goes_first) {
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(float);
  DeviceArray<float> x, y, sum;
  for (DeviceArray<float>* array : {&x, &y, &sum}) {
    RETURN_IF_ERROR(array->allocate(static_cast<std::size_t>(n)));
    RETURN_IF_ERROR(cudaMemset(array->data(), 0xff, bytes));  // not a number
  }
  RETURN_IF_ERROR(cudaDeviceSynchronize());
  const Stream first, second;
  cudaEvent_t under_way;
  RETURN_IF_ERROR(cudaEventCreate(&under_way));
  RETURN_IF_ERROR(cudaMemcpyAsync(x.data(), call.input<float>(0), bytes, cudaMemcpyDefault, first.handle));
  // The query below lets the emulator run one operation. That shall not be the one that writes y.
  RETURN_IF_ERROR(cudaMemsetAsync(y.data(), 0xff, bytes, second.handle));
  RETURN_IF_ERROR(cudaMemcpyAsync(y.data(), call.input<float>(1), bytes, cudaMemcpyDefault, second.handle));
  RETURN_IF_ERROR(cudaEventRecord(under_way, second.handle));
  const cudaError_t returned = function(x.data(), y.data(), sum.data(), n, first.handle, second.handle);
#ifdef WARPLAB_BACKEND_EMULATOR  // a GPU may be that fast by itself
  if (n > 0 && returned == cudaSuccess) {
    if (const cudaError_t left = cudaGetLastError(); left != cudaSuccess) return left;
    if (cudaEventQuery(under_way) == cudaSuccess)
      fail(" waited for a stream: let the streams wait for each other by events, and the host go on");
    cudaGetLastError();  // it is not ready, as it should be
  }
#endif
  cudaEventDestroy(under_way);
  if (returned != cudaSuccess) return returned;
  RETURN_IF_ERROR(cudaMemsetAsync(y.data(), 0, bytes, second.handle));
  RETURN_IF_ERROR(cudaMemcpyAsync(out, sum.data(), bytes, cudaMemcpyDefault, first.handle));
  RETURN_IF_ERROR(cudaStreamSynchronize(second_goes_first ? second.handle : first.handle));
  return cudaStreamSynchronize(second_goes_first ? first.handle : second.handle);
}

template <auto function>
void call_two_streams(const warplab::Call& call) {
  const int n = call.extent32("n");
  for (const bool second_goes_first : {false, true})
    watched(
        [&] {
          return between_streams<function>(call, n, call.output<float>(0) + (second_goes_first ? n : 0),
                                           second_goes_first);
        },
        false);
}

template <auto function>
void call_it(const warplab::Call& call) {
  using Type = decltype(function);
  const int n = call.extent32("n");
  if constexpr (std::is_same_v<Type, decltype(&first_program_saxpy)>)
    watched(
        [&] {
          return function(*call.input<float>(2), call.input<float>(0), call.input<float>(1),
                          call.output<float>(0), n);
        },
        false);
  if constexpr (std::is_same_v<Type, decltype(&first_program_checked)>) call_checked<function>(call);
  if constexpr (std::is_same_v<Type, decltype(&first_program_timed)>) call_timed<function>(call);
  if constexpr (std::is_same_v<Type, decltype(&first_program_outer_product)>)
    watched(
        [&] {
          return function(call.input<int>(0), n, call.input<int>(1),
                          static_cast<int>(call.problem_case.param("cols", 0)), call.output<int>(0));
        },
        false);
  if constexpr (std::is_same_v<Type, decltype(&first_program_uniform_warps)>)
    watched([&] { return function(call.input<int>(0), call.output<int>(0), n); }, false);
  if constexpr (std::is_same_v<Type, decltype(&first_program_block_count)>)
    watched([&] { return function(call.input<float>(0), n, *call.input<float>(1), call.output<int>(0)); },
            false);
  if constexpr (std::is_same_v<Type, decltype(&first_program_dot3)>) {
    const auto vectors = [&](std::size_t i) { return reinterpret_cast<const float3*>(call.input<float>(i)); };
    watched([&] { return function(vectors(0), vectors(1), call.output<float>(0), n); }, false);
  }
  if constexpr (std::is_same_v<Type, decltype(&first_program_two_streams)>) call_two_streams<function>(call);
}

}  // namespace

WARPLAB_ADAPTER(call) { call_it<&WARPLAB_RUNG>(call); }
