// A kernel that reads one element past the end of a device_vector.
#include <thrust/device_vector.h>

__global__ void shift_left(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + 1];  // the last one reads in[n]
}

int main() {
  const thrust::device_vector<int> in(1000, 1);
  thrust::device_vector<int> out(1000);
  shift_left<<<4, 256>>>(thrust::raw_pointer_cast(in.data()), thrust::raw_pointer_cast(out.data()), 1000);
  cudaDeviceSynchronize();
}
