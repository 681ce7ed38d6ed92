// How good the bounds of times are, against the times of committed runs. The floors are what was reached.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/bounds/validation.hpp"

namespace warplab::bounds {
namespace {

const std::vector<TimedCase>& cases() {
  static const std::vector<TimedCase> all = timed_cases(WARPLAB_SOURCE_DIR);
  return all;
}

double share(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

TEST(Bounds, NoneIsAboveTheMeasuredTime) {
  for (const TimedCase& one : cases())
    if (one.bounds) {
      EXPECT_LE(one.share(), 1 + tolerance) << one.run << ", " << one.name << ": by " << one.bounds->limit();
    }
}

TEST(Bounds, MoreThanHalfAreAtLeastHalfOfTheTime) {
  const Figures figures = figures_of(cases());
  EXPECT_GE(share(figures.within_two, figures.cases), 0.7);
}

TEST(Bounds, OrderMostPairsOfALadderRightly) {
  const Figures figures = figures_of(cases());
  EXPECT_GE(share(figures.in_order, figures.pairs), 0.91);
}

TEST(Bounds, AreThereForMostRungs) {
  const Figures figures = figures_of(cases());
  EXPECT_GE(share(figures.cases, figures.cases + figures.left_out), 0.92);
  for (const TimedCase& one : cases()) EXPECT_NE(one.bounds.has_value(), !one.why.empty()) << one.name;
}

TEST(Bounds, ThePageIsTheirs) {
  std::ifstream file(std::string(WARPLAB_SOURCE_DIR) + "/docs/lens-bounds.md");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), page(cases()))
      << "make it again: cmake --build --preset emulator --target bounds_page";
}

TEST(Figures, CountWhatTheirNamesSay) {
  const auto timed = [](const char* ladder, double measured, double bound) {
    return TimedCase{"run", "name", ladder, measured, lens::Bounds{bound, {}}, ""};
  };
  const Figures figures = figures_of({timed("a", 10, 10.2),
                                      timed("a", 20, 8),
                                      timed("a", 40, 42),
                                      timed("b", 1, 1),
                                      {"run", "name", "a", 5, std::nullopt, "not counted"}});
  EXPECT_EQ(figures.cases, 4u);
  EXPECT_EQ(figures.left_out, 1u);
  EXPECT_EQ(figures.too_high, 1u);
  EXPECT_DOUBLE_EQ(figures.highest, 1.05);
  EXPECT_EQ(figures.within_two, 3u);
  EXPECT_EQ(figures.pairs, 3u);
  EXPECT_EQ(figures.in_order, 2u);
}

}  // namespace
}  // namespace warplab::bounds
