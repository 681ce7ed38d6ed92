#include "emulator/src/checker/race_text.hpp"

#include "emulator/src/block/worker.hpp"

namespace warplab::emulator::lens {
namespace {

const char* verb(bool writes, Manner manner) {
  if (manner == Manner::atomic) return "changes atomically";
  if (manner == Manner::bulk) return writes ? "copies in bulk to" : "reads in bulk";
  if (manner == Manner::flagged) return writes ? "writes (volatile)" : "reads (volatile)";
  return writes ? "writes" : "reads";
}

std::string who(const Race& race, bool other) {
  const std::string thread = "thread " + format(other ? race.other_thread : race.thread);
  if (race.distance != Race::Distance::grid) return thread;
  return thread + " of block " + format(other ? race.other_block : race.block);
}

std::string cause(const Race& race) {
  const bool both_write = race.writes && race.other_writes;
  const bool one_is_atomic = (race.manner == Manner::atomic) != (race.other_manner == Manner::atomic);
  if (race.fence_missing)
    return std::string(
               ". Both threads go through the atomic or volatile at {through} in between, but without a ") +
           (race.distance == Race::Distance::grid ? "__threadfence()" : "__threadfence_block()") +
           " between {other} and that, so it does not guard the data";
  if (race.manner == Manner::bulk || race.other_manner == Manner::bulk)
    return ", and nothing orders the two: a bulk copy may touch memory as soon as it is issued and until "
           "somebody has waited for it. Who issues it must have waited, at a barrier, for all who still use "
           "the bytes; who uses them then waits for the copy";
  if (one_is_atomic)
    return ", and nothing orders the two: an atomic protects from other atomics only, so the plain access "
           "may see or overwrite any value; make both atomic, or wait in between";
  if (race.distance == Race::Distance::grid)
    return both_write ? ", and blocks run in any order: the last write stays, by chance. Is blockIdx missing "
                        "in the index, or should this be an atomic?"
                      : ", and blocks run in any order: __syncthreads() joins the threads of one block only. "
                        "Use a second kernel launch, or an atomic flag with __threadfence()";
  if (race.distance == Race::Distance::warp)
    return race.manner == Manner::flagged && race.other_manner == Manner::flagged
               ? ", and both rely on the lanes of a warp running in lock-step, which they need not do; "
                 "volatile does not change that, put __syncwarp() in between"
           : both_write
               ? ", and they are lanes of one warp with nothing in between: one of the writes stays, by "
                 "chance. Do they mean the same element, or should this be an atomic?"
               : ", with no __syncwarp() in between: the lanes of a warp need not run in lock-step. Where "
                 "other warps share the data as well, take __syncthreads()";
  if (both_write)
    return ", with no __syncthreads() in between: the last write stays, by chance. Do they mean the same "
           "element, or should this be an atomic?";
  if (race.writes)
    return ", with no __syncthreads() in between: their order is undefined. If all is to be "
           "written before it is read, the barrier belongs between the two; in a loop that uses memory "
           "again, a second one belongs at its end";
  return ", with no __syncthreads() in between";
}

std::string what(const Race& race) {
  return who(race, false) + " " + verb(race.writes, race.manner) + " " + std::to_string(race.bytes) +
         (race.bytes == 1 ? " byte " : " bytes ") + race.place + " that " + who(race, true) + " " +
         verb(race.other_writes, race.other_manner) + " at {other}";
}

}  // namespace

warplab::lens::Hint hint_of(const Race& race) {
  using warplab::lens::Hint;
  const bool both_write = race.writes && race.other_writes;
  if (race.fence_missing) return Hint::fence_missing;
  if (race.manner == Manner::bulk || race.other_manner == Manner::bulk) return Hint::bulk_copy_not_ordered;
  if ((race.manner == Manner::atomic) != (race.other_manner == Manner::atomic))
    return Hint::atomic_and_plain_access;
  if (race.distance == Race::Distance::grid)
    return both_write ? Hint::blocks_write_the_same : Hint::blocks_run_in_any_order;
  if (race.distance == Race::Distance::warp) {
    const bool flags = race.manner == Manner::flagged && race.other_manner == Manner::flagged;
    return both_write && !flags ? Hint::lanes_write_the_same : Hint::lanes_not_in_lock_step;
  }
  return both_write ? Hint::threads_write_the_same : Hint::barrier_between_write_and_read;
}

std::string describe(const Race& race) { return what(race) + cause(race); }

std::string describe_update(const Race& race) {
  return what(race) +
         ". Both read the element, change it and write it back, so one of the changes is lost, and no "
         "barrier helps: make it one atomic operation, such as atomicAdd()";
}

}  // namespace warplab::emulator::lens
