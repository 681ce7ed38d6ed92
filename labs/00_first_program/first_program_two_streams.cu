// Two streams: a kernel that needs what another stream still writes.
//
// Work in one stream runs in its order. Work in two streams runs in any order, also at the same time, unless
// an event orders it: cudaEventRecord() marks a place in one stream, and after cudaStreamWaitEvent() what is
// put into the other stream waits until that place is reached. The host only puts all that into queues, and
// goes on at once: it waits for nothing.
// Two orders are needed here. The sum must not begin before y is there, and the second stream must not write
// its next y before the sum has read this one.
// Cost: 12 bytes per element, two events.
// Where it stops being good: with many small kernels. Each event takes the GPU a microsecond or so.
// Source: NVIDIA, CUDA C++ Programming Guide, Asynchronous Concurrent Execution.
#include "device_array.hpp"
#include "first_program.hpp"

static __global__ void add_kernel(const float* x, const float* y, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + y[i];
}

cudaError_t first_program_two_streams(const float* x, const float* y, float* out, int n, cudaStream_t first,
                                      cudaStream_t second) {
  if (n == 0) return cudaSuccess;
  const int threads = 256, blocks = (n + threads - 1) / threads;
  // BEGIN SOLUTION
  // Where a call fails, these events are not destroyed. A struct like DeviceArray, with a destructor, would
  // destroy them on every path.
  cudaEvent_t is_written, is_read;
  RETURN_IF_ERROR(cudaEventCreate(&is_written));
  RETURN_IF_ERROR(cudaEventCreate(&is_read));
  RETURN_IF_ERROR(cudaEventRecord(is_written, second));
  RETURN_IF_ERROR(cudaStreamWaitEvent(first, is_written));
  add_kernel<<<blocks, threads, 0, first>>>(x, y, out, n);
  RETURN_IF_ERROR(cudaEventRecord(is_read, first));
  RETURN_IF_ERROR(cudaStreamWaitEvent(second, is_read));
  cudaEventDestroy(is_written);  // is gone when it has been reached
  cudaEventDestroy(is_read);
  // STUB RETURN_IF_ERROR(todo("first_program_two_streams: an event before the launch, and one after it"));
  // STUB add_kernel<<<blocks, threads, 0, first>>>(x, y, out, n);
  // STUB (void)second;
  // END SOLUTION
  return cudaGetLastError();
}

static __global__ void multiples_kernel(float* out, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = by * static_cast<float>(i);
}

int main() {
  constexpr int n = 1000;
  DeviceArray<float> x, y, out;
  cudaStream_t first, second;
  x.allocate(n), y.allocate(n), out.allocate(n);
  cudaStreamCreate(&first), cudaStreamCreate(&second);
  multiples_kernel<<<4, 256, 0, first>>>(x.data(), n, 1);
  multiples_kernel<<<4, 256, 0, second>>>(y.data(), n, 100);
  cudaError_t error = first_program_two_streams(x.data(), y.data(), out.data(), n, first, second);
  cudaMemsetAsync(y.data(), 0, n * sizeof(float), second);  // the second stream uses y again
  float sums[5] = {};
  if (error == cudaSuccess) error = out.copy_to(sums, 5);
  std::printf("two streams: %s\n", cudaGetErrorString(error));
  for (const float sum : sums) std::printf("%g ", sum);
  std::printf("\n");
  cudaStreamDestroy(first), cudaStreamDestroy(second);
}
