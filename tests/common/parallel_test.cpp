// Work that is divided between the cores, also where the system gives no threads for it.
#include "common/host/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "tests/common/no_more_threads.hpp"

namespace warplab {
namespace {

constexpr std::int64_t count = 1 << 20;

/// How often each element was in a range.
std::vector<int> visits() {
  std::vector<int> times(count);
  parallel_ranges(count, [&](std::int64_t begin, std::int64_t end, unsigned) {
    for (std::int64_t i = begin; i < end; ++i) ++times[static_cast<std::size_t>(i)];
  });
  return times;
}

TEST(Parallel, EachElementIsInOneRange) { EXPECT_EQ(visits(), std::vector<int>(count, 1)); }

TEST(Parallel, TheCallingThreadDoesWhatNoThreadIsLeftFor) {
  const test::NoMoreThreads none;
  EXPECT_EQ(visits(), std::vector<int>(count, 1));
}

TEST(Parallel, AnExceptionOfAnyRangeIsRethrown) {
  EXPECT_THROW(parallel_ranges(count,
                               [](std::int64_t, std::int64_t end, unsigned) {
                                 if (end == count) throw std::runtime_error("the last range");
                               }),
               std::runtime_error);
}

}  // namespace
}  // namespace warplab
