#pragma once

#include <vector>

// Keys whose order is decided while a kernel compares them. Kernels of the emulator can ask host code.

namespace warplab::emulator {

/// Forgets all keys. The keys 0 to count - 1 are undecided from now on.
///
/// An undecided key comes after every key that has a place. Where two undecided keys are compared, one of
/// them gets the next place. It is the one that looks like the pivot of a quicksort, so the pivot comes
/// before nearly all others. The answers always fit one order, whatever is asked.
/// Source: M. D. McIlroy, "A killer adversary for quicksort", Software: Practice and Experience 29(4), 1999.
void begin_undecided_keys(int count);

/// Which key comes first, for any thread of any kernel. Numbers that are not keys have a fixed place:
/// negative ones come first and larger ones last, in the order of their values.
/// @return below 0 if `a` comes before `b`, 0 if they are one key, above 0 otherwise
int compare_undecided_keys(int a, int b) noexcept;

/// Ends the game: every key that is still undecided gets a place.
/// @return (count) the place of each key: a permutation of 0 to count - 1
std::vector<int> places_of_undecided_keys();

}  // namespace warplab::emulator
