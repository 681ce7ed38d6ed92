#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "warplab_emulator/launch/launch.hpp"

namespace warplab::emulator {

/// In bytes, of every device.
inline constexpr std::size_t shared_static_limit = 48 * 1024;
/// The most that a block can have: 227 KiB unless WARPLAB_DEVICE has less.
inline constexpr std::size_t largest_shared_block_limit = 227 * 1024;
std::size_t shared_block_limit();

/// The shared memory of the block that one OS thread runs: static variables at the front, a
/// page that can't be touched, then dynamic memory that ends where another such page begins, so
/// that running past its end faults.
class SharedMemory {
 public:
  SharedMemory();
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;

  /// Lays out what `kernel` is known to use, with gaps between its variables or without, and points the
  /// calling thread's block at it.
  void prepare(const Launch& launch, const void* kernel, bool gaps = false);
  /// Poisons it for the next block.
  void poison_block();
  /// Fills what is left between the end of dynamic memory and the page that can't be touched, and the first
  /// byte there that a kernel has overwritten, or null.
  void guard_slack();
  const std::byte* overwritten_slack() const;
  /// Gives a variable that the kernel has not used before its place.
  void* place(int site, std::size_t bytes, std::size_t alignment, const char* name, const char* file,
              int line);

  /// Closes it: the block has ended, and an access by others is a fault. Opens it for the next.
  void close();
  void open();
  bool is_closed() const noexcept { return closed_; }

  enum class Region { none, static_variables, dynamic };
  /// Which of the two `address` is in, or just beyond. Async-signal-safe.
  Region region_of(const void* address) const noexcept;
  /// Whether the bytes are all in static variables, or all in dynamic memory.
  bool holds(const void* address, std::size_t bytes) const;
  std::size_t dynamic_bytes() const { return dynamic_bytes_; }
  const std::byte* dynamic_begin() const { return dynamic_; }
  /// Where the static variables end.
  std::size_t static_end() const { return end_; }
  struct Variable {
    const char* name;
    const std::byte* begin;
    std::size_t bytes;
  };
  /// The kernel's static variables that have a place.
  std::vector<Variable> variables() const;
  /// Between static and dynamic memory; it can't be touched.
  const std::byte* guard_page() const;
  /// All of it: static variables at the front.
  const std::byte* begin() const { return arena_; }
  static std::size_t bytes();
  /// Of the table that current_block.shared_slots points to.
  std::size_t slots_bytes() const { return slots_.size() * sizeof(void*); }

 private:
  const std::byte* dynamic_end() const;
  /// Gives the variables of `kernel` their known places. @param launched whose limits it takes
  void lay_out(const void* kernel, const void* launched);

  std::byte* arena_ = nullptr;
  std::byte* dynamic_ = nullptr;
  std::size_t dynamic_bytes_ = 0;
  std::size_t end_ = 0;  ///< of the static variables
  bool gaps_ = false, closed_ = false;
  const void* kernel_ = nullptr;    ///< whose layout it has
  std::uint64_t seen_changes_ = 0;  ///< of all layouts, when it was laid out
  const void* launched_ =
      nullptr;  ///< whose limits it has: the kernel, or the original of an instrumented one
  std::vector<void*> slots_;
  std::vector<int> used_;  ///< sites with a place
};

/// Why a launch of the kernel at `address` can't have so many bytes of dynamic shared memory, or "".
std::string shared_memory_problem(const void* address, std::size_t dynamic_bytes);

/// Bytes of static shared memory that the kernel at `address` is known to use: what
/// its launches so far have used.
std::size_t static_shared_bytes(const void* address);

/// Raises the dynamic limit of a kernel as cudaFuncSetAttribute does. @return false above
/// the device's limit.
bool allow_dynamic_shared(const void* address, std::size_t bytes);
std::size_t allowed_dynamic_shared(const void* address);
/// What was allowed for a kernel holds for other code that calls it.
void inherit_dynamic_limit(const void* code, const void* kernel);

}  // namespace warplab::emulator
