// The pages of results: what they say, what they never do, and what they are refused for.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <regex>

#include "common/host/bad_input.hpp"
#include "common/io/image_file.hpp"
#include "report/charts/base64.hpp"
#include "report/charts/chart.hpp"
#include "report/command.hpp"
#include "report/html/html.hpp"
#include "report/results/number_text.hpp"
#include "report/run/block_shapes.hpp"
#include "report/run/lab_view.hpp"
#include "report/run/run_page.hpp"
#include "tests/common/command.hpp"
#include "tests/common/markup.hpp"
#include "tests/common/unnamed_parts.hpp"
#include "tests/report/made_run.hpp"

namespace warplab::report {
namespace {

namespace fs = std::filesystem;
using Loaded = Run;  // within a test, Run is GoogleTest's

const fs::path source = WARPLAB_SOURCE_DIR;

/// The numbers in the first element that begins with `start`.
std::vector<double> numbers_of(const std::string& drawing, const std::string& start) {
  std::vector<double> numbers;
  const std::size_t from = drawing.find(start);
  if (from == std::string::npos) return numbers;
  const std::string element =
      drawing.substr(from + start.size(), drawing.find('>', from) - from - start.size());
  static const std::regex number("-?[0-9]+[.][0-9]+");
  for (std::sregex_iterator at(element.begin(), element.end(), number), end; at != end; ++at)
    numbers.push_back(std::stod(at->str()));
  return numbers;
}

constexpr const char* hostile = "</td><script>alert(1)</script>\"'&amp;\x01";

// --- Markup ------------------------------------------------------------------------------------------------

TEST(Markup, CheckerSeesWhatIsWrong) {
  EXPECT_EQ(malformed("<!DOCTYPE html>\n<a b=\"c\"><br/>x &amp; y</a>\n"), "");
  for (const char* wrong : {"<a>", "</a>", "<a></b>", "<a b=c></a>", "<a b></a>", "a & b", "a < b",
                            "<a b=\"<\"></a>", "&nbsp;", "\x01"})
    EXPECT_NE(malformed(wrong), "") << wrong;
}

TEST(Markup, EscapesAllThatMarkupReads) {
  EXPECT_EQ(escaped("<a href=\"x\">'&'</a>"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
  EXPECT_EQ(escaped("\x01\xff µ"), "?? µ");
}

// --- Which case a lab is judged by ------------------------------------------------------------------------

TEST(LabView, IsJudgedByTheLargestCaseThatHalfOfTheRungsRan) {
  const ScratchFolder folder;
  Json measurements = Json::array();
  for (const char* rung : {"naive", "tiled", "slow"}) measurements.push_back(measured(rung, 1000, 0.1));
  for (const char* rung : {"naive", "tiled"}) measurements.push_back(measured(rung, 100000, 1));
  measurements.push_back(measured("tiled", 1000000, 10));
  const Loaded run = run_of(folder, results_of(measurements));
  const LabView view = view_of(run, "turn");
  EXPECT_EQ(view.main_case().text, "1000 float");
  EXPECT_EQ(view.headline_case().text, "100000 float");
}

TEST(Base64, IsThatOfTheStandard) {
  for (const auto& [plain, text] : {std::pair{"", ""},
                                    {"f", "Zg=="},
                                    {"fo", "Zm8="},
                                    {"foo", "Zm9v"},
                                    {"foob", "Zm9vYg=="},
                                    {"fooba", "Zm9vYmE="},
                                    {"foobar", "Zm9vYmFy"}})
    EXPECT_EQ(base64(plain), text);
}

TEST(NumberText, HasThreeOrFourDigitsAndAUnitThatSuits) {
  EXPECT_EQ(digits(2745.4), "2745");
  EXPECT_EQ(digits(458.84), "458.8");
  EXPECT_EQ(digits(0.1672), "0.167");
  EXPECT_EQ(time_text(0.00384), "3.84 µs");
  EXPECT_EQ(time_text(12.379), "12.4 ms");
  EXPECT_EQ(time_text(25744), "25.7 s");
  EXPECT_EQ(quantity(1048576), "1.05 M");
  EXPECT_EQ(quantity(64), "64");
}

// --- A run's page ------------------------------------------------------------------------------------------

TEST(RunPage, DrawsLadderScalingRooflineAndTransfers) {
  const ScratchFolder folder;
  const std::string page = run_page(run_of(folder, ladder()));
  EXPECT_EQ(malformed(page), "");
  EXPECT_EQ(unnamed_parts(page), "");
  // Each in two widths.
  EXPECT_EQ(times(page, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart wide\""), 4u);
  EXPECT_EQ(times(page, "class=\"chart narrow\""), 4u);
  for (const char* words : {"Scaling", "Roofline", "Transfers and the kernel", "2 tiled", "500.0 µs"})
    EXPECT_TRUE(says(page, words)) << words;
  EXPECT_FALSE(says(page, "rgb(")) << "a colour that does not follow the reader's mode";
}

TEST(Chart, DrawsBarsToScaleWithMarksAndAReference) {
  BarChart chart;
  chart.alt = "two <bars>";
  chart.axis = "GB/s";
  chart.reference = 100;
  chart.reference_text = "light";
  chart.groups = {{"slow", {{{{0, 25, bar}}, 12.5, "25"}}}, {"fast", {{{{0, 50, peer_bar}}, {}, "50"}}}};
  const std::string drawn = drawing_of(chart, 720).value().svg.elements();
  EXPECT_EQ(malformed("<svg>" + drawn + "</svg>"), "");
  const auto slow = numbers_of(drawn, "<rect class=\"bar\""),
             fast = numbers_of(drawn, "<rect class=\"peer\"");
  ASSERT_EQ(slow.size(), 4u) << "x, y, width, height";
  ASSERT_EQ(fast.size(), 4u);
  EXPECT_EQ(slow[0], fast[0]);
  EXPECT_LT(slow[1] + slow[3], fast[1]);
  EXPECT_NEAR(fast[2], 2 * slow[2], 0.02);
  const auto mark = numbers_of(drawn, "<line class=\"ideal bold\""),
             light = numbers_of(drawn, "<line class=\"light dashed\"");
  EXPECT_NEAR(mark.at(0), slow[0] + slow[2] / 2, 0.02);
  EXPECT_NEAR(light.at(0), slow[0] + 4 * slow[2], 0.03);
  EXPECT_TRUE(says(figure_html(chart, "below"), "aria-label=\"two &lt;bars&gt;\""));
}

TEST(Chart, DrawsCurvesOverLogarithmicAxes) {
  LineChart chart;
  chart.x_low = chart.y_low = 1;
  chart.x_high = chart.y_high = 100;
  chart.curves = {{{{1, 1}, {10, 10}, {100, 100}, {0, 5}}, first_series, false, true, 1}};
  chart.texts = {{{100, 100}, "end", ink}};
  const std::string drawn = drawing_of(chart, 340).value().svg.elements();
  EXPECT_EQ(malformed("<svg>" + drawn + "</svg>"), "");
  const auto at = numbers_of(drawn, "<path class=\"series0 curve\"");
  ASSERT_EQ(at.size(), 6u) << "0 has no place on such an axis";
  EXPECT_NEAR(at[2], (at[0] + at[4]) / 2, 0.02);
  EXPECT_NEAR(at[3], (at[1] + at[5]) / 2, 0.02);
  EXPECT_GT(at[1], at[5]) << "upwards";
  EXPECT_TRUE(says(drawn, ">10</text>"));
  EXPECT_TRUE(says(drawn, ">end</text>"));
}

TEST(Chart, IsLeftOutWithoutFiniteRanges) {
  LineChart lines;
  EXPECT_EQ(figure_html(lines, ""), "");
  lines.x_low = lines.y_low = 1, lines.x_high = 10, lines.y_high = std::numeric_limits<double>::infinity();
  EXPECT_EQ(figure_html(lines, ""), "");
  BarChart bars;
  bars.groups = {{"one", {{{{0, std::numeric_limits<double>::quiet_NaN(), bar}}, {}, ""}}}};
  EXPECT_FALSE(says(figure_html(bars, ""), "nan"));
}

TEST(RunPage, LoadsNothingAndRunsNothing) {
  const ScratchFolder folder;
  const std::string page = run_page(run_of(folder, ladder()));
  EXPECT_TRUE(says(page, "default-src 'none'"));
  EXPECT_FALSE(says(page, "<script"));
  for (const char* from : {"src=\"http", "href=\"http", "url(", "@import"})
    EXPECT_FALSE(says(page, from)) << from;
}

TEST(BlockShapes, AreThoseOfTheHandoutOfLab07) {
  std::vector<unsigned> sectors, wavefronts;
  for (const auto& shape : block_shapes) {
    const std::vector<Access> accesses = accesses_of_block(shape);
    sectors.push_back(accesses.at(0).sample.cost);
    wavefronts.push_back(accesses.at(1).sample.cost);
  }
  EXPECT_EQ(sectors, (std::vector<unsigned>{4, 4, 4, 8, 16, 32}));
  EXPECT_EQ(wavefronts, (std::vector<unsigned>{32, 16, 8, 4, 2, 1}));
}

TEST(BlockShapes, HaveAChoiceAndAPictureWithItsTextEach) {
  const std::string html = block_shapes_html();
  EXPECT_NE(html.find("id=\"block32x8\" checked=\"checked\"/><label for=\"block32x8\">32x8</label>"),
            std::string::npos);
  EXPECT_NE(html.find("alt=\"Blocks of 1x256. matrix[y][x] in global memory: 32 lanes load 4 bytes each from "
                      "global memory: 32 sectors, ideally 4. tile[x][y] in shared memory: 32 lanes load 4 "
                      "bytes each from shared memory: 1 wavefront.\""),
            std::string::npos);
  for (const auto* part : {"<input", "<label", "<figure><img"}) {
    std::size_t found = 0;
    for (std::size_t at = html.find(part); at != std::string::npos; at = html.find(part, at + 1)) ++found;
    EXPECT_EQ(found, block_shapes.size()) << part;
  }
}

// Most rungs have shapes of their own, which nobody asks for: what was launched decides.
TEST(BlockShapes, AreShownWhereARungRanInTwoDimensions) {
  const auto row_of = [](const char* key, const Json& value) {
    const ScratchFolder folder;
    Json one = measured("tiled", 1000, 1);
    one[key] = value;
    const Loaded run = run_of(folder, results_of({one}));
    EXPECT_EQ(says(run_page(run), "A block's shape"), ran_in_two_dimensions(run.rows.front()));
    return run.rows.front();
  };
  EXPECT_TRUE(ran_in_two_dimensions(row_of("params", {{"block", "32x8"}})));
  EXPECT_FALSE(ran_in_two_dimensions(row_of("params", {{"block", "256"}})));
  const auto counted = [](const Json& block) {
    return Json{{"launches", {{{"kernel", "first"}, {"block", {256, 1, 1}}}, {{"block", block}}}}};
  };
  EXPECT_TRUE(ran_in_two_dimensions(row_of("lens", counted({32, 8, 1}))));
  for (const Json& block : {Json{256, 1, 1}, Json(256), Json(nullptr)})
    EXPECT_FALSE(ran_in_two_dimensions(row_of("lens", counted(block)))) << block;
  EXPECT_TRUE(ran_in_two_dimensions(row_of("kernels", {{{"block", "256"}}, {{"block", "16x16"}}})));
  EXPECT_FALSE(ran_in_two_dimensions(row_of("kernels", Json::array({{{"block", "256"}}}))));
  EXPECT_FALSE(ran_in_two_dimensions(row_of("kernels", nullptr)));
}

TEST(RunPage, EscapesWhateverResultsHold) {
  const ScratchFolder folder;
  Json results = ladder();
  const std::string text = hostile;
  for (Json& m : results["measurements"]) {
    m["lab"] = m["rung"] = m["dtype"] = m["why"] = text;
    m["params"] = {{"block", text}, {text, text}};
    m["speed_of_light"]["what"] = text;
  }
  for (const char* key : {"command", "device", "driver", "flags", "commit", "date", "host"})
    results["run"][key] = text;
  folder.write("pictures/x.png", "");
  const std::string page = run_page(run_of(folder, results, "a\"b<c"));
  EXPECT_EQ(malformed(page), "");
  EXPECT_EQ(unnamed_parts(page), "");
  EXPECT_FALSE(says(page, "<script"));
  EXPECT_TRUE(says(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
}

TEST(RunPage, ShowsWhatIsMissingAsMissing) {
  const ScratchFolder folder;
  Json todo = {
      {"lab", "turn"}, {"rung", "tiled"}, {"status", "todo"}, {"why", "load the tile"}, {"time_ms", nullptr}};
  const Json odd = {{"lab", "odd"}, {"lens", {{"launches", "none"}}}}, bare = {{"lab", "odd"}};
  const std::string page = run_page(run_of(folder, results_of({todo, odd, bare})));
  EXPECT_EQ(malformed(page), "");
  EXPECT_EQ(unnamed_parts(page), "");
  for (const char* words : {"to do", "load the tile", "not measured", "not recorded"})
    EXPECT_TRUE(says(page, words)) << words;
}

TEST(RunPage, ShowsTheClockThatRungsWereTimedAt) {
  const ScratchFolder folder;
  const auto page = [&](const std::vector<Json>& gpus) {
    Json rows = Json::array();
    for (const Json& gpu : gpus) {
      rows.push_back(measured("naive", 1000, 2));
      rows.back()["gpu"] = gpu;
    }
    return run_page(run_of(folder, results_of(rows)));
  };
  const auto at = [](int mhz, const Json& power_w, const Json& temperature_c) {
    return Json{{"sm_clock_mhz", {{"median", mhz}}}, {"power_w", power_w}, {"temperature_c", temperature_c}};
  };
  EXPECT_TRUE(says(page({at(1980, 310, 48), nullptr, at(1755, 689.6, 61)}),
                   "1755 to 1980 MHz while rungs were timed; at most 690 W and 61 °C"));
  EXPECT_TRUE(says(page({at(1980, nullptr, 61)}), "1980 MHz while rungs were timed; at most 61 °C"));
  EXPECT_FALSE(says(page({nullptr}), "clock of the SMs"));
}

TEST(RunPage, ShowsPicturesInAndOut) {
  const ScratchFolder folder;
  const Loaded run = run_of(folder, ladder());
  folder.write("run/pictures/turn-scene-64x32.png", "in");
  folder.write("run/pictures/turn-mean-clamp-64x32.png", "out");
  folder.write("run/pictures/other-scene-64x32.png", "no");
  const std::string page = run_page(run);
  const std::size_t in = page.find(base64("in")), out = page.find(base64("out"));
  ASSERT_NE(in, std::string::npos);
  EXPECT_LT(in, out);
  EXPECT_EQ(times(page, "data:image/png"), 2u);
}

TEST(RunPage, ShowsALargePictureSmaller) {
  const ScratchFolder folder;
  const Loaded run = run_of(folder, ladder());
  constexpr std::int64_t height = 601, width = 1537, channels = 3, factor = 3;  // 1537 / 768, rounded up
  HostArray image(DType::u8, {height, width, channels});
  std::mt19937 random(1);
  for (std::uint8_t& value : image.as<std::uint8_t>()) value = static_cast<std::uint8_t>(random());
  folder.write("run/pictures/turn-scene-1537x601.png", png_of(image));
  folder.write("run/pictures/turn-mean-1537x601.png", png_of(image).substr(0, 2'000'000));  // cut off

  HostArray smaller(DType::u8, {height / factor, width / factor, channels});
  for (std::int64_t y = 0; y < height / factor; ++y)
    for (std::int64_t x = 0; x < width / factor; ++x)
      for (std::int64_t c = 0; c < channels; ++c) {
        double sum = 0;
        for (std::int64_t v = y * factor; v < (y + 1) * factor; ++v)
          for (std::int64_t u = x * factor; u < (x + 1) * factor; ++u)
            sum += image.as<std::uint8_t>()[static_cast<std::size_t>((v * width + u) * channels + c)];
        smaller.as<std::uint8_t>()[static_cast<std::size_t>((y * (width / factor) + x) * channels + c)] =
            static_cast<std::uint8_t>(std::lround(sum / (factor * factor)));
      }
  const std::string page = run_page(run);
  EXPECT_NE(page.find(base64(png_of(smaller))), std::string::npos);
  EXPECT_EQ(times(page, "data:image/png"), 1u);
  EXPECT_TRUE(says(page, "turn-mean-1537x601.png cannot be shown"));
}

TEST(RunPage, OpensNoFileOutsideOfTheTreeThatResultsName) {
  const ScratchFolder folder;
  const fs::path secret = folder.write("secret.txt", "the secret line\n");
  const Loaded real = read_run(source / "results/emulator-lens");
  Json lens;
  for (const Row& row : real.rows)
    if (row.lab == "transpose" && row.rung == "naive") lens = row.lens;
  ASSERT_FALSE(lens.is_null());
  for (Json& line : lens["launches"][0]["lines"]) line["file"] = secret.string(), line["line"] = 1;
  Json m = measured("naive", 64, 1);
  m["lens"] = lens;
  const std::string page = run_page(run_of(folder, results_of({m})));
  EXPECT_TRUE(says(page, "secret.txt:1"));
  EXPECT_FALSE(says(page, "the secret line"));
  EXPECT_FALSE(says(page, base64("the secret line").substr(0, 12)));
}

// The tree has gone on since: its lines are not those that were counted.
TEST(RunPage, QuotesLinesAsTheyWereWhenTheyWereCounted) {
  const ScratchFolder folder;
  const Loaded real = read_run(source / "results/emulator-lens");
  Json lens;
  for (const Row& row : real.rows)
    if (row.lab == "transpose" && row.rung == "tiled") lens = row.lens;
  ASSERT_FALSE(lens.is_null());
  Json& lines = lens["launches"][0]["lines"];
  ASSERT_EQ(lines.size(), 3u);
  int number = 0;
  for (Json& line : lines) line.erase("text"), line["line"] = ++number;
  lines[0]["text"] = "out[0] = in[old_index];";
  Json m = measured("naive", 64, 1);
  m["lens"] = lens;
  const std::string page = run_page(run_of(folder, results_of({m})));
  EXPECT_TRUE(says(page, "<code>out[0] = in[old_index];</code>"));
  EXPECT_TRUE(says(page, "transpose_tiled.cu:3</b> <code></code>"))
      << "a text that nobody kept is not quoted";
}

TEST(RunPage, OfEveryCommittedRunIsWellFormed) {
  int pages = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(source / "results")) {
    if (!fs::exists(entry.path() / "results.json") || entry.path().filename().string().starts_with("run-"))
      continue;
    SCOPED_TRACE(entry.path().filename());
    const std::string page = run_page(read_run(entry.path()));
    EXPECT_EQ(malformed(page), "");
    EXPECT_EQ(unnamed_parts(page), "");
    EXPECT_LT(page.size(), 8u << 20);
    ++pages;
  }
  if (pages == 0) GTEST_SKIP() << "this tree has no committed runs";
}

TEST(UnnamedParts, AreFoundWhereAPageHasThem) {
  const auto page = [](const std::string& body) {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>t</title></head>\n<body>" + body +
           "</body></html>";
  };
  for (const char* named :
       {R"(<table aria-label="rungs"><tr><th scope="col">ms</th></tr></table>)",
        R"(<table><caption>rungs</caption><tr><td></td></tr></table>)",
        R"(<img alt="two lanes" src="data:,"/>)", R"(<svg viewBox="0 0 1 1"><title>a bar</title></svg>)",
        R"(<svg aria-hidden="true"><path d="M0 0"/></svg>)",
        R"(<input type="radio" id="a"/><label for="a">8x8</label>)", R"(<a href="x.html">Jane</a>)",
        R"(<div role="region" aria-label="rungs" tabindex="0"></div>)"})
    EXPECT_EQ(unnamed_parts(page(named)), "");
  for (const char* unnamed :
       {R"(<table><tr><td>1</td></tr></table>)", R"(<th scope="col"></th>)", R"(<img src="data:,"/>)",
        R"(<img alt=" " src="data:,"/>)", R"(<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>)",
        R"(<input type="radio" id="a"/><label for="b">8x8</label>)",
        R"(<select id="s"><option>1</option></select>)", R"(<a href="x.html"><i class="key1"></i></a>)",
        R"(<div class="scroll" tabindex="0"></div>)", R"(<summary></summary>)"})
    EXPECT_NE(unnamed_parts(page(unnamed)), "") << unnamed;
  EXPECT_NE(unnamed_parts("<html><head><title>t</title></head></html>"), "") << "no language";
  EXPECT_NE(unnamed_parts("<html lang=\"en\"><head><title></title></head></html>"), "");
}

// --- Bad input ---------------------------------------------------------------------------------------------

TEST(ReadRun, RefusesWhatIsNoRunInOneSentence) {
  const ScratchFolder folder;
  folder.write("empty/note.txt", "");
  folder.write("broken/results.json", "{\"schema\": 1,\n\"run\": {},\n");
  folder.write("huge/results.json", "{\"measurements\": [{\"bytes\": 1e999}]}");
  folder.write("deep/results.json", std::string(100'000, '['));
  folder.write("none/results.json", "{\"schema\": 1, \"measurements\": []}");
  folder.write("other/results.json", "{\"name\": \"npm\"}");
  folder.write("list/results.json", "[1, 2]");
  folder.write("later/results.json", "{\"schema\": 2, \"measurements\": [{}]}");
  folder.write("text/results.json", "{\"measurements\": [\"fast\"]}");
  folder.write("info/results.json", R"({"run": [], "measurements": [{"lab": "turn"}]})");
  folder.write("lab/results.json", R"({"measurements": [{"lab": "turn"}, {"lab": 5}]})");
  folder.write("nameless/results.json", R"({"measurements": [{"rung": "naive"}]})");
  folder.write("status/results.json", R"({"measurements": [{"lab": "turn", "status": "quick"}]})");
  folder.write("size/results.json", R"({"measurements": [{"lab": "turn", "size": "big"}]})");
  folder.write("rate/results.json", R"({"measurements": [{"lab": "turn", "gb_per_s": -1}]})");
  folder.write("time/results.json", R"({"measurements": [{"lab": "turn", "time_ms": {"median": -5}}]})");
  folder.write("gpu/results.json", R"({"measurements": [{"lab": "turn", "gpu": 5}]})");
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"gpu", "\"gpu\" is 5, which is not an object"},
      {"absent", "there is no run"},
      {"empty", "is not a run of warplab"},
      {"broken", "not JSON from line 3"},
      {"huge", "is broken"},
      {"deep", "is nested too deep"},
      {"none", "nothing was measured"},
      {"other", "holds no results of warplab"},
      {"list", "holds no results"},
      {"later", "has schema 2"},
      {"text", "measurement 1 is not an object"},
      {"info", "\"run\" is not an object"},
      {"lab", "measurement 2: \"lab\" is 5, which is not a text"},
      {"nameless", "measurement 1: it names no lab"},
      {"status", "\"status\" is \"quick\"; known are ok, "},
      {"size", "\"size\" is \"big\", which is not an object"},
      {"rate", "\"gb_per_s\" is -1"},
      {"time", "its median time is -5"}};
  for (const auto& [name, words] : wrong) {
    const std::string message = message_of<BadInput>([&] { read_run(folder / name); });
    EXPECT_TRUE(says(message, words)) << name << ": " << message;
    EXPECT_FALSE(says(message, "\n")) << message;
  }
}

TEST(WriteReport, LeavesNothingWhereItFails) {
  const ScratchFolder folder;
  folder.write("run/results.json", ladder().dump());
  EXPECT_TRUE(says(message_of<BadInput>([&] {
                     write_report({{(folder / "none").string()}, folder / "page.html", "", false});
                   }),
                   "there is no run"));
  EXPECT_FALSE(fs::exists(folder / "page.html"));
  EXPECT_TRUE(says(message_of<BadInput>([&] {
                     write_report({{(folder / "run").string()}, "/proc/none/page.html", "", false});
                   }),
                   "cannot write /proc/none/page.html"));
  EXPECT_TRUE(says(message_of<BadInput>([&] {
                     write_report({{(folder / "run").string()}, folder / "page.html", "", true});
                   }),
                   "replayed a published table"));
  EXPECT_FALSE(fs::exists(folder / "page.html"));
}

TEST(WriteReport, IsACommandThatEndsWithTwoForBadInput) {
  const ScratchFolder folder;
  folder.write("run/results.json", ladder().dump());
  const std::string program = std::string(WARPLAB_BINARY_DIR) + "/bin/warplab-results report ";
  const auto bad =
      house::run(program + (folder / "none").string() + " --out " + (folder / "page.html").string());
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_EQ(times(bad.output, "\n"), 1u) << bad.output;
  const auto good =
      house::run(program + (folder / "run").string() + " --out " + (folder / "page.html").string());
  EXPECT_EQ(good.exit_code, 0) << good.output;
  EXPECT_EQ(malformed(content_of(folder / "page.html")), "");
}

}  // namespace
}  // namespace warplab::report
