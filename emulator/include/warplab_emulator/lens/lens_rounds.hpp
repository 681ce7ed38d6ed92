#pragma once

#include <type_traits>

// How a GPU goes through a loop whose iterations nvcc can count where it begins. nvcc unrolls it; what
// remains has a loop of its own. Lanes that are in different parts of it at once ask memory apart from each
// other.

namespace warplab::emulator {

template <class... T>
inline constexpr bool lens_any_integer = (std::is_integral_v<T> || ...);

/// What the head of a loop says.
struct LensHead {
  bool reaches_end;         ///< `i <= to`
  bool goes_down;           ///< `--i`, `i -= step`
  bool starts_at_constant;  ///< of the source
  bool steps_by_constant;
  bool counts_by_integer;  ///< an integer that was constant before the loop changes with it
  bool ends_at_constant = false;
  bool runs_once_at_least = false;  ///< `do`
};

/// An iteration, estimated from its source.
struct LensIteration {
  int instructions;  ///< of the compiler's language, by which it unrolls first
  int machine_code;  ///< of four iterations, by which the assembler unrolls again
};

/// Parts of such a loop, as lens_mark() takes them.
struct LensRounds {
  enum Remainder : unsigned { none, first, last };
  static constexpr unsigned long long most_iterations = (1ull << 24) - 1;

  unsigned remainder = none;  ///< whether what remains comes first or last
  unsigned logarithm = 0;     ///< of how many iterations a round has
  unsigned by_sixteen = 0;    ///< whether as many rounds as possible are four at a time, and then two
  unsigned long long iterations = 0;

  constexpr unsigned long long packed() const {
    return iterations << 6 | by_sixteen << 5 | logarithm << 2 | remainder;
  }
  static constexpr LensRounds unpacked(unsigned long long bits) {
    return {static_cast<unsigned>(bits & 3), static_cast<unsigned>(bits >> 2 & 7),
            static_cast<unsigned>(bits >> 5 & 1), bits >> 6};
  }
};

/// What nvcc 13.0 makes of `for (V i = from; i < to; i += step)`, and of other loops that count so. The rules
/// were read off machine code of some 120 loops for sm_90.
/// @param asked how often the source asks to unroll it; 0 if it asks without a number, -1 if it does not
/// @return LensRounds, packed; 0 if it can't count the iterations or does not unroll
template <class V, class To, class Step>
constexpr unsigned long long lens_rounds(V from, To to, Step step, LensHead head, LensIteration body,
                                         int asked) noexcept {
  if constexpr (std::is_integral_v<V> && std::is_integral_v<To> && std::is_integral_v<Step>) {
    // Unsigned numbers may wrap, unless the end can't be stepped over, or is at least a step above 0.
    const bool is_constant = head.starts_at_constant && head.steps_by_constant;
    const bool is_far_from_0 =
        head.goes_down && head.ends_at_constant &&
        static_cast<long long>(to) >= static_cast<long long>(step) - 1 + head.reaches_end;
    const bool steps_wrap = std::is_unsigned_v<decltype(from + step)> &&
                            !(head.steps_by_constant && (step == 1 || is_far_from_0));
    const bool end_wraps = std::is_signed_v<V> && std::is_unsigned_v<decltype(from + to)>;
    if ((steps_wrap || end_wraps) && !is_constant) return 0;

    const auto begin = static_cast<unsigned long long>(from), end = static_cast<unsigned long long>(to);
    const auto by = static_cast<long long>(step);  // differences wrap to what they are, if they fit at all
    const auto way = static_cast<long long>((head.goes_down ? begin - end : end - begin) + head.reaches_end);
    if ((way <= 0 && !head.runs_once_at_least) || by <= 0) return 0;
    LensRounds rounds;
    rounds.iterations = way <= 0 ? 1 : static_cast<unsigned long long>((way - 1) / by + 1);
    if (rounds.iterations > LensRounds::most_iterations) return 0;

    constexpr int most_instructions = 213;  // of a round
    const int often = asked > 0 ? asked : body.instructions * 4 <= most_instructions ? 4 : 2;
    if (asked <= 0 && body.instructions * often > most_instructions) return 0;
    if ((often & (often - 1)) != 0 || often > 128) return 0;
    while (1 << rounds.logarithm < often) ++rounds.logarithm;
    if (rounds.logarithm == 0) return 0;

    const bool ends_with_rest = head.starts_at_constant || head.counts_by_integer;
    rounds.remainder = ends_with_rest ? LensRounds::last : LensRounds::first;
    rounds.by_sixteen =
        asked < 0 && often == 4 &&
        (ends_with_rest ? (sizeof(V) <= 4 || !head.starts_at_constant) && body.machine_code <= 43
                        : head.steps_by_constant && body.machine_code <= 40);
    return rounds.packed();
  }
  return 0;
}

}  // namespace warplab::emulator
