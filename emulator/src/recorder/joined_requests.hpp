#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/src/recorder/group.hpp"

namespace warplab::emulator::lens {

/// An instruction, or the copy of it that unrolling has made for a turn of a loop.
struct CodePlace {
  std::uint32_t code = 0;
  std::uint16_t place = 0;  ///< of its Body
  auto operator<=>(const CodePlace&) const = default;
};

/// Instructions of a launch that ask for neighbouring elements, and whether they always do. Where one of
/// `s[i] + s[i + d]` is beside the other only for some d, nvcc can't join them; nor where the first of
/// `s[i] + s[i + 1]` is at a multiple of 8 bytes only for some i. But of `s[3 * i] + s[3 * i + 1]` it knows
/// each turn of a loop that it unrolls.
class Neighbours {
 public:
  /// Two instructions of straight-line code were seen one after the other.
  /// @param distance of their elements. @param place of the first in a piece of four elements, from 0 to 3
  void note(CodePlace first, CodePlace second, std::uint64_t distance, unsigned place);
  /// How many elements the pieces have in which one is always beside the other: 4, 2, or 1 if in none.
  unsigned width(CodePlace first, CodePlace second) const;

 private:
  struct Pair {
    std::uint64_t distance = 0;
    unsigned place = 0;
    unsigned width = 4;
  };
  static std::uint64_t key(CodePlace first, CodePlace second) {
    const auto number = [](CodePlace p) { return std::uint64_t{p.code} << 16 | p.place; };
    return mix(mix(number(first), 1), number(second));  // of which the order counts
  }
  std::unordered_map<std::uint64_t, Pair> pairs_;
};

/// Requests that are one if the end of a launch shows that their instructions always ask for neighbours, or
/// that they are the two ways of `c ? a[i] : b[i]`.
struct UncertainJoin {
  bool are_ways = false;
  std::vector<CodePlace> places;
  std::vector<Group> apart, joined;
  std::vector<Group> by_two;  ///< joined to pieces of two elements at most
};

/// Joins what the lanes of one warp ask of neighbouring elements, as nvcc does where it knows how they are
/// aligned: in arrays of shared and local memory, in those of constant memory in unrolled loops, and in
/// structures of global memory. Elements of two to eight bytes of a thread that lie in one aligned piece of
/// 16 bytes (of constant memory 8), four at most, are one access where straight-line code asks for them and
/// nothing between that may change what it means: no store between loads and no load between stores. Loops
/// that it unrolls make straight-line code, see Lane::body. The rules were read off the machine code of
/// nvcc 13.0 for sm_90. What it knows only by its analysis is taken from the addresses: that all lanes'
/// pieces are aligned.
class JoinedRequests {
 public:
  /// What nothing that comes later can join any more.
  struct Ready {
    std::vector<Group> groups;
    std::vector<UncertainJoin> joins;
  };

  /// The next request of the warp. @return whether it is taken; else nothing can join it, and it comes after
  /// what is ready.
  /// @param alignment in bytes, that the compiler knows of what holds the elements; 1 if it knows none
  /// @param knows_turns whether it knows where each turn of an unrolled loop finds its elements
  bool add(const Group& group, std::uint32_t alignment, bool knows_turns, Neighbours& neighbours,
           Ready& ready);
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
    bool knows_turns = true;
    std::array<CodePlace, max_elements> place{};
    bool is_full() const { return taken == (1u << width / first.request.bytes) - 1; }
  };
  struct Seen {
    std::uint64_t address = 0;  ///< of the first lane
    CodePlace place;
    std::uint32_t mask = 0;
    std::uint16_t body = 0;
    EventKind kind = EventKind::branch;
  };

  static std::uint32_t width_of(const Group& group, std::uint32_t alignment);
  static CodePlace place_of(const Group& group, bool knows_turns);
  static bool joins(Run& run, const Group& group);
  static void close(const Run& run, Ready& ready);
  static std::vector<Group> joined(const Run& run, bool by_two = false);
  static Group part(const Run& run, unsigned first, unsigned elements);
  static bool is_one(const Run& run);
  void close_what_it_parts(EventKind kind, std::uint32_t alignment, Ready& ready);
  void close_all_of(EventKind kind, Ready& ready);
  void compare_with_seen(const Group& group, bool knows_turns, Neighbours& neighbours);

  std::vector<Run> runs_;  ///< from the oldest
  std::array<Seen, max_elements> seen_;
  std::size_t oldest_seen_ = 0;
};

}  // namespace warplab::emulator::lens
