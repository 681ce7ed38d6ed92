// Several outputs per thread, computed from a window of the input that slides through registers.
//
// A thread of tiled loads an element from shared memory for every product. Here it has R neighbouring outputs
// and holds R + W elements of the input in a ring of registers (W: a vector of 16 bytes). A step loads W more
// and W taps, and multiplies R * W times: for R = 20 floats, 80 multiply-adds for two loads. R is an odd
// number of vectors, so that the eight lanes which a 16-byte load serves at once find theirs in eight groups
// of banks; the taps are one address for all. Long filters come in rounds, each with a tile of its own.
// Cost per tap: 2 / (R * W) shared loads for one multiply-add: the arithmetic units set the time.
// Stops being good: above some hundred taps a Fourier transform needs fewer operations. And R outputs per
// thread make few threads, so short inputs get a smaller R.
// Source of the idea: V. Volkov, "Better performance at lower occupancy", GTC 2010.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/device_attribute.hpp"
#include "common/todo.hpp"
#include "common/vector16.hpp"
#include "conv1d.hpp"

constexpr int threads = 128;

template <class T>
__device__ void move16(T* to, const T* from) {  // W elements; both start at multiples of 16 bytes
  using Vector = typename warplab::Vector16<T>::type;
  *reinterpret_cast<Vector*>(to) = *reinterpret_cast<const Vector*>(from);
}

/// The whole block moves `length` elements, of which those from `there` on count as 0.
template <class T>
__device__ void load_tile(T* tile, const T* from, int length, std::int64_t there, bool aligned) {
  constexpr int W = 16 / sizeof(T);
  if (aligned && length <= there) {
#pragma unroll 4
    for (int k = threadIdx.x * W; k < length; k += threads * W) move16(tile + k, from + k);
  } else {
#pragma unroll 8
    for (int k = threadIdx.x; k < length; k += threads) tile[k] = k < there ? from[k] : T{0};
  }
}

template <class T, int R>
__global__ void __launch_bounds__(threads, sizeof(T) == 4 ? 8 : 6)
    conv1d_register_tiled_kernel(const T* __restrict__ in,      // (n)
                                 const T* __restrict__ filter,  // (m)
                                 T* __restrict__ out,           // (n)
                                 std::int64_t n, int m,
                                 bool aligned) {  // in and out start at multiples of 16 bytes
  // BEGIN SOLUTION
  constexpr int W = 16 / sizeof(T);
  constexpr int ring = R + W, outputs = threads * R;
  constexpr int limit = 120 * W;  // taps of a round: whole turns of each ring, which have 2, 6 or 8 vectors
  __shared__ __align__(16) T tile[outputs + limit];  // the elements of the outputs, and the halo
  __shared__ __align__(16) T taps[limit];
  const std::int64_t first = std::int64_t{blockIdx.x} * outputs;  // of this block's outputs
  T* const mine = tile + threadIdx.x * R;
  __align__(16) T sum[R] = {};

  for (std::int64_t done = 0; done < m; done += limit) {
    const int count = m - done < limit ? static_cast<int>(m - done) : limit;
    const int whole = count / W * W, length = outputs + (count > whole ? whole + W : whole);
    if (done > 0) __syncthreads();  // waits for the round before: others may still read its tile and taps
    load_tile(tile, in + first + done, length, n - first - done, aligned);
    for (int i = threadIdx.x; i < count; i += threads) taps[i] = filter[done + i];
    __syncthreads();  // waits for the whole tile and all taps

    __align__(16) T window[ring];  // element e of `mine` is at e % ring
#pragma unroll
    for (int v = 0; v < R; v += W) move16(&window[v], mine + v);
    for (int i = 0; i < whole; i += ring)
#pragma unroll
      for (int s = 0; s < ring; s += W)
        if (i + s < whole) {
          __align__(16) T tap[W];
          move16(&tap[0], taps + i + s);
          move16(&window[(s + R) % ring], mine + i + s + R);
#pragma unroll
          for (int k = 0; k < W; ++k)
#pragma unroll
            for (int r = 0; r < R; ++r) sum[r] += tap[k] * window[(s + k + r) % ring];
        }
    if (whole < count) {  // the last taps do not fill a vector, and what follows them must not be multiplied
#pragma unroll
      for (int v = 0; v < ring; v += W) move16(&window[v], mine + whole + v);
#pragma unroll
      for (int k = 0; k < W - 1; ++k)
        if (whole + k < count)
#pragma unroll
          for (int r = 0; r < R; ++r) sum[r] += taps[whole + k] * window[k + r];
    }
  }

  __syncthreads();  // waits for all who read the tile: the results take its place, to be stored in order
#pragma unroll
  for (int v = 0; v < R; v += W) move16(mine + v, &sum[v]);
  __syncthreads();  // waits for all results
  if (aligned && first + outputs <= n) {
    for (int e = threadIdx.x * W; e < outputs; e += threads * W) move16(out + first + e, tile + e);
  } else {
    for (int e = threadIdx.x; e < outputs && first + e < n; e += threads) out[first + e] = tile[e];
  }
  // STUB // 1. Load the tile, outputs + halo, and the taps of this round; wait.
  // STUB // 2. Fill the window with R elements. Each step: W taps and W more elements, R * W multiply-adds.
  // STUB // 3. The last m % W taps singly. Then the results, through the tile, so that neighbours store neighbours.
  // END SOLUTION
}

template <class T>
void conv1d_register_tiled(const T* in, const T* filter, T* out, std::int64_t n, int m, int outputs,
                           cudaStream_t stream) {
  constexpr int few = conv1d_few_outputs<T>, many = conv1d_many_outputs<T>;
  conv1d_check_outputs<T>(outputs);
  if (!conv1d_has_work(in, filter, out, n, m)) return;
  if (outputs == 0) outputs = n >= std::int64_t{warplab::multiprocessors()} * threads * many ? many : few;
  const dim3 grid = warplab::grid_of(warplab::ceil_div(n, threads * outputs));
  const bool aligned = warplab::starts_at_16_bytes(in) && warplab::starts_at_16_bytes(out);
  // BEGIN SOLUTION
  const auto kernel =
      outputs == few ? conv1d_register_tiled_kernel<T, few> : conv1d_register_tiled_kernel<T, many>;
  kernel<<<grid, threads, 0, stream>>>(in, filter, out, n, m, aligned);
  // STUB (void)grid, (void)aligned;
  // STUB warplab::todo(
  // STUB     "conv1d_register_tiled: R outputs per thread, a window in registers; launch few or many here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void conv1d_register_tiled(const float*, const float*, float*, std::int64_t, int, int, cudaStream_t);
template void conv1d_register_tiled(const double*, const double*, double*, std::int64_t, int, int,
                                    cudaStream_t);
