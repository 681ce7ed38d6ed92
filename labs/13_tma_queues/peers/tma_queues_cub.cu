// What a library does: CUB's TransformReduce over pairs of elements.
//
// CUB multiplies the elements of both vectors as it reads them, sums in its own order, and joins
// the blocks' results by a second kernel. It says how much workspace it wants when it is called
// without any; that needs no kernel.
#include <thrust/iterator/counting_iterator.h>

#include <cub/device/device_reduce.cuh>
#include <cuda/functional>

#include "tma_queues_launch.hpp"
#include "tma_queues_peers.hpp"

struct ProductAt {
  const float* a;
  const float* b;
  __device__ float operator()(std::int64_t i) const { return a[i] * b[i]; }
};
struct Plus {
  __host__ __device__ float operator()(float a, float b) const { return a + b; }
};

void tma_queues_cub(const DotProductWork& work, void* workspace, std::size_t workspace_bytes,
                    cudaStream_t stream) {
  const auto product_at = cuda::proclaim_return_type<float>(ProductAt{work.a, work.b});
  const auto call = [&](void* temporary, std::size_t& bytes) {
    return cub::DeviceReduce::TransformReduce(temporary, bytes, thrust::counting_iterator<std::int64_t>(0),
                                              work.z, work.length, Plus(), product_at, 0.0f, stream);
  };
  std::size_t wanted = 0;
  CUDA_CHECK(call(nullptr, wanted));
  if (workspace_bytes < wanted)
    warplab::refuse("a workspace of ", workspace_bytes, " bytes is too small: CUB asks for ", wanted);
  CUDA_CHECK(call(workspace, wanted));
}
