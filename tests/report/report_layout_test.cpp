// The pages as a browser lays them out: nothing sticks out of them, on a telephone, on a desk and on paper.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>

#include "report/command.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/pages/page_layout.hpp"

namespace warplab::report {
namespace {

namespace fs = std::filesystem;

using house::browser, house::replace_all, house::unfolded;

const fs::path results = fs::path(WARPLAB_SOURCE_DIR) / "results";

/// The page as it is printed: what holds on paper holds, what holds on a screen does not.
std::string as_printed(std::string page) {
  replace_all(page, "@media print{@page{margin:14mm}", "@media all{");
  replace_all(page, "@media screen", "@media not all");
  return page;
}

/// What sticks out of a report, which has two sections at least.
std::string overflow(const ScratchFolder& folder, const std::string& page, int width) {
  return house::overflow(folder.path(), page, width, 2);
}

struct Page {
  std::string name;
  std::vector<std::string> runs;
  bool published = false;
};

void PrintTo(const Page& page, std::ostream* out) { *out << page.name; }

class ReportLayout : public testing::TestWithParam<Page> {};

TEST_P(ReportLayout, FitsATelephoneADeskAndPaper) {
  if (browser().empty()) GTEST_SKIP() << "chromium is not installed";
  ReportOptions options;
  for (const std::string& run : GetParam().runs) {
    if (!fs::exists(results / run)) GTEST_SKIP() << "this tree has no run " << run;
    options.runs.push_back(results / run);
  }
  const ScratchFolder folder;
  options.out = folder / "report.html";
  options.published = GetParam().published;
  write_report(options);
  const std::string page = unfolded(content_of(folder / "report.html"));
  EXPECT_EQ(overflow(folder, page, 390), "");
  EXPECT_EQ(overflow(folder, page, 1280), "");
  ASSERT_NE(as_printed(page), page);
  // A4 less its margins: 182 mm.
  EXPECT_EQ(overflow(folder, as_printed(page), 688), "");
}

INSTANTIATE_TEST_SUITE_P(Pages, ReportLayout,
                         testing::Values(Page{"Timed", {"h100-80gb-hbm3"}}, Page{"TimedBefore", {"h200"}},
                                         Page{"Counted", {"emulator-lens"}},
                                         Page{"Compared", {"h100-80gb-hbm3-published", "h200-published"}},
                                         Page{"Published", {"h100-80gb-hbm3-published"}, true}),
                         [](const testing::TestParamInfo<Page>& page) { return page.param.name; });

TEST(ReportLayout, ProbeSeesWhatSticksOut) {
  if (browser().empty()) GTEST_SKIP() << "chromium is not installed";
  const ScratchFolder folder;
  const std::string sections = "<section>a</section><section>b</section>";
  EXPECT_EQ(overflow(folder, "<!DOCTYPE html><body>" + sections, 390), "");
  EXPECT_EQ(overflow(folder, "<!DOCTYPE html><body><section>a</section>", 390), "no sections");
  EXPECT_EQ(house::overflow(folder.path(), "<!DOCTYPE html><body><p> </p>", 390), "the page is empty");
  EXPECT_NE(overflow(folder, "<!DOCTYPE html><body>" + sections + "<p style='width:600px'>wide</p>", 390),
            "");
  const std::string wide =
      "<div class='scroll' style='overflow-x:auto'><p style='width:1400px'>wide</p></div>";
  EXPECT_EQ(overflow(folder, "<!DOCTYPE html><body>" + sections + wide, 390), "");
  EXPECT_NE(overflow(folder, "<!DOCTYPE html><body>" + sections + wide, 1280), "");
  const auto chart = [&](int y) {
    return "<!DOCTYPE html><body>" + sections +
           fmt::format("<svg class='chart'><text y='40'>one</text><text y='{}'>two</text></svg>", y);
  };
  EXPECT_EQ(overflow(folder, chart(60), 390), "");
  EXPECT_EQ(overflow(folder, chart(45), 390), "one lies upon two in ");
}

}  // namespace
}  // namespace warplab::report
