#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/src/recorder/group.hpp"

namespace warplab::emulator::lens {

/// Instructions of a launch that ask for neighbouring elements, and whether they always do. Where one of
/// `s[i] + s[i + d]` is beside the other only for some d, nvcc can't join them; nor where the first of
/// `s[i] + s[i + 1]` is at a multiple of 8 bytes only for some i.
class Neighbours {
 public:
  /// Two instructions of straight-line code were seen one after the other.
  /// @param distance of their elements. @param place of the first in a piece of two elements
  void note(std::uint32_t first, std::uint32_t second, std::uint64_t distance, std::uint64_t place);
  bool are_always(std::uint32_t first, std::uint32_t second) const;

 private:
  struct Pair {
    std::uint64_t distance = 0, place = 0;
    bool varies = false;
  };
  static std::uint64_t key(std::uint32_t first, std::uint32_t second) {
    return std::uint64_t{first} << 32 | second;
  }
  std::unordered_map<std::uint64_t, Pair> pairs_;
};

/// Requests that are one if the end of a launch shows that their instructions always ask for neighbours, or
/// that they are the two ways of `c ? a[i] : b[i]`: on one line of the source.
struct UncertainJoin {
  bool are_ways = false;
  std::vector<std::uint32_t> codes;
  std::vector<Group> apart, joined;
};

/// Joins what the lanes of one warp ask of neighbouring elements, as nvcc does where it knows how they are
/// aligned: in arrays of shared memory, in those of constant memory in unrolled loops, and in structures of
/// global memory. Elements of two to eight bytes of a thread that lie in one aligned piece of 16 bytes (of
/// constant memory 8), four at most, are one access where straight-line code asks for them and nothing
/// between that may change what it means: no store between loads and no load between stores. Loops that it
/// unrolls make straight-line code, see Lane::body. The rules were read off the machine code of nvcc 13.0 for
/// sm_90. What it knows only by its analysis is taken from the addresses: that all lanes' pieces are aligned.
class JoinedRequests {
 public:
  /// What nothing that comes later can join any more.
  struct Ready {
    std::vector<Group> groups;
    std::vector<UncertainJoin> joins;
  };

  /// Takes the next request of the warp.
  /// @param alignment in bytes, that the compiler knows of what holds the elements; 1 if it knows none
  void add(const Group& group, std::uint32_t alignment, Neighbours& neighbours, Ready& ready);
  /// The warp has waited for others, or has ended.
  void close(Ready& ready);

 private:
  static constexpr unsigned max_elements = 4;
  static constexpr std::size_t max_runs = 16;
  /// Requests for elements of one piece.
  struct Run {
    Group first;                  ///< with the addresses of the pieces
    std::uint32_t width = 0;      ///< bytes of a piece
    std::uint32_t taken = 0;      ///< a bit for each element that is asked for
    std::uint32_t positions = 0;  ///< a bit for each position that a request came from
    std::array<std::uint32_t, max_elements> code{};
    bool is_full() const { return taken == (1u << width / first.request.bytes) - 1; }
  };
  struct Seen {
    std::uint64_t address = 0;  ///< of the first lane
    std::uint32_t code = 0, mask = 0;
    std::uint16_t body = 0;
    EventKind kind = EventKind::branch;
  };

  static std::uint32_t width_of(const Group& group, std::uint32_t alignment);
  static bool joins(Run& run, const Group& group);
  static void close(const Run& run, Ready& ready);
  static std::vector<Group> joined(const Run& run);
  static Group part(const Run& run, unsigned first, unsigned elements);
  static bool is_one(const Run& run);
  void close_what_it_parts(EventKind kind, std::uint32_t alignment, Ready& ready);
  void close_all_of(EventKind kind, Ready& ready);
  void compare_with_seen(const Group& group, Neighbours& neighbours);

  std::vector<Run> runs_;  ///< from the oldest
  std::array<Seen, max_elements> seen_;
  std::size_t oldest_seen_ = 0;
};

}  // namespace warplab::emulator::lens
