#pragma once

#include <cstdint>
#include <vector>

namespace warplab::reference {

/// Whether a must come before b in lab 11: numbers by their value, -0 before +0, all NaNs after all numbers,
/// and NaNs by their bits as unsigned integers. Two keys of which neither is before the other have the same
/// bits. T = int, float or double.
template <class T>
bool is_before(T a, T b);

/// Sorts n keys in host memory in that order: the oracle.
template <class T>
void sort_keys(T* keys, std::int64_t n);

/// The CPU baseline, compiled with -O3: std::sort by `<`
/// for int, else by is_before().
/// @return false, with the keys untouched, if more than one thread was asked for
template <class T>
bool quicksort_baseline(T* keys, std::int64_t n, int threads);

/// Where a quicksort of [begin, end) takes its pivot from.
enum class PivotRule {
  first,
  middle,           ///< begin + (end - begin) / 2
  median_of_three,  ///< of first, middle and last
  ninther  ///< the median of three medians of three, begin + (end - begin - 1) * i / 8 for i = 0 to 8
};

/// A permutation of 0 .. n - 1 at which a quicksort of that rule cuts off a few keys per level: about n^2 / 4
/// comparisons or more. It is made by playing against a quicksort that keeps the order of the keys that go
/// left, and reverses that of the others: what a key is gets decided only when that hurts most. Source: M. D.
/// McIlroy, "A killer adversary for quicksort", Software: Practice and Experience 29(4), 1999.
std::vector<int> killer_sequence(PivotRule rule, int n);

/// How many comparisons with pivots and how many levels that quicksort takes, down to ranges of `base` keys.
struct QuicksortWork {
  std::int64_t comparisons = 0;
  int levels = 0;
};
QuicksortWork quicksort_work(PivotRule rule, std::vector<int> keys, int base);

}  // namespace warplab::reference
