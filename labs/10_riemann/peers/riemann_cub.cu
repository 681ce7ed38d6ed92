// What a library does: CUB's TransformReduce over a counting iterator, so nothing is read from memory.
//
// CUB evaluates the integrand for the index that the iterator gives, sums in its own order, and joins the
// blocks' results by a second kernel. A third one multiplies by the width, which no transformation of a sum
// could do sooner. CUB says how much workspace it wants when it is called without any; that needs no kernel.
#include <thrust/iterator/counting_iterator.h>

#include <cub/device/device_reduce.cuh>
#include <cuda/functional>

#include "riemann.hpp"
#include "riemann_launch.hpp"

/// The value at point i.
template <class F>
struct ValueAt {
  F f;
  Partition p;
  __device__ typename F::Value operator()(std::int64_t i) const {
    return f(static_cast<typename F::Value>(p.point(i)));
  }
};

struct Plus {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

template <class F>
__global__ void riemann_cub_finish_kernel(F f, Partition p, typename F::Value* out) {
  *out = static_cast<typename F::Value>(p.width * (*out + p.ends(f)));
}

template <class F>
void riemann_cub(F f, Integral integral, typename F::Value* out, void* workspace, std::size_t workspace_bytes,
                 cudaStream_t stream) {
  using T = typename F::Value;
  const Partition p = riemann_partition(f, integral);
  const auto value_at = cuda::proclaim_return_type<T>(ValueAt<F>{f, p});
  const auto call = [&](void* temporary, std::size_t& bytes) {
    return cub::DeviceReduce::TransformReduce(temporary, bytes, thrust::counting_iterator<std::int64_t>(0),
                                              out, p.n, Plus(), value_at, T{0}, stream);
  };
  std::size_t wanted = 0;
  CUDA_CHECK(call(nullptr, wanted));
  riemann_check_workspace(workspace_bytes, wanted);
  CUDA_CHECK(call(workspace, wanted));
  riemann_cub_finish_kernel<<<1, 1, 0, stream>>>(f, p, out);
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(F) template void riemann_cub<F>(F, Integral, F::Value*, void*, std::size_t, cudaStream_t);
RIEMANN_FOR_EACH_INTEGRAND(INSTANTIATE)
