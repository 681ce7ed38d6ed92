// Multicast: the four blocks of a cluster need the same columns, and read them once for all.
//
// In a product of matrices neighbouring blocks take other rows of A and the same columns of B. In a cluster
// each block copies a quarter of B's tile into the shared memory of all four (multicast). The bytes count at
// each block's own barrier, so each expects the whole tile. A slot may be filled again when the consumers of
// all four blocks have released it: its `empty` barrier waits for 4 x 8 warps.
// Cost per tile: B is read from L2 once per cluster; a warp arrives at four barriers.
// Stops being good: the four blocks go in step, and wait for the slowest. Where B lies in L2, bulk_copy,
// which reads it once per run, can be faster. ring reads it once per block, which is less than here where a
// block takes more than 4 runs.
// Source: PTX ISA 9.0, "cp.async.bulk", ".multicast::cluster"; NVIDIA's CUTLASS.
#include "common/device/cluster_launch.hpp"
#include "operand_queue.hpp"
#include "tma_queues.hpp"
#include "tma_queues_consumers.hpp"
#include "tma_queues_launch.hpp"

inline constexpr int multicast_blocks = 4;  // of a cluster
inline constexpr int multicast_threads = tma_queues_consumers + 32;
static_assert(tma_queues_columns % multicast_blocks == 0, "all blocks copy the same number of columns");

struct MulticastPlan {
  QueueDescriptor rows, columns;
};

__global__ void __launch_bounds__(multicast_threads)
    tma_queues_multicast_kernel(const MatrixMatrixWork work, MulticastPlan plan) {
  using Work = MatrixMatrixWork;
  extern __shared__ __align__(128) unsigned char shared[];
  constexpr int consumer_warps = tma_queues_consumers / 32;
  OperandQueue rows(plan.rows, shared), columns(plan.columns, shared + plan.rows.bytes());
  const int thread = static_cast<int>(threadIdx.x), pitch = plan.rows.tile;
  const unsigned rank = cluster_rank();
  if (thread == 0) {
    rows.initialize(consumer_warps);
    columns.initialize(consumer_warps * multicast_blocks);
  }
  cluster_sync();  // waits for the barriers of all blocks

  const bool produces = thread >= tma_queues_consumers;  // this warp fills the queues
  if (produces) {
    for (TileCursor<Work> load(work, pitch, rank); load.more(); load.next()) {
      const Tile next = load.tile();
      rows.push([&](int v) { return vector_at(work, v, next); }, next.count);
      columns.push_for_all<multicast_blocks>(
          [&](int v) { return vector_at(work, Work::first_rows + v, next); }, next.count, rank);
    }
  } else {
    Work::Sums sums;
    for (TileCursor<Work> use(work, pitch, rank); use.more(); use.next()) {
      const float* const of_a = rows.acquire();     // (8, tile)
      const float* const of_b = columns.acquire();  // (columns, tile)
      take(work, sums, of_a, of_b, pitch, use.tile(), thread);
      rows.release();
      columns.release_to_all<multicast_blocks>();
    }
  }
  __syncwarp();    // all 32 lanes arrive together at the next barrier
  cluster_sync();  // until nobody copies into this block or signals its barriers any more
}

void tma_queues_multicast(const MatrixMatrixWork& work, QueueShape shape, cudaStream_t stream) {
  tma_queues_check_device();
  tma_queues_check_shape(shape, work.length);
  tma_queues_check_addresses(work);
  const MulticastPlan plan{{tma_queues_rows, shape.tile, shape.slots},
                           {tma_queues_columns, shape.tile, shape.slots}};
  const std::size_t bytes = plan.rows.bytes() + plan.columns.bytes();
  tma_queues_allow_shared(tma_queues_multicast_kernel, shape, bytes);
  if (!work.prepare(stream)) return;
  const std::int64_t room =
      tma_queues_resident_blocks(tma_queues_multicast_kernel, multicast_threads, bytes, shape.blocks);
  const std::int64_t wanted = warplab::ceil_div(work.runs(shape.tile), multicast_blocks);
  const std::int64_t clusters = std::clamp<std::int64_t>(room / multicast_blocks / work.groups(), 1, wanted);
  launch_in_clusters(tma_queues_multicast_kernel,
                     warplab::grid_of(clusters * multicast_blocks, work.groups()), multicast_blocks,
                     multicast_threads, static_cast<unsigned>(bytes), stream, work, plan);
}
