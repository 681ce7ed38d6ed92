#include "reference/quicksort.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <type_traits>

namespace warplab::reference {

template <class T>
bool is_before(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return a < b;
  } else {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    if (std::isnan(a) || std::isnan(b))
      return std::isnan(a) && std::isnan(b) ? std::bit_cast<Bits>(a) < std::bit_cast<Bits>(b) : std::isnan(b);
    if (a == b) return std::signbit(a) && !std::signbit(b);  // only zeros differ here
    return a < b;
  }
}

template <class T>
void sort_keys(T* keys, std::int64_t n) {
  std::sort(keys, keys + n, is_before<T>);
}

template <class T>
bool quicksort_baseline(T* keys, std::int64_t n, int threads) {
  if (threads > 1) return false;
  if constexpr (std::is_integral_v<T>)
    std::sort(keys, keys + n);
  else
    std::sort(keys, keys + n, is_before<T>);
  return true;
}

namespace {

/// Three-way comparison of two keys, named by numbers: < 0, 0 or > 0.
template <class Compare>
int median(int a, int b, int c, Compare& compare) {
  if (compare(b, a) < 0) std::swap(a, b);
  if (compare(c, b) < 0) b = compare(c, a) < 0 ? a : c;
  return b;
}

template <class Compare>
int pivot_of(PivotRule rule, const std::vector<int>& keys, int begin, int end, Compare& compare) {
  const auto at = [&](int i) { return keys[static_cast<std::size_t>(i)]; };
  const auto eighth = [&](int i) {
    return at(begin + static_cast<int>(static_cast<std::int64_t>(end - begin - 1) * i / 8));
  };
  const int middle = begin + (end - begin) / 2;
  switch (rule) {
    case PivotRule::first:
      return at(begin);
    case PivotRule::middle:
      return at(middle);
    case PivotRule::median_of_three:
      return median(at(begin), at(middle), at(end - 1), compare);
    case PivotRule::ninther:
      break;
  }
  const int a = median(eighth(0), eighth(1), eighth(2), compare),
            b = median(eighth(3), eighth(4), eighth(5), compare),
            c = median(eighth(6), eighth(7), eighth(8), compare);
  return median(a, b, c, compare);
}

/// The quicksort that adversaries play against.
template <class Compare>
QuicksortWork sort_by(PivotRule rule, std::vector<int>& keys, int base, Compare compare) {
  struct Range {
    int begin, end, level;
  };
  QuicksortWork work;
  std::vector<Range> ranges{{0, static_cast<int>(keys.size()), 0}};
  std::vector<int> left, right;
  while (!ranges.empty()) {
    const Range range = ranges.back();
    ranges.pop_back();
    work.levels = std::max(work.levels, range.level);
    if (range.end - range.begin <= base) continue;
    const int pivot = pivot_of(rule, keys, range.begin, range.end, compare);
    left.clear(), right.clear();
    for (int i = range.begin; i < range.end; ++i) {
      const int key = keys[static_cast<std::size_t>(i)], order = compare(key, pivot);
      ++work.comparisons;
      if (order != 0) (order < 0 ? left : right).push_back(key);
    }
    const int split = range.begin + static_cast<int>(left.size()),
              rest = range.end - static_cast<int>(right.size());
    std::copy(left.begin(), left.end(), keys.begin() + range.begin);
    std::fill(keys.begin() + split, keys.begin() + rest, pivot);
    std::copy(right.rbegin(), right.rend(), keys.begin() + rest);
    ranges.push_back({range.begin, split, range.level + 1});
    ranges.push_back({rest, range.end, range.level + 1});
  }
  return work;
}

}  // namespace

std::vector<int> killer_sequence(PivotRule rule, int n) {
  const int gas = n;  // larger than any value that is decided
  std::vector<int> value(static_cast<std::size_t>(n), gas), keys(static_cast<std::size_t>(n));
  std::iota(keys.begin(), keys.end(), 0);
  int decided = 0, candidate = 0;
  const auto compare = [&](int a, int b) {
    int &x = value[static_cast<std::size_t>(a)], &y = value[static_cast<std::size_t>(b)];
    if (a == b) return 0;
    if (x == gas && y == gas) (a == candidate ? x : y) = decided++;
    if (x == gas)
      candidate = a;
    else if (y == gas)
      candidate = b;
    return x - y;
  };
  sort_by(rule, keys, 16, compare);
  for (int& v : value)
    if (v == gas) v = decided++;
  return value;
}

QuicksortWork quicksort_work(PivotRule rule, std::vector<int> keys, int base) {
  return sort_by(rule, keys, base, [](int a, int b) { return a < b ? -1 : a > b ? 1 : 0; });
}

template bool is_before(int, int);
template bool is_before(float, float);
template bool is_before(double, double);
template void sort_keys(int*, std::int64_t);
template void sort_keys(float*, std::int64_t);
template void sort_keys(double*, std::int64_t);
template bool quicksort_baseline(int*, std::int64_t, int);
template bool quicksort_baseline(float*, std::int64_t, int);
template bool quicksort_baseline(double*, std::int64_t, int);

}  // namespace warplab::reference
