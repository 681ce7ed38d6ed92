// The pages as a browser lays them out: nothing sticks out of them, on a telephone, on a desk and on paper.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>

#include "report/command.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab::report {
namespace {

namespace fs = std::filesystem;

const fs::path results = fs::path(WARPLAB_SOURCE_DIR) / "results";

std::string chromium() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
    if (house::run(std::string("command -v ") + name).exit_code == 0) return name;
  return "";
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// The page as it is printed: what holds on paper holds, what holds on a screen does not.
std::string as_printed(std::string page) {
  replace_all(page, "@media print{@page{margin:14mm}", "@media all{");
  replace_all(page, "@media screen", "@media not all");
  return page;
}

/// All that can be unfolded, unfolded.
std::string unfolded(std::string page) {
  replace_all(page, "<details>", "<details open=\"open\">");
  return page;
}

/// A page that shows another in a frame of this width and writes what sticks out of it into its body: of the
/// whole, each element that no scrolling box holds, texts of a chart that lie upon each other, and on a desk
/// tables that must be scrolled.
std::string probe(const std::string& file, int width) {
  return fmt::format(
      R"(<!DOCTYPE html><meta charset="utf-8"><body><iframe style="border:0;width:{0}px;height:900px"></iframe>
<script>
const frame = document.querySelector('iframe');
frame.onload = () => {{
  const page = frame.contentDocument, root = page.documentElement, out = [];
  if (page.querySelectorAll('section').length < 2) out.push('no sections');
  if (root.scrollWidth > {0}) out.push('the page is ' + root.scrollWidth + ' wide');
  for (const element of page.body.querySelectorAll('*')) {{
    const box = element.getBoundingClientRect();
    if (box.width === 0 || element.closest('.marks, defs')) continue;
    let holder = element.parentElement;
    while (holder && getComputedStyle(holder).overflowX === 'visible') holder = holder.parentElement;
    const held = holder && holder !== root && holder !== page.body && !holder.closest('svg');
    if (!held && (box.right > {0} + 1 || box.left < -1))
      out.push(element.tagName + ' ' + (element.className.baseVal ?? element.className) + ' ends at ' + box.right + ': ' + element.textContent.slice(0, 40));
  }}
  // A table need not be scrolled on a desk, but for one of source lines or of more than 8 columns.
  for (const box of page.querySelectorAll('.scroll'))
    if ({0} >= 1000 && !box.querySelector('.map, td.code, th:nth-child(9)') && box.scrollWidth > box.clientWidth + 1)
      out.push('a table is ' + box.scrollWidth + ' wide in ' + box.clientWidth + ': ' + box.textContent.slice(0, 60));
  for (const chart of page.querySelectorAll('svg.chart')) {{
    const texts = [...chart.querySelectorAll('text')].filter(text => text.textContent.trim());
    const boxes = texts.map(text => text.getBoundingClientRect());
    for (let i = 0; i < texts.length; ++i)
      for (let j = 0; j < i; ++j) {{
        const across = Math.min(boxes[i].right, boxes[j].right) - Math.max(boxes[i].left, boxes[j].left);
        const down = Math.min(boxes[i].bottom, boxes[j].bottom) - Math.max(boxes[i].top, boxes[j].top);
        if (across > 2 && down > 5) out.push(texts[j].textContent.trim() + ' lies upon ' + texts[i].textContent.trim() + ' in ' + (chart.getAttribute('aria-label') ?? ''));
      }}
  }}
  document.body.textContent = 'PROBE[' + out.slice(0, 5).join('; ') + ']';
}};
frame.src = '{1}';
</script></body>)",
      width, file);
}

/// What sticks out; "" if nothing does.
std::string overflow(const ScratchFolder& folder, const std::string& page, int width) {
  folder.write("page.html", page);
  const fs::path file = folder.write("probe.html", probe("page.html", width));
  const auto shown = house::run(fmt::format(
      "timeout 100 {} --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
      "--disable-background-networking "
      "--disable-component-update --disable-sync --allow-file-access-from-files --virtual-time-budget=5000 "
      "--user-data-dir={} --dump-dom file://{} 2>/dev/null",
      chromium(), (folder / "profile").string(), file.string()));
  const std::size_t begin = shown.output.rfind("PROBE["), end = shown.output.rfind(']');
  if (begin == std::string::npos || end < begin)
    return "the browser did not answer: " + shown.output.substr(0, 300);
  return shown.output.substr(begin + 6, end - begin - 6);
}

struct Page {
  std::string name;
  std::vector<std::string> runs;
  bool published = false;
};

void PrintTo(const Page& page, std::ostream* out) { *out << page.name; }

class ReportLayout : public testing::TestWithParam<Page> {};

TEST_P(ReportLayout, FitsATelephoneADeskAndPaper) {
  if (chromium().empty()) GTEST_SKIP() << "chromium is not installed";
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
  if (chromium().empty()) GTEST_SKIP() << "chromium is not installed";
  const ScratchFolder folder;
  const std::string sections = "<section>a</section><section>b</section>";
  EXPECT_EQ(overflow(folder, "<!DOCTYPE html><body>" + sections, 390), "");
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
