// The Tensor Memory Accelerator: boxes of tensors of one to five dimensions, swizzled or not,
// into shared memory and out of it. What is expected follows the formulas of the PTX ISA.
// Ordinary CUDA for compute capability 9.0.

#include <cuda.h>
#include <cudaTypedefs.h>

#include <algorithm>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <cuda/barrier>
#include <cuda/ptx>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

namespace {

PFN_cuTensorMapEncodeTiled_v12000 encoder() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  EXPECT_EQ(
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found),
      cudaSuccess);
  EXPECT_EQ(found, cudaDriverEntryPointSuccess);
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
}

/// A tensor and a box of it.
struct Tensor {
  std::vector<cuuint64_t> extent;
  std::vector<cuuint32_t> box;
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_INT32;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  std::vector<cuuint32_t> element_stride = {1, 1, 1, 1, 1};
  std::size_t element_bytes = 4;

  std::size_t rank() const { return extent.size(); }
  /// Bytes from an element to the next one along a dimension.
  std::size_t stride(std::size_t dimension) const {
    std::size_t bytes = element_bytes;
    for (std::size_t d = 0; d < dimension; ++d)
      bytes = d == 0 ? (bytes * extent[0] + 15) / 16 * 16 : bytes * extent[d];
    return bytes;
  }
  std::size_t bytes() const { return stride(rank()) == element_bytes ? 0 : stride(rank()); }
  std::size_t box_extent(std::size_t d) const {
    return d == 0 ? box[0] : (box[d] + element_stride[d] - 1) / element_stride[d];
  }
  std::size_t box_elements() const {
    std::size_t count = 1;
    for (std::size_t d = 0; d < rank(); ++d) count *= box_extent(d);
    return count;
  }
  CUtensorMap map(void* address) const {
    CUtensorMap result;
    cuuint64_t strides[4] = {};
    for (std::size_t d = 1; d < rank(); ++d) strides[d - 1] = stride(d);
    EXPECT_EQ(encoder()(&result, type, static_cast<cuuint32_t>(rank()), address, extent.data(), strides,
                        box.data(), element_stride.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                        CU_TENSOR_MAP_L2_PROMOTION_NONE, fill),
              CUDA_SUCCESS);
    return result;
  }
  /// Where an element of the box is in the tensor's memory; false if it is outside.
  /// `i` is its place in the box.
  bool find(std::size_t i, const int* begin, std::size_t& offset) const {
    offset = 0;
    for (std::size_t d = 0; d < rank(); ++d) {
      const long long stride_along = d == 0 ? 1 : element_stride[d];
      const long long at = begin[d] + static_cast<long long>(i % box_extent(d)) * stride_along;
      if (at < 0 || at >= static_cast<long long>(extent[d])) return false;
      offset += static_cast<std::size_t>(at) * stride(d);
      i /= box_extent(d);
    }
    return true;
  }
  /// Where byte `at` of a box goes that begins at a multiple of 1024.
  std::size_t swizzled(std::size_t at) const {
    const std::size_t mixed = swizzle == CU_TENSOR_MAP_SWIZZLE_128B  ? 7
                              : swizzle == CU_TENSOR_MAP_SWIZZLE_64B ? 3
                              : swizzle == CU_TENSOR_MAP_SWIZZLE_32B ? 1
                                                                     : 0;
    return at ^ (at >> 7 & mixed) << 4;
  }
};

struct Place {
  int at[5];
};

}  // namespace

__device__ unsigned address_of(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

template <int rank>
__device__ void load_box(void* to, const CUtensorMap* map, const Place& c, std::uint64_t* barrier) {
#define LOAD(n, coordinates, ...)                                                                    \
  asm volatile("cp.async.bulk.tensor." #n                                                            \
               "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" coordinates \
               "}], [%2];" ::"r"(address_of(to)),                                                    \
               "l"(map), "r"(address_of(barrier)), __VA_ARGS__                                       \
               : "memory")
  if constexpr (rank == 1) LOAD(1, "%3", "r"(c.at[0]));
  if constexpr (rank == 2) LOAD(2, "%3, %4", "r"(c.at[0]), "r"(c.at[1]));
  if constexpr (rank == 3) LOAD(3, "%3, %4, %5", "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]));
  if constexpr (rank == 4) LOAD(4, "%3, %4, %5, %6", "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]));
  if constexpr (rank == 5)
    LOAD(5, "%3, %4, %5, %6, %7", "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(c.at[4]));
#undef LOAD
}

/// One thread begins the barrier; the box's bytes end its phase.
template <int rank>
__global__ void read_box(const __grid_constant__ CUtensorMap map, Place begin, unsigned bytes,
                         unsigned char* out) {
  __shared__ __align__(1024) unsigned char box[8192];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address_of(&barrier)));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(&barrier)),
                 "r"(bytes)
                 : "memory");
    load_box<rank>(box, &map, begin, &barrier);
  }
  __syncthreads();  // waits for the barrier to begin
  asm volatile(
      "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n@!done bra "
      "again;\n}" ::"r"(address_of(&barrier))
      : "memory");
  for (unsigned i = threadIdx.x; i < bytes; i += blockDim.x) out[i] = box[i];
}

