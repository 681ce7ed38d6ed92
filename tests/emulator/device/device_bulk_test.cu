// Bulk copies and the barriers that count their bytes, through cuda::ptx and as inline PTX. Ordinary CUDA for
// compute capability 9.0: a GPU gives the same results.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>
#include <numeric>
#include <vector>

#include "tests/emulator/device_array.hpp"

#ifdef __CUDACC__
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

namespace ptx = cuda::ptx;
using warplab::test::DeviceArray;

namespace {

template <class T>
std::vector<T> counted(std::size_t n) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<T>(static_cast<float>(i));
  return values;
}

}  // namespace

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ void wait_parity(std::uint64_t* barrier, unsigned parity) {
  asm volatile(
      "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n}" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}

// --- Into shared memory and out of it ---

constexpr int ring = 3, tile_size = 256;

// One thread fills a ring of tiles ahead of the others.
__global__ void sum_tiles(const float* in, float* out, int tiles) {
  __shared__ alignas(128) float tile[ring][tile_size];
  __shared__ alignas(8) std::uint64_t full[ring], empty[ring];
  if (threadIdx.x == 0)
    for (int i = 0; i < ring; ++i) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(full + i)));
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(empty + i)),
                   "r"(blockDim.x - 32));
    }
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0)
      for (int t = 0; t < tiles; ++t) {
        wait_parity(empty + t % ring, (t / ring & 1) ^ 1);
        asm volatile(
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(full + t % ring)),
            "r"(unsigned{sizeof tile[0]})
            : "memory");
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                shared_address(tile[t % ring])),
            "l"(in + t * tile_size), "r"(unsigned{sizeof tile[0]}), "r"(shared_address(full + t % ring))
            : "memory");
      }
    return;
  }
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    wait_parity(full + t % ring, t / ring & 1);
    for (unsigned i = threadIdx.x - 32; i < tile_size; i += blockDim.x - 32) sum += tile[t % ring][i];
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(empty + t % ring))
                 : "memory");
  }
  out[threadIdx.x - 32] = sum;
}

TEST(DeviceBulk, ARingOfTilesBringsEveryTileOnce) {
  const int tiles = 11;
  const DeviceArray<float> in(counted<float>(tiles * tile_size)), out(128);
  sum_tiles<<<1, 160>>>(in.data(), out.data(), tiles);
  const std::vector<float> sums = out.host();
  const float n = tiles * tile_size;
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0.0f), n * (n - 1) / 2);
}

__global__ void add_one(const float* in, float* out) {
  __shared__ alignas(128) float tile[tile_size];
  __shared__ std::uint64_t bar;
  if (threadIdx.x == 0) ptx::mbarrier_init(&bar, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof tile);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + blockIdx.x * tile_size, sizeof tile,
                       &bar);
  }
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  tile[threadIdx.x] += 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + blockIdx.x * tile_size, tile, sizeof tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

TEST(DeviceBulk, AStoreThatIsReadArrives) {
  const DeviceArray<float> in(counted<float>(4 * tile_size)), out(4 * tile_size);
  add_one<<<4, tile_size>>>(in.data(), out.data());
  const std::vector<float> result = out.host();
  for (std::size_t i = 0; i < result.size(); ++i) ASSERT_EQ(result[i], static_cast<float>(i + 1));
}

template <class T, class Op>
__global__ void reduce_into(T* out, T value, Op op) {
  __shared__ alignas(128) T values[64];
  values[threadIdx.x] = value;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, op, out, values, sizeof values);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

template <class T, class Op>
T reduced(T before, T value, Op op) {
  const DeviceArray<T> out(std::vector<T>(64, before));
  reduce_into<<<3, 64>>>(out.data(), value, op);
  const std::vector<T> result = out.host();
  EXPECT_EQ(std::vector<T>(64, result[0]), result);
  return result[0];
}

TEST(DeviceBulk, ReductionsCombineWithWhatIsThere) {
  EXPECT_EQ(reduced<int>(10, -2, ptx::op_add), 4);
  EXPECT_EQ(reduced<int>(10, -2, ptx::op_min), -2);
  EXPECT_EQ(reduced<unsigned>(10, 0xfffffffeu, ptx::op_max), 0xfffffffeu);
  EXPECT_EQ(reduced<unsigned>(6, 12, ptx::op_and_op), 4u);
  EXPECT_EQ(reduced<unsigned>(6, 12, ptx::op_or_op), 14u);
  EXPECT_EQ(reduced<unsigned>(6, 12, ptx::op_xor_op), 10u);
  EXPECT_EQ(reduced<unsigned>(6, 7, ptx::op_inc), 1u);
  EXPECT_EQ(reduced<unsigned>(1, 7, ptx::op_dec), 6u);
  EXPECT_EQ(reduced<std::uint64_t>(1ull << 40, 1, ptx::op_add), (1ull << 40) + 3);
  EXPECT_EQ(reduced<float>(0.5f, 1.25f, ptx::op_add), 4.25f);
  EXPECT_EQ(reduced<double>(0.5, 1.25, ptx::op_add), 4.25);
}

__global__ void reduce_halves(__half* halves, __nv_bfloat16* bfloats) {
  __shared__ alignas(128) __half a[64];
  __shared__ alignas(128) __nv_bfloat16 b[64];
  a[threadIdx.x] = __float2half(1.5f);
  b[threadIdx.x] = __float2bfloat16(-3.0f);
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x != 0) return;
  ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, halves, a, 128);
  ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_min, bfloats, b, 128);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

