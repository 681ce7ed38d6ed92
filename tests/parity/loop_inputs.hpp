#pragma once

#include <vector>

#include "tests/parity/parity.hpp"

namespace warplab::parity {

constexpr int count = 200;  ///< lanes, of which lane i goes round trips[i] times

/// Runs kernel(trips, in, out, n) and expects expected(trips[i], the row of 16 numbers of lane i).
template <class Kernel, class Expected>
static void run_loop(Kernel kernel, Expected expected) {
  const auto trips = numbers<int>(count, 12, 5), values = numbers<int>(16 * count, 50);
  const Array<int> in_trips(trips), in(values), out(count, -1);
  kernel<<<3, 80>>>(in_trips, in, out, count);
  expect_equal(out, [&](std::size_t i) { return expected(trips[i], &values[16 * i]); });
}

inline int sum_of(int trips, const int* row) {
  int sum = 0;
  for (int k = 0; k < trips; ++k) sum += row[k];
  return sum;
}

}  // namespace warplab::parity
