// Thrust's algorithms on a device_vector, each compared with what the standard library computes.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x % 1009; }
};

__global__ void add_one(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;
}

int wrong = 0;

void expect(const thrust::device_vector<int>& got, const std::vector<int>& expected, const char* what) {
  const thrust::host_vector<int> host = got;
  if (std::equal(expected.begin(), expected.end(), host.begin(), host.end())) return;
  std::printf("%s of %zu elements is wrong\n", what, expected.size());
  wrong = 1;
}

void run(int n) {
  std::vector<int> numbers(n), expected(n);
  for (int i = 0; i < n; ++i) numbers[i] = static_cast<int>(i * 7919ll % 100003);
  thrust::device_vector<int> a(numbers.begin(), numbers.end()), b(n);

  const int sum = std::accumulate(numbers.begin(), numbers.end(), 0);
  expect(thrust::device_vector<int>(1, thrust::reduce(a.begin(), a.end())), {sum}, "reduce");
  thrust::transform(a.begin(), a.end(), b.begin(), Square());
  std::transform(numbers.begin(), numbers.end(), expected.begin(), Square());
  expect(b, expected, "transform");
  thrust::inclusive_scan(a.begin(), a.end(), b.begin());
  std::partial_sum(numbers.begin(), numbers.end(), expected.begin());
  expect(b, expected, "inclusive_scan");

  thrust::copy(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), b.begin());
  thrust::device_vector<int> keys = a;
  thrust::sort_by_key(keys.begin(), keys.end(), b.begin());
  std::iota(expected.begin(), expected.end(), 0);
  std::stable_sort(expected.begin(), expected.end(), [&](int x, int y) { return numbers[x] < numbers[y]; });
  expect(b, expected, "sort_by_key");

  if (n > 0) add_one<<<(n + 255) / 256, 256>>>(thrust::raw_pointer_cast(a.data()), n);
  thrust::sort(a.begin(), a.end());
  for (int& x : numbers) ++x;
  std::sort(numbers.begin(), numbers.end());
  expect(a, numbers, "sort, after a kernel,");
}

int main() {
  for (const int n : {0, 1, 31, 1000003}) run(n);
  std::printf("%s\n", wrong ? "wrong" : "all equal");
  return wrong;
}
