// Ring: queues of operands. A warp fills them, 8 warps empty them, and nobody waits for a whole block.
//
// The producer waits for an empty slot, announces the tile's bytes and starts the copies. A warp of consumers
// waits for a full slot, uses it and says so. Each warp goes at its own pace: a fast one may be up to slots -
// 1 tiles ahead of a slow one, where bulk_copy holds all at a barrier per tile. Each operand has a queue of
// its own. The columns of a matrix product stay: their queue has a slot per tile, and is filled once.
// Cost per tile: a wait and an arrival per warp and queue, for all 32 lanes; 60 cycles per copy on an H100.
// Stops being good: how large should tile and slots be? Too few bytes on their way, or too much shared memory
// for a second block. acta computes it.
// Source: N. Meseguer et al., section II, OperandQueues; M. Pellauer et al., "Buffets", ASPLOS 2019.
#include "operand_queue_ring.hpp"
#include "tma_queues.hpp"
#include "tma_queues_consumers.hpp"

template <class Work>
void tma_queues_ring(const Work& work, QueueShape shape, cudaStream_t stream) {
  operand_queue_ring(work, shape, stream);
}

#define INSTANTIATE(Work) template void tma_queues_ring(const Work&, QueueShape, cudaStream_t);
TMA_QUEUES_FOR_EACH_WORK(INSTANTIATE)
