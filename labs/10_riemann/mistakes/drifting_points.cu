// Find the mistakes: two ways to compute the points of a sum in float, both wrong for many intervals.
//
// One thread sums x over [0, 10], which is 50. The first kernel adds the width to x again and again. The
// second one counts the intervals in float.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add_the_width(float* out, int n, float width) {
  double sum = 0;  // in double, so that only the points are to blame
  float x = 0;
  for (int i = 0; i < n; ++i, x += width) sum += x;
  *out = static_cast<float>(sum * width);
}

__global__ void count_in_float(float* out, int n, float width) {
  double sum = 0;
  float count = 0;
  for (int i = 0; i < n; ++i, count += 1) sum += count * width;
  *out = static_cast<float>(sum * width);
}

__global__ void compute_in_double(float* out, int n, double width) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<float>(i * width);
  *out = static_cast<float>(sum * width);
}

int main() {
  float* out;
  cudaMalloc(&out, 3 * sizeof(float));
  for (const int n : {1'000, 1'000'000, 40'000'000}) {
    const double width = 10.0 / n;
    add_the_width<<<1, 1>>>(out, n, static_cast<float>(width));
    count_in_float<<<1, 1>>>(out + 1, n, static_cast<float>(width));
    compute_in_double<<<1, 1>>>(out + 2, n, width);
    float sums[3] = {};
    const cudaError_t error = cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    std::printf("%s, n = %8d: x += width %9.6f, float count %9.6f, from i %9.6f\n", cudaGetErrorString(error),
                n, sums[0], sums[1], sums[2]);
  }
  cudaFree(out);
}