namespace {

std::vector<unsigned char> some_bytes(std::size_t count) {
  std::vector<unsigned char> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<unsigned char>(i * 7 + i / 251 + 1);
  return bytes;
}

template <int rank>
void expect_box(const Tensor& tensor, const Place& begin) {
  const std::vector<unsigned char> values = some_bytes(tensor.bytes());
  const DeviceArray<unsigned char> memory(values);
  const std::size_t bytes = tensor.box_elements() * tensor.element_bytes;
  const DeviceArray<unsigned char> out(bytes);
  read_box<rank><<<1, 64>>>(tensor.map(memory.data()), begin, static_cast<unsigned>(bytes), out.data());
  const std::vector<unsigned char> box = out.host();
  for (std::size_t i = 0; i < bytes; ++i) {
    std::size_t offset = 0;
    const bool inside = tensor.find(i / tensor.element_bytes, begin.at, offset);
    const unsigned expected = inside ? values[offset + i % tensor.element_bytes] : 0;
    ASSERT_EQ(box[tensor.swizzled(i)], expected) << "byte " << i << " of a box of " << rank << " dimensions";
  }
}

}  // namespace

TEST(DeviceTensor, BoxesOfEveryRank) {
  expect_box<1>({{100}, {32}}, {{8}});
  expect_box<2>({{20, 9}, {8, 5}}, {{4, 2}});
  expect_box<3>({{20, 9, 4}, {8, 5, 2}}, {{4, 2, 1}});
  expect_box<4>({{20, 9, 4, 3}, {8, 5, 2, 2}}, {{4, 2, 1, 1}});
  expect_box<5>({{20, 9, 4, 3, 5}, {8, 5, 2, 2, 3}}, {{4, 2, 1, 1, 0}});
}

TEST(DeviceTensor, WhatIsOutsideTheTensorIsZero) {
  expect_box<1>({{100}, {32}}, {{-8}});
  expect_box<1>({{100}, {32}}, {{88}});
  expect_box<1>({{100}, {32}}, {{200}});
  expect_box<2>({{19, 9}, {24, 5}}, {{-4, -2}});
  expect_box<2>({{19, 9}, {24, 12}}, {{8, 7}});
  expect_box<5>({{20, 9, 4, 3, 5}, {8, 5, 2, 2, 3}}, {{16, 7, 3, -1, 4}});
}

TEST(DeviceTensor, SwizzledBoxes) {
  for (const auto& [swizzle, elements] : {std::pair{CU_TENSOR_MAP_SWIZZLE_32B, 16u},
                                          {CU_TENSOR_MAP_SWIZZLE_64B, 32u},
                                          {CU_TENSOR_MAP_SWIZZLE_128B, 64u}}) {
    Tensor tensor{{100, 40}, {elements, 29}, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, swizzle};
    tensor.element_bytes = 2;
    expect_box<2>(tensor, {{8, 2}});
    expect_box<2>(tensor, {{-8, 30}});
  }
}

TEST(DeviceTensor, ElementStridesSkipLines) {
  Tensor tensor{{20, 30, 7}, {8, 12, 6}};
  tensor.element_stride = {1, 3, 2, 1, 1};
  expect_box<3>(tensor, {{4, 2, 1}});
  expect_box<3>(tensor, {{4, 25, 3}});
}

TEST(DeviceTensor, FloatsOutsideTheTensorCanBeNaN) {
  Tensor tensor{{16, 2}, {16, 4}, CU_TENSOR_MAP_DATA_TYPE_FLOAT32};
  tensor.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  const DeviceArray<float> memory(std::vector<float>(32, 2.0f));
  const DeviceArray<unsigned char> out(256);
  read_box<2><<<1, 64>>>(tensor.map(memory.data()), {{0, 0}}, 256, out.data());
  float box[64];
  std::memcpy(box, out.host().data(), sizeof box);
  for (int i = 0; i < 64; ++i) {
    if (i < 32)
      EXPECT_EQ(box[i], 2.0f) << i;
    else
      EXPECT_TRUE(std::isnan(box[i])) << i;
  }
}

