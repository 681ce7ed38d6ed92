// Radix: no comparisons, no recursion, and the same few launches for any input.
//
// A pass orders the keys by 8 bits and keeps the order of equal ones. Four passes, lowest bits first, order
// 32 bits. A key's place is the number of keys with smaller digits, plus those with its digit in earlier
// tiles, plus those before it in its own tile.
// Tiles learn about earlier ones while they run: each publishes its counts, and later ones look back.
// So a pass reads and writes each key once. Tiles draw numbers, so that an earlier tile has always begun.
// Cost: keys of 4 bytes move 4 times, keys of 8 bytes 8 times; 6 or 10 launches.
// Stops being good: for keys that only a comparison can order, and for small n, where launches dominate.
// Source: A. Adinets, D. Merrill, "Onesweep: A Faster LSD Radix Sort for GPUs", 2022.
#include <cstdint>

#include "quicksort.hpp"
#include "quicksort_digits.hpp"
#include "quicksort_launch.hpp"
#include "quicksort_look_back.hpp"

inline constexpr int radix_block = QuicksortRadix::block;

/// Counts become first places: a block per pass, a thread per digit.
__global__ void quicksort_radix_scan_kernel(unsigned* counts) {  // (passes, digits)
  unsigned& mine = counts[blockIdx.x * radix_digits + threadIdx.x];
  unsigned total;
  mine = exclusive_scan(mine, total);
}

/// One pass: a tile of `items` keys per thread.
template <class T, int items>
__global__ void __launch_bounds__(radix_block, 4)
    quicksort_radix_pass_kernel(const T* from, T* to,          // (n)
                                const unsigned* first_places,  // (digits)
                                unsigned* ticket,              // (1), 0 at first
                                unsigned* states,              // (tiles, digits), 0 at first
                                int n, int pass) {
  constexpr int warps = radix_block / 32;
  __shared__ unsigned ranks[warps][radix_digits], first[radix_digits];
  __shared__ T staged[radix_block * items];
  __shared__ int number;
  const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  if (tid == 0) number = static_cast<int>(atomicAdd(ticket, 1u));
  for (auto& of_warp : ranks) of_warp[tid] = 0;
  __syncthreads();  // waits for the tile's number and for the zeros

  const int tile = number * radix_block * items, mine = tile + static_cast<int>(warp * 32 * items + lane);
  T keys[items];
  unsigned places[items];
#pragma unroll
  for (int k = 0; k < items; ++k) keys[k] = mine + k * 32 < n ? from[mine + k * 32] : last_key(T());
#pragma unroll
  for (int k = 0; k < items; ++k) {  // how many keys of my warp with my digit come before mine
    const unsigned digit = digit_of(keys[k], pass), same = __match_any_sync(0xffffffffu, digit),
                   before = same & ((1u << lane) - 1);
    unsigned earlier = 0;
    if (before == 0) earlier = atomicAdd(&ranks[warp][digit], static_cast<unsigned>(__popc(same)));
    places[k] = __shfl_sync(0xffffffffu, earlier, __ffs(static_cast<int>(same)) - 1) + __popc(before);
  }
  __syncthreads();  // waits until each warp has counted

  unsigned count = 0, total;  // from here to the next barrier thread d is for digit d
  for (auto& of_warp : ranks) {
    const unsigned in_warp = of_warp[tid];
    of_warp[tid] = count;
    count += in_warp;
  }
  const unsigned in_tile = exclusive_scan(count, total);
  for (auto& of_warp : ranks) of_warp[tid] += in_tile;
  // May wrap around, and back when the place within the tile is added.
  first[tid] = first_places[tid] + look_back(states, number, count) - in_tile;
  __syncthreads();  // waits for all digits

#pragma unroll
  for (int k = 0; k < items; ++k)
    if (mine + k * 32 < n) staged[ranks[warp][digit_of(keys[k], pass)] + places[k]] = keys[k];
  __syncthreads();  // waits for the staged keys
  for (int i = static_cast<int>(tid); i < radix_block * items && tile + i < n; i += radix_block)
    to[first[digit_of(staged[i], pass)] + i] = staged[i];
}

template <class T>
void quicksort_radix(const T* in, T* out, std::int64_t n, void* workspace, std::size_t workspace_bytes,
                     cudaStream_t stream) {
  const int count = quicksort_size(n);
  const QuicksortRadix shape(n, sizeof(T));
  quicksort_check_workspace(workspace_bytes, shape.bytes);
  if (count == 0) return;
  auto* const bytes = static_cast<char*>(workspace);
  T* const spare = static_cast<T*>(workspace);                               // (n)
  auto* const counts = reinterpret_cast<unsigned*>(bytes + shape.counts);    // (passes, digits)
  auto* const tickets = reinterpret_cast<unsigned*>(bytes + shape.tickets);  // (passes)
  auto* const states = reinterpret_cast<unsigned*>(bytes + shape.states);    // (passes, tiles, digits)
  CUDA_CHECK(cudaMemsetAsync(counts, 0, shape.bytes - shape.counts, stream));
  const std::int64_t blocks = warplab::ceil_div(n, 4 * 256);
  quicksort_radix_count_kernel<T>
      <<<warplab::grid_of(blocks < 1024 ? blocks : 1024), 256, 0, stream>>>(in, counts, count);
  quicksort_radix_scan_kernel<<<static_cast<unsigned>(shape.passes), radix_digits, 0, stream>>>(counts);
  const T* from = in;
  for (int pass = 0; pass < shape.passes; ++pass) {  // an even number of passes: the last one ends in out
    T* const to = pass % 2 == 0 ? spare : out;
    quicksort_radix_pass_kernel<T, sizeof(T) == 4 ? 16 : 8>
        <<<warplab::grid_of(shape.tiles), radix_block, 0, stream>>>(
            from, to, counts + pass * radix_digits, tickets + pass,
            states + pass * shape.tiles * radix_digits, count, pass);
    from = to;
  }
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(T) \
  template void quicksort_radix<T>(const T*, T*, std::int64_t, void*, std::size_t, cudaStream_t);
INSTANTIATE(int)
INSTANTIATE(float)
INSTANTIATE(double)
