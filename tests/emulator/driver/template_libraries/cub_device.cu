// CUB's algorithms for the whole device, each compared with what the standard library computes.
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

int wrong = 0;

/// Calls twice: for the size of the memory that it needs, and with that memory.
template <class Call>
void with_memory(Call call) {
  void* memory = nullptr;
  std::size_t bytes = 0;
  if (call(memory, bytes) != cudaSuccess) wrong = 1;
  cudaMalloc(&memory, bytes);
  if (call(memory, bytes) != cudaSuccess) wrong = 1;
  cudaFree(memory);
}

void expect(const int* got, const std::vector<int>& expected, const char* what) {
  std::vector<int> host(expected.size());
  cudaMemcpy(host.data(), got, host.size() * sizeof(int), cudaMemcpyDeviceToHost);
  if (host == expected) return;
  std::printf("%s: %zu elements are wrong\n", what, expected.size());
  wrong = 1;
}

void run(int n) {
  std::vector<int> numbers(n), expected(n);
  for (int i = 0; i < n; ++i) numbers[i] = static_cast<int>(i * 7919ll % 1009);
  int *in, *out, *single, *bins;
  cudaMalloc(&in, (n + 1) * sizeof(int));
  cudaMalloc(&out, (n + 1) * sizeof(int));
  cudaMalloc(&single, sizeof(int));
  cudaMalloc(&bins, 10 * sizeof(int));
  cudaMemcpy(in, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);

  with_memory([&](void* m, std::size_t& bytes) { return cub::DeviceReduce::Sum(m, bytes, in, single, n); });
  expect(single, {std::accumulate(numbers.begin(), numbers.end(), 0)}, "Sum");
  with_memory(
      [&](void* m, std::size_t& bytes) { return cub::DeviceScan::ExclusiveSum(m, bytes, in, out, n); });
  for (int i = 1; i < n; ++i) expected[i] = expected[i - 1] + numbers[i - 1];
  expect(out, expected, "ExclusiveSum");
  with_memory([&](void* m, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(m, bytes, in, bins, 11, 0, 1010, n);
  });
  std::vector<int> counts(10);
  for (const int x : numbers) ++counts[x / 101];
  expect(bins, counts, "HistogramEven");
  with_memory(
      [&](void* m, std::size_t& bytes) { return cub::DeviceRadixSort::SortKeys(m, bytes, in, out, n); });
  std::sort(numbers.begin(), numbers.end());
  expect(out, numbers, "SortKeys");
  with_memory(
      [&](void* m, std::size_t& bytes) { return cub::DeviceSelect::Unique(m, bytes, out, in, single, n); });
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  expect(single, {static_cast<int>(numbers.size())}, "the number of Unique");
  expect(in, numbers, "Unique");
  for (int* const memory : {in, out, single, bins}) cudaFree(memory);
}

int main() {
  for (const int n : {0, 1, 31, 1000003}) run(n);
  wrong |= cudaDeviceSynchronize() != cudaSuccess;
  std::printf("%s\n", wrong ? "wrong" : "all equal");
  return wrong;
}
