// No document of the site sticks out of a telephone or a desk.
#include <cstdlib>

#include "tests/common/today.hpp"
#include "tests/house/site.hpp"
#include "tests/pages/page_layout.hpp"

namespace warplab::house {
namespace {

/// A page is laid out on one day of so many.
const std::size_t days = std::getenv("WARPLAB_ALL_PAGES") ? 1 : 6;

TEST_F(Site, FitsATelephoneAndADesk) {
  if (browser().empty()) GTEST_SKIP() << "no browser is installed";
  std::size_t number = 0, shown = 0;
  for (const auto& [name, page] : pages_) {
    if (!is_document(name) || !is_todays(number++, days)) continue;
    ++shown;
    for (const int width : {390, 1280})
      EXPECT_EQ(overflow_of_file(*folder_ / "html", name, width), "") << name << " at " << width;
  }
  EXPECT_GT(shown, 40 / days);
}

}  // namespace
}  // namespace warplab::house
