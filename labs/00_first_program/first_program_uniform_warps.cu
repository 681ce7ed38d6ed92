// Two kinds of work in one kernel, without divergence.
//
// A warp is 32 threads that mostly execute one instruction together. If an `if` sends its lanes both ways,
// the warp runs both branches, one after the other, and in each branch half of its lanes are idle. Here even
// elements need one kind of work and odd elements another. Thread i on element i would part every warp. So
// two warps share 64 elements: one takes the 32 even ones, the other takes the 32 odd ones.
// Cost: 8 bytes and 6 operations per element. A warp reads every second element, so each request needs twice
// as many sectors.
// Where it stops being good: when the work is short. Then the loads cost more than the idle lanes.
// Source: NVIDIA, CUDA C++ Programming Guide, SIMT Architecture.
#include "device_array.hpp"
#include "first_program.hpp"

static __device__ int even_work(int value) {
  unsigned x = static_cast<unsigned>(value);
  x = 1664525u * x + 1013904223u;
  x = 1664525u * x + 1013904223u;
  return static_cast<int>(1664525u * x + 1013904223u);
}

static __device__ int odd_work(int value) {
  unsigned x = static_cast<unsigned>(value);
  x ^= x << 13;
  x ^= x >> 17;
  return static_cast<int>(x ^ (x << 5));
}

static __global__ void work_kernel(const int* in, int* out, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  // BEGIN SOLUTION
  const int warp = thread / 32, lane = thread % 32;
  const int i = warp / 2 * 64 + 2 * lane + warp % 2;  // the parity is the warp's, not the lane's
  // STUB const int i = thread;
  // END SOLUTION
  if (i >= n) return;
  if (i % 2 == 0)
    out[i] = even_work(in[i]);
  else
    out[i] = odd_work(in[i]);
}

cudaError_t first_program_uniform_warps(const int* in, int* out, int n) {
  // BEGIN SOLUTION
  // STUB return todo("first_program_uniform_warps: choose i so that all lanes of a warp have the same parity");
  // END SOLUTION
  if (n == 0) return cudaSuccess;
  DeviceArray<int> device_in, device_out;
  RETURN_IF_ERROR(device_in.copy_from(in, n));
  RETURN_IF_ERROR(device_out.allocate(n));
  constexpr int threads = 256;  // a multiple of 64, so both warps of a pair are in one block
  work_kernel<<<(n + threads - 1) / threads, threads>>>(device_in.data(), device_out.data(), n);
  RETURN_IF_ERROR(cudaGetLastError());
  return device_out.copy_to(out, n);
}

int main() {
  const int in[] = {1, 1, 2, 2};
  int out[4] = {};
  const cudaError_t error = first_program_uniform_warps(in, out, 4);
  std::printf("uniform warps: %s\n", cudaGetErrorString(error));
  std::printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
}
