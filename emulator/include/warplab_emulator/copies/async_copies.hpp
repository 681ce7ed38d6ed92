#pragma once

#include <cstddef>

#include "warplab_emulator/block/thread.hpp"

// Asynchronous copies, as the instruction cp.async makes them. The source is read when a copy is issued, and
// the destination holds poison until the copy lands: when somebody waits for it, and not before.

namespace warplab::emulator {

// --- What the runtime does. Every thread has copies of its own: open ones, and groups of closed ones. ---

namespace header_calls {  // see lens_markers.hpp
/// Takes `bytes` bytes, at most 16, that will be written to `to`. @param from where they were read
void issue_copy(void* to, const void* data, const void* from, unsigned bytes);
/// The same of a copy that reads only `of_memory` of them; the others are zeros.
void issue_padded_copy(void* to, const void* data, const void* from, unsigned bytes, unsigned of_memory);
}  // namespace header_calls
/// Closes the group of the copies issued since the last one.
void commit_copies();
/// Lands all groups but the last `but`.
void await_copies(std::size_t but);
/// The open copies land when the present phase of the barrier ends; see phase_barrier.hpp.
void bind_copies(unsigned long long* barrier);
/// The same for all copies of the thread that have not landed, open or in groups.
void bind_all_copies(unsigned long long* barrier);

/// Whether the address is in the shared memory of the calling thread's block.
bool is_shared(const void* address) noexcept;

// --- What is compiled with the kernel, so that its reads are seen as the thread's own. ---

/// The type by which so many bytes are copied in one access; it may alias anything.
template <unsigned bytes>
struct Piece;
template <>
struct Piece<1> {
  typedef unsigned char __attribute__((may_alias)) type;
};
template <>
struct Piece<2> {
  typedef unsigned short __attribute__((may_alias)) type;
};
template <>
struct Piece<4> {
  typedef unsigned __attribute__((may_alias)) type;
};
template <>
struct Piece<8> {
  typedef unsigned long long __attribute__((may_alias)) type;
};
template <>
struct Piece<16> {
  typedef unsigned long long __attribute__((vector_size(16), may_alias)) type;
};

/// Reads `bytes` bytes in one access.
template <unsigned bytes>
[[gnu::always_inline]] inline typename Piece<bytes>::type read_piece(const void* from) {
  return *static_cast<const typename Piece<bytes>::type*>(from);
}

/// Issues the pieces rank, rank + count, ... of a copy. `end(to, piece, from, bytes)` takes each.
template <unsigned bytes, class End>
[[gnu::always_inline]] inline void issue_pieces(std::size_t rank, std::size_t count, void* to,
                                                const void* from, std::size_t size, End end) {
  for (std::size_t at = rank * bytes; at < size; at += count * bytes) {
    const char* const place = static_cast<const char*>(from) + at;
    const auto piece = read_piece<bytes>(place);
    end(static_cast<char*>(to) + at, &piece, place, bytes);
  }
}

/// Issues the share of one of `count` threads in a copy, in the largest pieces that `alignment` allows.
template <class End>
[[gnu::always_inline]] inline void issue_share(std::size_t rank, std::size_t count, void* to,
                                               const void* from, std::size_t size, std::size_t alignment,
                                               End end) {
  const std::size_t fits = (alignment | size) & (0 - (alignment | size));  // the largest power of two in both
  if (fits >= 16) return issue_pieces<16>(rank, count, to, from, size, end);
  if (fits == 8) return issue_pieces<8>(rank, count, to, from, size, end);
  if (fits == 4) return issue_pieces<4>(rank, count, to, from, size, end);
  if (fits == 2) return issue_pieces<2>(rank, count, to, from, size, end);
  issue_pieces<1>(rank, count, to, from, size, end);
}

/// The alignment, at most 16, that both addresses have.
inline std::size_t common_alignment(const void* a, const void* b) {
  const std::size_t bits = reinterpret_cast<std::size_t>(a) | reinterpret_cast<std::size_t>(b) | 16;
  return bits & (0 - bits);
}

}  // namespace warplab::emulator
