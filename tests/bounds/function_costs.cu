// What emulator/src/recorder/function_costs.inc was counted of: a warp that calls a function of the library,
// once, and in loops of 8 and 24 rounds. The cost of a call is what a kernel has more than the one named
// `nothing`; of a round, a sixteenth of what the longer loop has more than the shorter one, likewise.
//
//   nvcc -O2 -std=c++20 -arch=sm_90 tests/bounds/function_costs.cu -o function_costs
//   ncu --csv --page raw --metrics smsp__inst_executed.sum,smsp__inst_executed_pipe_fp64.sum,\
//     smsp__inst_executed_pipe_xu.sum ./function_costs
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace {

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "function_costs: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

#define FUNCTION(name, of_float, of_double)                               \
  struct name {                                                           \
    static __device__ float of(float x, float y) { return of_float; }     \
    static __device__ double of(double x, double y) { return of_double; } \
  };

#define ONE(name) FUNCTION(name##_, name##f(x), name(x))
#define TWO(name) FUNCTION(name##_, name##f(x, y), name(x, y))
#define ALL(one, two)                                                                                      \
  one(sqrt) one(sin) one(cos) one(tan) one(exp) one(exp2) one(exp10) one(expm1) one(log) one(log2)         \
      one(log10) one(log1p) one(sinh) one(cosh) one(tanh) one(asin) one(acos) one(atan) one(erf) one(erfc) \
          one(cbrt) one(floor) one(ceil) one(trunc) one(rint) two(atan2) two(hypot) two(fmod) two(fmin)    \
              two(fmax)

FUNCTION(nothing_, x, x)
FUNCTION(quotient_, x / y, x / y)
ALL(ONE, TWO)

template <class Function, class T>
__global__ void call_once(const T* x, const T* y, T* out) {
  out[threadIdx.x] = Function::of(x[threadIdx.x], y[threadIdx.x]);
}

template <class Function, class T>
__global__ void call_in_loop(const T* x, const T* y, T* out, int rounds) {
  T at = x[threadIdx.x], sum = 0;
  const T step = y[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    sum += Function::of(at, step);
    at += step * T(0.0001);
  }
  out[threadIdx.x] = sum;
}

template <class Function, class T>
void run(T* data, T x) {
  constexpr int lanes = 32;
  T values[2 * lanes];
  for (int i = 0; i < lanes; ++i) values[i] = x, values[lanes + i] = T(1.5);
  check(cudaMemcpy(data, values, sizeof values, cudaMemcpyHostToDevice));
  call_once<Function, T><<<1, lanes>>>(data, data + lanes, data + 2 * lanes);
  for (const int rounds : {8, 24})
    call_in_loop<Function, T><<<1, lanes>>>(data, data + lanes, data + 2 * lanes, rounds);
  check(cudaDeviceSynchronize());
}

}  // namespace

int main() {
  float* floats = nullptr;
  double* doubles = nullptr;
  check(cudaMalloc(&floats, 3 * 32 * sizeof(float)));
  check(cudaMalloc(&doubles, 3 * 32 * sizeof(double)));
  for (const double x : {0.3, 0.9, 1.0, 2.5, 8.0, 0.0, -0.5}) {
#define RUN(name) run<name##_>(floats, static_cast<float>(x)), run<name##_>(doubles, x);
    RUN(nothing) RUN(quotient) ALL(RUN, RUN)
  }
}
