// What CUB has for a kernel's blocks and warps, each compared with sums over the same numbers.
#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>

#include <cstdio>
#include <vector>

constexpr int threads = 128, per_thread = 4, tile = threads * per_thread;

/// Scans each tile of `in` by itself; `sums` gets the sum of each tile, `warp_sums` those of warps' first
/// elements.
__global__ void scan_tiles(const int* in, int* out, int* sums, int* warp_sums, int n) {
  using Load = cub::BlockLoad<int, threads, per_thread, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, threads, per_thread, cub::BLOCK_STORE_TRANSPOSE>;
  using Scan = cub::BlockScan<int, threads>;
  using Reduce = cub::BlockReduce<int, threads>;
  using Warp = cub::WarpReduce<int>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Scan::TempStorage scan;
    typename Reduce::TempStorage reduce;
    typename Warp::TempStorage warp[threads / 32];
  } memory;
  const int begin = blockIdx.x * tile, valid = min(tile, n - begin), warp = threadIdx.x / 32;
  int items[per_thread];
  Load(memory.load).Load(in + begin, items, valid, 0);
  __syncthreads();
  const int sum = Reduce(memory.reduce).Sum(items);
  __syncthreads();
  const int of_warp = Warp(memory.warp[warp]).Sum(items[0]);
  __syncthreads();
  Scan(memory.scan).InclusiveSum(items, items);
  __syncthreads();
  Store(memory.store).Store(out + begin, items, valid);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  if (threadIdx.x % 32 == 0) warp_sums[blockIdx.x * (threads / 32) + warp] = of_warp;
}

std::vector<int> host(const int* from, std::size_t count) {
  std::vector<int> to(count);
  cudaMemcpy(to.data(), from, count * sizeof(int), cudaMemcpyDeviceToHost);
  return to;
}

bool is_right(int n) {
  const int blocks = (n + tile - 1) / tile, warps = blocks * (threads / 32);
  std::vector<int> numbers(n), scanned(n), sums(blocks), warp_sums(warps);
  for (int i = 0; i < n; ++i) {
    numbers[i] = static_cast<int>(i * 7919ll % 1009);
    scanned[i] = numbers[i] + (i % tile == 0 ? 0 : scanned[i - 1]);
    sums[i / tile] += numbers[i];
    if (i % per_thread == 0) warp_sums[i / (32 * per_thread)] += numbers[i];
  }
  int *in, *out, *of_tiles, *of_warps;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&of_tiles, blocks * sizeof(int));
  cudaMalloc(&of_warps, warps * sizeof(int));
  cudaMemcpy(in, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  scan_tiles<<<blocks, threads>>>(in, out, of_tiles, of_warps, n);
  const bool right =
      host(out, n) == scanned && host(of_tiles, blocks) == sums && host(of_warps, warps) == warp_sums;
  for (int* const memory : {in, out, of_tiles, of_warps}) cudaFree(memory);
  if (!right) std::printf("%d elements: wrong\n", n);
  return right;
}

int main() {
  bool right = true;
  for (const int n : {1, 31, 511, 512, 513, 100003}) right &= is_right(n);
  std::printf("%s\n", right ? "all equal" : "wrong");
  return right ? 0 : 1;
}
