#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplab::lens {

/// What kind of mistake a kernel makes.
enum class FindingKind : std::uint8_t {
  out_of_bounds,
  use_after_free,
  misaligned,
  uninitialised_read,
  race,
  divergent_barrier,
  deadlock,
  host_memory,
  write_to_constant_memory,
  endless,
  leak,
  asynchronous_copy,  ///< memory is touched on which an asynchronous copy still works
  proxy_fence,        ///< a fence is missing before an asynchronous copy
  fault               ///< any other error that ends a kernel
};

/// "out of bounds": the kind as reports and JSON name it.
const char* name_of(FindingKind kind);
/// The kind of that name, or nothing.
std::optional<FindingKind> finding_kind(std::string_view name);

/// The likely cause of a finding. Each has one fixed sentence, which holds nothing of the program that ran,
/// so that whoever may not see the input may read it.
enum class Hint : std::uint8_t {
  none,
  null_pointer,
  index_below_zero,
  odd_vector_size,
  missing_guard,
  bytes_or_elements,
  another_threads_variable,
  no_dynamic_shared_memory,
  pointer_outlives_memory,
  pointer_to_host_memory,
  constant_memory_is_read_only,
  wider_type_at_odd_offset,
  shared_memory_not_set,
  global_memory_not_set,
  fence_missing,
  bulk_copy_not_ordered,
  atomic_and_plain_access,
  blocks_write_the_same,
  blocks_run_in_any_order,
  lanes_write_the_same,
  lanes_not_in_lock_step,
  threads_write_the_same,
  barrier_between_write_and_read,
  update_is_not_atomic,
  proxy_fence_before_barrier,
  copy_still_writes,
  copy_still_reads,
  barrier_not_reached_by_all,
  threads_wait_for_each_other,
  loop_never_ends,
  memory_never_freed
};

/// The name of a hint in JSON: "missing_guard".
const char* name_of(Hint hint);
/// The hint of that name, or nothing.
std::optional<Hint> hint_of(std::string_view name);
/// "is a guard such as `if (i < n)` missing, ...?": the sentence of a hint; "" of none.
const char* text_of(Hint hint);

/// What is wrong with a kernel, and where.
struct Finding {
  FindingKind kind = FindingKind::fault;
  std::string kernel;
  std::array<unsigned, 3> block{}, thread{};
  std::string file;
  int line = 0;
  /// Whether file and line are what the code says of itself, such as the arguments of a barrier. Otherwise
  /// they come from the line table of what was compiled.
  bool place_is_claimed = false;
  std::string text;         ///< one or two sentences for people: what happened, and the likely cause
  Hint hint = Hint::none;   ///< the likely cause
  std::uint64_t times = 1;  ///< how often it was seen at this place
};

}  // namespace warplab::lens