// --- Out of shared memory ---

enum class Way { store, add, maximum };

template <Way way>
__global__ void write_box(const __grid_constant__ CUtensorMap map, Place begin, unsigned bytes,
                          const unsigned char* from) {
  __shared__ __align__(1024) unsigned char box[8192];
  for (unsigned i = threadIdx.x; i < bytes; i += blockDim.x) box[i] = from[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();  // waits for the box
  if (threadIdx.x != 0) return;
#define STORE(copy, operation)                                            \
  asm volatile(copy ".tensor.2d.global.shared::cta" operation             \
                    ".tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), \
               "r"(begin.at[0]), "r"(begin.at[1]), "r"(address_of(box))   \
               : "memory")
  if constexpr (way == Way::store) STORE("cp.async.bulk", "");
  if constexpr (way == Way::add) STORE("cp.reduce.async.bulk", ".add");
  if constexpr (way == Way::maximum) STORE("cp.reduce.async.bulk", ".max");
#undef STORE
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

// Seen on an H100: whole chunks of 16 bytes, also where the tensor's line ends within one.
TEST(DeviceTensor, StoresWriteWhatIsInsideTheTensor) {
  for (const CUtensorMapSwizzle swizzle : {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_128B}) {
    Tensor tensor{{100, 40}, {64, 29}, CU_TENSOR_MAP_DATA_TYPE_UINT16, swizzle};
    tensor.element_bytes = 2;
    const Place begin{{72, 20}};
    const std::vector<unsigned char> box = some_bytes(64 * 29 * 2);
    const DeviceArray<unsigned char> memory(tensor.bytes()), from(box);
    write_box<Way::store><<<1, 64>>>(tensor.map(memory.data()), begin, 64 * 29 * 2, from.data());
    std::vector<unsigned char> expected(tensor.bytes());
    Tensor written = tensor;
    written.extent[0] = 104;  // 13 chunks, as are the bytes from line to line
    for (std::size_t i = 0; i < box.size(); ++i)
      if (std::size_t offset = 0; written.find(i / 2, begin.at, offset))
        expected[offset + i % 2] = box[tensor.swizzled(i)];
    EXPECT_EQ(memory.host(), expected) << "swizzle " << swizzle;
  }
}

TEST(DeviceTensor, ReductionsCombineWithTheTensor) {
  const Tensor tensor{{16, 4}, {8, 2}};
  std::vector<int> old(64), values(16);
  std::iota(old.begin(), old.end(), -20);
  std::iota(values.begin(), values.end(), -5);
  const DeviceArray<int> sums(old), greatest(old), from(values);
  const auto* const bytes = reinterpret_cast<const unsigned char*>(from.data());
  write_box<Way::add><<<1, 64>>>(tensor.map(sums.data()), {{4, 1}}, 64, bytes);
  write_box<Way::maximum><<<1, 64>>>(tensor.map(greatest.data()), {{4, 1}}, 64, bytes);
  std::vector<int> expected_sums = old, expected_greatest = old;
  for (std::size_t i = 0; i < 16; ++i) {
    const std::size_t at = (1 + i / 8) * 16 + 4 + i % 8;
    expected_sums[at] += values[i];
    expected_greatest[at] = std::max(old[at], values[i]);
  }
  EXPECT_EQ(sums.host(), expected_sums);
  EXPECT_EQ(greatest.host(), expected_greatest);
}

// --- The same by functions, as CUDA's Programming Guide has it ---

namespace cde = cuda::device::experimental;

/// Moves a box of 32 by 8 ints, each made one greater, to (to_x, to_y).
template <bool by_ptx>
__global__ void move_box(const __grid_constant__ CUtensorMap map, int x, int y, int to_x, int to_y) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(128) int box[8][32];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();  // waits for the barrier to begin
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    if constexpr (by_ptx)
      cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_cluster, cuda::ptx::space_global, &box, &map,
                                      {std::int32_t{x}, std::int32_t{y}},
                                      cuda::device::barrier_native_handle(barrier));
    else
      cde::cp_async_bulk_tensor_2d_global_to_shared(&box, &map, x, y, barrier);
    token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof(box));
  } else {
    token = barrier.arrive();
  }
  barrier.wait(std::move(token));
  box[threadIdx.x / 32][threadIdx.x % 32] += 1;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();  // waits for the new box
  if (threadIdx.x != 0) return;
  if constexpr (by_ptx)
    cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_global, cuda::ptx::space_shared, &map,
                                    {std::int32_t{to_x}, std::int32_t{to_y}}, &box);
  else
    cde::cp_async_bulk_tensor_2d_shared_to_global(&map, to_x, to_y, &box);
  cde::cp_async_bulk_commit_group();
  cde::cp_async_bulk_wait_group_read<0>();
}