TEST(DeviceBulk, ReductionsOfHalvesRoundToHalves) {
  const DeviceArray<__half> halves(std::vector<__half>(64, __float2half(0.25f)));
  const DeviceArray<__nv_bfloat16> bfloats(std::vector<__nv_bfloat16>(64, __float2bfloat16(2.0f)));
  reduce_halves<<<2, 64>>>(halves.data(), bfloats.data());
  EXPECT_EQ(__half2float(halves.host()[63]), 3.25f);
  EXPECT_EQ(__bfloat162float(bfloats.host()[63]), -3.0f);
}

// --- mbarrier ---

__global__ void states(unsigned* out) {
  __shared__ alignas(8) std::uint64_t bar;
  const unsigned at = shared_address(&bar);
  asm volatile("mbarrier.init.shared.b64 [%0], 5;" ::"r"(at));
  std::uint64_t state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(out[0]) : "l"(state));
  asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 2;" : "=l"(state) : "r"(at) : "memory");
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(out[1]) : "l"(state));
  const auto test = [&](unsigned& result) {
    asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(result)
                 : "r"(at), "l"(state)
                 : "memory");
  };
  test(out[2]);
  asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" ::"r"(at) : "memory");
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 48;" ::"r"(at) : "memory");
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at) : "memory");
  test(out[3]);
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 48;" ::"r"(at) : "memory");
  test(out[4]);
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(out[5]) : "l"(state));
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at));
}

TEST(DeviceBulk, ABarriersStateCountsWhatIsMissing) {
  const DeviceArray<unsigned> out(6);
  states<<<1, 1>>>(out.data());
  EXPECT_EQ(out.host(), (std::vector<unsigned>{5, 4, 0, 0, 1, 4}));
}

__global__ void few_bytes_onto_a_barrier(const int* in, int* out) {
  __shared__ int values[64];
  __shared__ alignas(8) std::uint64_t bar;
  if (threadIdx.x == 0) ptx::mbarrier_init(&bar, 64);
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(values + threadIdx.x)),
               "l"(in + threadIdx.x)
               : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(&bar)) : "memory");
  wait_parity(&bar, 0);
  out[threadIdx.x] = values[63 - threadIdx.x];
}

TEST(DeviceBulk, SmallCopiesArriveAtABarrier) {
  const DeviceArray<int> in(counted<int>(64)), out(64);
  few_bytes_onto_a_barrier<<<1, 64>>>(in.data(), out.data());
  const std::vector<int> result = out.host();
  for (int i = 0; i < 64; ++i) ASSERT_EQ(result[static_cast<std::size_t>(i)], 63 - i);
}

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void with_cuda_barrier(const float* in, float* out) {
  __shared__ alignas(128) float tile[tile_size];
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  block_barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof tile), bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  out[threadIdx.x] = tile[tile_size - 1 - threadIdx.x];
}

TEST(DeviceBulk, ABarrierOfTheLibraryIsOneOfPtx) {
  const DeviceArray<float> in(counted<float>(tile_size)), out(tile_size);
  with_cuda_barrier<<<1, tile_size>>>(in.data(), out.data());
  const std::vector<float> result = out.host();
  for (std::size_t i = 0; i < tile_size; ++i) ASSERT_EQ(result[i], static_cast<float>(tile_size - 1 - i));
}

// A thread that waits in vain does something else, which ends what it waits for.
__global__ void waits_for_itself(int* out) {
  __shared__ alignas(8) std::uint64_t bar;
  if (threadIdx.x == 0) ptx::mbarrier_init(&bar, 1);
  __syncthreads();
  int tries = 0;
  for (bool arrived = false; !ptx::mbarrier_try_wait_parity(&bar, 0); ++tries)
    if (threadIdx.x == 0 && !arrived && tries == 2) {
      ptx::mbarrier_arrive(&bar);
      arrived = true;
    }
  out[threadIdx.x] = tries;
}

TEST(DeviceBulk, AWaitThatIsTriedAgainEndsInTime) {
  const DeviceArray<int> out(64);
  waits_for_itself<<<1, 64>>>(out.data());
  EXPECT_GE(out.host()[0], 3);
}

// --- Forms that the tests above do not use ---

__global__ void other_forms(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ alignas(8) std::uint64_t bar;
  const unsigned at = shared_address(&bar), to = shared_address(tile);
  std::uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("mbarrier.init.b64 [%0], 1;" ::"l"(&bar) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], 256;" ::"l"(in) : "memory");
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], 256;" ::"r"(at) : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], 256, "
      "[%2], "
      "%3;" ::"r"(to),
      "l"(in), "r"(at), "l"(policy)
      : "memory");
  asm volatile(
      "{\n.reg .pred done;\n"
      "again: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [%0], 0, 1000;\n"
      "@done bra finished;\nbra again;\nfinished:\n}" ::"r"(at)
      : "memory");
  tile[0] = 7;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], 256, %2;" ::"l"(out),
               "r"(to), "l"(policy)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%0], [%1], 16;" ::"l"(out + 4),
               "r"(to)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  std::uint32_t pending;
  asm volatile(
      "{\n.reg .b64 state;\nmbarrier.arrive.relaxed.cluster.shared::cta.b64 state, [%1], 1;\n"
      "mbarrier.pending_count.b64 %0, state;\n}"
      : "=r"(pending)
      : "r"(at)
      : "memory");
  out[64] = static_cast<int>(pending);
}

TEST(DeviceBulk, OtherFormsDoTheSame) {
  const DeviceArray<int> in(counted<int>(64)), out(65);
  other_forms<<<1, 1>>>(in.data(), out.data());
  std::vector<int> expected = counted<int>(64);
  expected[0] = expected[4] = 7;
  expected.push_back(1);
  EXPECT_EQ(out.host(), expected);
}
