// What a library does with a comparison: CUB's DeviceMergeSort, tuned by NVIDIA for each GPU.
//
// Blocks sort tiles in shared memory; then sorted runs are merged in pairs, and blocks find by
// binary search which parts of two runs they merge. It takes any comparison, as quicksort
// does, and the same time for any input.
#include <cub/device/device_merge_sort.cuh>
#include <type_traits>

#include "quicksort.hpp"
#include "quicksort_launch.hpp"
#include "quicksort_order.hpp"

struct InOrder {
  template <class T>
  __device__ bool operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return a < b;
    else
      return comes_before(a, b);
  }
};

template <class T>
void quicksort_cub_merge(const T* in, T* out, std::int64_t n, void* workspace, std::size_t workspace_bytes,
                         cudaStream_t stream) {
  const int count = quicksort_size(n);
  if (count == 0) return;
  std::size_t wanted = 0;
  CUDA_CHECK(cub::DeviceMergeSort::SortKeysCopy(nullptr, wanted, in, out, count, InOrder(), stream));
  quicksort_check_workspace(workspace_bytes, wanted);
  CUDA_CHECK(cub::DeviceMergeSort::SortKeysCopy(workspace, wanted, in, out, count, InOrder(), stream));
}

#define INSTANTIATE(T) \
  template void quicksort_cub_merge<T>(const T*, T*, std::int64_t, void*, std::size_t, cudaStream_t);
INSTANTIATE(int)
INSTANTIATE(float)
INSTANTIATE(double)
