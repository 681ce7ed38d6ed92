#include "lens/finding.hpp"

#include <cstddef>

namespace warplab::lens {
namespace {

// In the order of the enumerators.
constexpr std::array kind_names = {"out of bounds",
                                   "use after free",
                                   "misaligned",
                                   "uninitialised read",
                                   "race",
                                   "divergent barrier",
                                   "deadlock",
                                   "host memory",
                                   "write to constant memory",
                                   "endless",
                                   "leak",
                                   "asynchronous copy",
                                   "proxy fence",
                                   "fault"};
static_assert(kind_names.size() == static_cast<std::size_t>(FindingKind::fault) + 1);

struct HintText {
  const char *name, *sentence;
};

// In the order of the enumerators. No sentence holds a number, or a name of the program's.
constexpr HintText hints[] = {
    {"none", ""},
    {"null_pointer", "was the pointer set, and did its cudaMalloc succeed?"},
    {"index_below_zero", "is an index negative, or an unsigned difference below zero?"},
    {"odd_vector_size", "is the size not a multiple of the vector type's?"},
    {"missing_guard",
     "is a guard such as `if (i < n)` missing, `<=` written for `<`, or are two indices exchanged?"},
    {"bytes_or_elements", "are bytes counted as elements, or is `* sizeof(...)` missing?"},
    {"another_threads_variable", "does a thread use the address of another thread's local variable?"},
    {"no_dynamic_shared_memory", "does the launch give the size of dynamic shared memory in bytes?"},
    {"pointer_outlives_memory", "does another copy of the pointer live on after cudaFree?"},
    {"pointer_to_host_memory", "is a pointer to host memory passed, perhaps as a member of a struct?"},
    {"constant_memory_is_read_only", "is a __constant__ variable written in a kernel?"},
    {"wider_type_at_odd_offset", "is the pointer cast to a wider type, at an odd offset?"},
    {"shared_memory_not_set",
     "is the part of shared memory beyond the tile's edge set, and by enough threads?"},
    {"global_memory_not_set", "is a cudaMemcpy or cudaMemset missing, or too short?"},
    {"fence_missing", "is a __threadfence() missing between the data and the flag that guards it?"},
    {"bulk_copy_not_ordered", "have all threads waited, at a barrier, before and after the bulk copy?"},
    {"atomic_and_plain_access", "is one access atomic and the other plain?"},
    {"blocks_write_the_same", "is blockIdx missing in the index, or should this be an atomic?"},
    {"blocks_run_in_any_order", "does a block rely on what another block writes in the same launch?"},
    {"lanes_write_the_same", "do lanes of a warp mean the same element, or should this be an atomic?"},
    {"lanes_not_in_lock_step", "is a __syncwarp() missing between the lanes of a warp?"},
    {"threads_write_the_same", "do two threads mean the same element, or should this be an atomic?"},
    {"barrier_between_write_and_read",
     "is a __syncthreads() missing between the write and the read, or at the end of a loop?"},
    {"update_is_not_atomic", "do threads read, change and write back one element without an atomic?"},
    {"proxy_fence_before_barrier",
     "does each thread that has stored execute fence.proxy.async before the barrier?"},
    {"copy_still_writes", "is the barrier of the copy waited for before its bytes are used?"},
    {"copy_still_reads", "is the copy waited for before its source is written again?"},
    {"barrier_not_reached_by_all",
     "does a branch or a return keep threads from a barrier that all must reach?"},
    {"threads_wait_for_each_other", "do threads wait in different places, each for the others?"},
    {"loop_never_ends", "does a loop never end, or does a thread wait for what never happens?"},
    {"memory_never_freed", "is a cudaFree missing, or the pointer overwritten or lost?"},
};
static_assert(std::size(hints) == static_cast<std::size_t>(Hint::memory_never_freed) + 1);

}  // namespace

const char* name_of(FindingKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::optional<FindingKind> finding_kind(std::string_view name) {
  for (std::size_t i = 0; i < kind_names.size(); ++i)
    if (name == kind_names[i]) return static_cast<FindingKind>(i);
  return std::nullopt;
}

const char* name_of(Hint hint) { return hints[static_cast<std::size_t>(hint)].name; }

std::optional<Hint> hint_of(std::string_view name) {
  for (std::size_t i = 0; i < std::size(hints); ++i)
    if (name == hints[i].name) return static_cast<Hint>(i);
  return std::nullopt;
}

const char* text_of(Hint hint) { return hints[static_cast<std::size_t>(hint)].sentence; }

}  // namespace warplab::lens
