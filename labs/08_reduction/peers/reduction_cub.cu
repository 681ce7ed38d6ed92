// What a library does: CUB's DeviceReduce, tuned by NVIDIA for each GPU.
//
// Two kernels: one in which blocks stride over tiles with vector loads, and a second one of a
// single block that joins their results. The mean is CUB's reduction with an accumulator of
// 64 bits, and a division after it.
// CUB says how much workspace it wants when it is called without any; that needs no kernel.
#include <cub/device/device_reduce.cuh>
#include <stdexcept>
#include <string>

#include "reduction.hpp"
#include "reduction_launch.hpp"
#include "reduction_total.hpp"

/// The operation as CUB calls it.
template <class Op>
struct Combine {
  __host__ __device__ typename Op::Accumulator operator()(typename Op::Accumulator a,
                                                          typename Op::Accumulator b) const {
    return Op::combine(a, b);
  }
};

/// One call of CUB's; without a workspace it sets `bytes` to what it wants.
template <class T>
static cudaError_t call_cub(Sum<T>, void* workspace, std::size_t& bytes, const T* in, T* total,
                            std::int64_t n, cudaStream_t stream) {
  return cub::DeviceReduce::Sum(workspace, bytes, in, total, n, stream);
}
template <class T>
static cudaError_t call_cub(Min<T>, void* workspace, std::size_t& bytes, const T* in, T* total,
                            std::int64_t n, cudaStream_t stream) {
  return cub::DeviceReduce::Min(workspace, bytes, in, total, n, stream);
}
template <class T>
static cudaError_t call_cub(Max<T>, void* workspace, std::size_t& bytes, const T* in, T* total,
                            std::int64_t n, cudaStream_t stream) {
  return cub::DeviceReduce::Max(workspace, bytes, in, total, n, stream);
}
template <class T>
static cudaError_t call_cub(Mean<T>, void* workspace, std::size_t& bytes, const T* in,
                            typename Mean<T>::Accumulator* total, std::int64_t n, cudaStream_t stream) {
  return cub::DeviceReduce::Reduce(workspace, bytes, in, total, n, Combine<Mean<T>>(), Mean<T>::identity(),
                                   stream);
}

template <class Op>
void reduction_cub(const typename Op::Input* in, typename Op::Result* out, std::int64_t n, void* workspace,
                   std::size_t workspace_bytes, cudaStream_t stream) {
  reduction_has_elements<Op>(n);
  constexpr std::size_t reserved = 256;  // for the total of a mean; CUB's own part begins after it
  typename Op::Accumulator* total;
  if constexpr (Op::total_is_result)
    total = out;
  else
    total = static_cast<typename Op::Accumulator*>(workspace);
  std::size_t wanted = 0;
  CUDA_CHECK(call_cub(Op(), nullptr, wanted, in, total, n, stream));
  reduction_check_workspace(workspace_bytes, reserved + wanted);
  CUDA_CHECK(call_cub(Op(), static_cast<std::byte*>(workspace) + reserved, wanted, in, total, n, stream));
  reduction_finish<Op>(total, out, n, stream);
}

#define INSTANTIATE(Op)                                                                            \
  template void reduction_cub<Op>(const Op::Input*, Op::Result*, std::int64_t, void*, std::size_t, \
                                  cudaStream_t);
REDUCTION_FOR_EACH_OPERATION(INSTANTIATE)