template <bool by_ptx>
void expect_moved_box() {
  const Tensor tensor{{64, 20}, {32, 8}};
  std::vector<int> values(64 * 20);
  std::iota(values.begin(), values.end(), 0);
  const DeviceArray<int> memory(values);
  move_box<by_ptx><<<1, 256>>>(tensor.map(memory.data()), 4, 1, 40, 10);
  std::vector<int> expected = values;
  for (std::size_t row = 0; row < 8; ++row)
    for (std::size_t col = 0; col < 24; ++col)  // the others are beyond the tensor
      expected[(10 + row) * 64 + 40 + col] = values[(1 + row) * 64 + 4 + col] + 1;
  EXPECT_EQ(memory.host(), expected);
}

// A tensor map in global memory is fenced before it is used: its 128 bytes may have changed.
__global__ void read_by_a_map_in_memory(const CUtensorMap* map, int* out) {
  __shared__ alignas(128) int box[8][32];
  __shared__ alignas(8) std::uint64_t bar;
  if (threadIdx.x != 0) return;
  namespace ptx = cuda::ptx;
  ptx::fence_proxy_tensormap_generic(ptx::sem_release, ptx::scope_gpu);
  ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, map, ptx::n32_t<128>{});
  ptx::mbarrier_init(&bar, 1);
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, box, map, {0, 0}, &bar);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof box);
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  out[0] = box[7][31];
}

TEST(DeviceTensor, AMapInMemoryIsFenced) {
  const Tensor tensor{{64, 20}, {32, 8}};
  std::vector<int> values(64 * 20);
  std::iota(values.begin(), values.end(), 0);
  const DeviceArray<int> memory(values), out(1);
  const DeviceArray<CUtensorMap> map(std::vector<CUtensorMap>{tensor.map(memory.data())});
  read_by_a_map_in_memory<<<1, 32>>>(map.data(), out.data());
  EXPECT_EQ(out.host(), std::vector<int>{7 * 64 + 31});
}

TEST(DeviceTensor, FunctionsOfTheProgrammingGuide) { expect_moved_box<false>(); }
TEST(DeviceTensor, FunctionsOfCudaPtx) { expect_moved_box<true>(); }

// --- Multicast ---

/// Block 0 copies a box for both blocks of its cluster, each of which waits at its own barrier.
__global__ void __cluster_dims__(2, 1, 1)
    multicast_box(const __grid_constant__ CUtensorMap map, Place begin, int* out) {
  __shared__ __align__(128) int box[40];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address_of(&barrier)));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 160;" ::"r"(address_of(&barrier))
                 : "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (threadIdx.x == 0 && blockIdx.x == 0)
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(address_of(box)),
        "l"(&map), "r"(begin.at[0]), "r"(begin.at[1]), "r"(address_of(&barrier)),
        "h"(static_cast<unsigned short>(3))
        : "memory");
  asm volatile(
      "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n@!done bra "
      "again;\n}" ::"r"(address_of(&barrier))
      : "memory");
  for (unsigned i = threadIdx.x; i < 40; i += blockDim.x) out[blockIdx.x * 40 + i] = box[i];
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

TEST(DeviceTensor, AMulticastReachesAllBlocksOfItsCluster) {
  const Tensor tensor{{20, 9}, {8, 5}};
  std::vector<int> values(20 * 9);
  std::iota(values.begin(), values.end(), 1);
  const DeviceArray<int> memory(values), out(80);
  const Place begin{{16, 3}};
  multicast_box<<<2, 32>>>(tensor.map(memory.data()), begin, out.data());
  const std::vector<int> boxes = out.host();
  for (std::size_t i = 0; i < 40; ++i) {
    std::size_t offset = 0;
    const int expected = tensor.find(i, begin.at, offset) ? values[offset / 4] : 0;
    EXPECT_EQ(boxes[i], expected) << i;
    EXPECT_EQ(boxes[40 + i], expected) << i << " of the other block";
  }
}
