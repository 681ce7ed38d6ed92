// What a library does with the bits of a key: CUB's DeviceRadixSort, tuned by NVIDIA for each GPU.
//
// For int it is called as it is. Its order of floating-point numbers is another than this lab's: it takes -0
// and +0 for equal, and puts NaNs with the sign set first. So floating-point keys become their sort_key()
// before, and floating point after: two kernels more.
#include <cub/device/device_radix_sort.cuh>
#include <type_traits>

#include "quicksort.hpp"
#include "quicksort_launch.hpp"
#include "quicksort_order.hpp"

template <class T>
__global__ void quicksort_to_numbers_kernel(const T* in, typename SortKey<T>::type* numbers, int n) {
  for (auto i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    numbers[i] = sort_key(in[i]);
}

/// Replaces each number by the bits of the key that has it.
template <class Number>
__global__ void quicksort_from_numbers_kernel(Number* keys, int n) {
  constexpr Number sign = Number{1} << (8 * sizeof(Number) - 1);
  constexpr Number of_infinity =
      sizeof(Number) == 4 ? Number{0x007fffff} : static_cast<Number>(0x000fffffffffffff);
  for (auto i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const Number flipped = keys[i] + of_infinity;
    keys[i] = flipped & sign ? flipped ^ sign : ~flipped;
  }
}

template <class T>
void quicksort_cub_radix(const T* in, T* out, std::int64_t n, void* workspace, std::size_t workspace_bytes,
                         cudaStream_t stream) {
  const int count = quicksort_size(n);
  if (count == 0) return;
  std::size_t wanted = 0;
  if constexpr (std::is_integral_v<T>) {
    CUDA_CHECK(cub::DeviceRadixSort::SortKeys(nullptr, wanted, in, out, count, 0, 8 * sizeof(T), stream));
    quicksort_check_workspace(workspace_bytes, wanted);
    CUDA_CHECK(cub::DeviceRadixSort::SortKeys(workspace, wanted, in, out, count, 0, 8 * sizeof(T), stream));
  } else {
    using Number = typename SortKey<T>::type;
    auto* const numbers = static_cast<Number*>(workspace);  // (n)
    auto* const sorted = reinterpret_cast<Number*>(out);    // (n)
    const std::size_t reserved = quicksort_aligned(count * sizeof(T));
    CUDA_CHECK(
        cub::DeviceRadixSort::SortKeys(nullptr, wanted, numbers, sorted, count, 0, 8 * sizeof(T), stream));
    quicksort_check_workspace(workspace_bytes, reserved + wanted);
    void* const rest = static_cast<char*>(workspace) + reserved;
    quicksort_to_numbers_kernel<T><<<1024, 256, 0, stream>>>(in, numbers, count);
    CUDA_CHECK(
        cub::DeviceRadixSort::SortKeys(rest, wanted, numbers, sorted, count, 0, 8 * sizeof(T), stream));
    quicksort_from_numbers_kernel<Number><<<1024, 256, 0, stream>>>(sorted, count);
    CUDA_CHECK_LAUNCH();
  }
}

#define INSTANTIATE(T) \
  template void quicksort_cub_radix<T>(const T*, T*, std::int64_t, void*, std::size_t, cudaStream_t);
INSTANTIATE(int)
INSTANTIATE(float)
INSTANTIATE(double)
