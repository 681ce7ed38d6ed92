#include "lens/pictures/map_svg.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "lens/pictures/svg.hpp"
#include "tests/common/unnamed_parts.hpp"
#include "tests/lens_report/sample_launches.hpp"

namespace {

using namespace warplab::lens;
using test::request;

struct Element {
  std::string tag, attributes, text;
  std::string attribute(const std::string& name) const {
    const std::size_t at = attributes.find(" " + name + "=\"");
    if (at == std::string::npos) return "";
    const std::size_t begin = at + name.size() + 3;
    return attributes.substr(begin, attributes.find('"', begin) - begin);
  }
  double number(const std::string& name) const { return std::stod(attribute(name)); }
};

/// One character for each escaped one.
std::string without_entities(const std::string& text) {
  static const std::regex entity("&(lt|gt|amp|quot);");
  return text.find('&') == std::string::npos ? text : std::regex_replace(text, entity, "x");
}

/// The elements of an XML text in order. Fails the test where a tag is not closed or a character not escaped.
std::vector<Element> elements_of(const std::string& xml) {
  std::vector<Element> elements;
  std::vector<std::string> open;
  for (std::size_t at = 0; at < xml.size();) {
    const std::size_t begin = xml.find('<', at);
    const std::string text = xml.substr(at, begin == std::string::npos ? begin : begin - at);
    EXPECT_EQ(without_entities(text).find_first_of("&>"), std::string::npos) << text;
    if (!elements.empty() && !open.empty() && elements.back().text.empty()) elements.back().text = text;
    if (begin == std::string::npos) break;
    const std::size_t end = xml.find('>', begin);
    EXPECT_NE(end, std::string::npos);
    std::string tag = xml.substr(begin + 1, end - begin - 1);
    at = end + 1;
    if (tag[0] == '/') {
      EXPECT_FALSE(open.empty());
      EXPECT_EQ(open.back(), tag.substr(1));
      open.pop_back();
      continue;
    }
    const bool closed = tag.back() == '/';
    if (closed) tag.pop_back();
    const std::size_t space = tag.find(' ');
    elements.push_back({tag.substr(0, space), space == std::string::npos ? "" : tag.substr(space), ""});
    if (!closed) open.push_back(elements.back().tag);
  }
  EXPECT_TRUE(open.empty());
  return elements;
}

std::size_t count(const std::vector<Element>& elements, const std::string& tag, const std::string& style) {
  return static_cast<std::size_t>(std::count_if(elements.begin(), elements.end(), [&](const Element& e) {
    return e.tag == tag && e.attribute("class") == style;
  }));
}

/// A launch with one line for each sample.
Launch launch_of(const std::vector<RequestSample>& samples) {
  Launch launch = test::naive_transpose();
  launch.lines.clear();
  for (const RequestSample& sample : samples) {
    Line line{"patterns.cu", static_cast<int>(launch.lines.size()) + 1, "", {}, {sample}};
    launch.lines.push_back(line);
  }
  return launch;
}

std::vector<Element> map_of(const RequestSample& sample) {
  return elements_of(map_svg({launch_of({sample})}));
}

constexpr RequestKind of_global = RequestKind::global_load, of_shared_words = RequestKind::shared_load;
constexpr std::size_t key = 1;  // each colour also is once in the key below a panel

TEST(LensMap, DrawsTheSectorsThatAreMovedAndWhatWasAskedFor) {
  const auto row = map_of(request(of_global, 4, 4, 4, [](unsigned i) { return 4 * i; }));
  EXPECT_EQ(count(row, "rect", "moved"), 4 + key);
  EXPECT_EQ(count(row, "rect", "unmoved"), 0u);
  EXPECT_EQ(count(row, "rect", "asked"), 32 + key);
  EXPECT_EQ(count(row, "line", "wire"), 32u);
  const auto column = map_of(request(of_global, 4, 32, 4, [](unsigned i) { return 4096 * i; }));
  EXPECT_EQ(count(column, "rect", "moved"), 32 + key);
  EXPECT_EQ(count(column, "rect", "unmoved"), 3 * 32 + key);
  EXPECT_EQ(count(column, "rect", "dot"), 3 * 31u);  // between lines that are not neighbours
  const auto broadcast = map_of(request(of_global, 4, 1, 1, [](unsigned) { return 64; }));
  EXPECT_EQ(count(broadcast, "rect", "moved"), 1 + key);
  EXPECT_EQ(count(broadcast, "rect", "asked"), 1 + key);
  EXPECT_EQ(count(broadcast, "line", "wire"), 32u);
}

TEST(LensMap, WiresLeadToWhatTheirLaneAsksFor) {
  const auto reversed = map_of(request(of_global, 4, 4, 4, [](unsigned i) { return 4 * (31 - i); }));
  std::vector<double> ends;
  for (const Element& e : reversed)
    if (e.tag == "line" && e.attribute("class") == "wire") ends.push_back(e.number("x2"));
  ASSERT_EQ(ends.size(), 32u);
  EXPECT_TRUE(std::is_sorted(ends.rbegin(), ends.rend()));
  EXPECT_NEAR(ends.front() - ends.back(), 31 * 28, 0.1);
}

TEST(LensMap, DrawsWhoIsServedInWhichWavefront) {
  const auto column = map_of(request(of_shared_words, 4, 32, 1, [](unsigned i) { return 128 * i; }));
  EXPECT_EQ(count(column, "rect", "late"), 31 + key);
  EXPECT_EQ(count(column, "rect", "asked"), 1 + key);
  std::vector<double> ys;
  for (const Element& e : column)
    if (e.tag == "rect" && e.attribute("class") == "late") ys.push_back(e.number("y"));
  ys.pop_back();  // the key
  EXPECT_TRUE(std::is_sorted(ys.begin(), ys.end()));
  const auto broadcast = map_of(request(of_shared_words, 4, 1, 1, [](unsigned) { return 64; }));
  EXPECT_EQ(count(broadcast, "rect", "shared-word"), 1 + key);
  EXPECT_TRUE(std::any_of(broadcast.begin(), broadcast.end(), [](const Element& e) {
    return e.text ==
           "\xC3\x97"
           "32";
  }));
}

TEST(LensMap, SaysInWordsWhatItShows) {
  const std::string svg = map_svg({test::naive_transpose()});
  EXPECT_EQ(warplab::unnamed_parts(svg), "");
  EXPECT_NE(svg.find("32 lanes store 4 bytes each to global memory: 32 sectors where 4 would do"),
            std::string::npos);
  EXPECT_NE(svg.find("4 sectors, as few as can be"), std::string::npos);
  EXPECT_NE(svg.find("transpose_naive.cu:26"), std::string::npos);
  EXPECT_NE(svg.find("transpose_naive_kernel&lt;int&gt;"), std::string::npos);
  EXPECT_NE(svg.find("prefers-color-scheme: dark"), std::string::npos);
  const std::string one = map_svg({launch_of({request(
      of_global, 4, 1, 1, [](unsigned) { return 0; }, 1u << 31)})});
  EXPECT_NE(one.find("1 lane loads 4 bytes from global memory: 1 sector, as few as can be"),
            std::string::npos);
}

TEST(LensMap, ShowsTheWorstFirstAndOnlySoMany) {
  const std::vector<Launch> launches = {test::naive_transpose(), test::tiled_transpose()};
  const std::string svg = map_svg(launches);
  const std::size_t worst = svg.find("32 sectors where 4"), conflict = svg.find("32 wavefronts where 1"),
                    good = svg.find("as few as can be");
  EXPECT_LT(worst, conflict);
  EXPECT_LT(conflict, good);
  MapOptions options;
  options.max_panels = 2;
  const std::string two = map_svg(launches, options);
  EXPECT_EQ(two.find("as few as can be"), std::string::npos);
  EXPECT_NE(two.find("4 more lines with less waste are not drawn"), std::string::npos);
  options.line = 35;
  const std::string line = map_svg(launches, options);
  EXPECT_EQ(line.find(".cu:26"), std::string::npos);
  EXPECT_NE(line.find(".cu:35"), std::string::npos);
  options.line = 99;
  EXPECT_NE(map_svg(launches, options).find("on line 99"), std::string::npos);
  EXPECT_NE(map_svg({}).find("No warp loaded or stored anything"), std::string::npos);
}

/// Characters, not bytes.
std::size_t characters(const std::string& text) {
  const std::string plain = without_entities(text);
  return static_cast<std::size_t>(std::count_if(
      plain.begin(), plain.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Requests of every kind, width and mask, near and far.
std::vector<RequestSample> samples_of_every_kind() {
  std::uint64_t random = 1;
  std::array<std::uint64_t, 32> scattered{};
  for (std::uint64_t& a : scattered) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    a = (random >> 30) * 4;
  }
  const auto somewhere = [&](unsigned i) { return scattered[i]; };
  return {
      request(of_global, 4, 32, 4, somewhere),
      request(of_global, 4, 32, 4, [](unsigned i) { return 1'000'000'000'000u + 1'000'000'000u * i; }),
      request(of_global, 4, 1, 1, [](unsigned) { return 0; }),
      request(of_global, 1, 1, 1, [](unsigned i) { return i; }),
      request(of_global, 16, 16, 16, [](unsigned i) { return 16 * i; }),
      request(of_global, 16, 33, 16, [](unsigned i) { return 16 * i + 8; }),
      request(RequestKind::global_store, 8, 32, 8, [](unsigned i) { return 1 + 512 * i; }),
      request(
          of_global, 4, 2, 1, [](unsigned i) { return 40 * i; }, 0x80000001u),
      request(
          of_global, 4, 1, 1, [](unsigned) { return 124; }, 1u << 31),
      request(of_shared_words, 4, 9, 1, somewhere),
      request(of_shared_words, 16, 32, 4, [](unsigned i) { return 512 * i; }),
      request(
          of_shared_words, 8, 2, 2, [](unsigned i) { return 8 * i; }, 0xFFFF0FFFu),
      request(of_shared_words, 1, 1, 1, [](unsigned i) { return i; }),
  };
}

/// Where a text begins and ends in x, by the widest characters that its style can have.
std::pair<double, double> span_of(const Element& e) {
  const std::string style = e.attribute("class"), anchor = e.attribute("text-anchor");
  const double of_a_character = style == "code"      ? 7.9
                                : style == "heading" ? 9.6
                                : style == "verdict" ? 9
                                : style == "faint"   ? 7
                                                     : 6.3;
  const double length = of_a_character * static_cast<double>(characters(e.text));
  const double start = e.number("x") - (anchor == "end" ? length : anchor == "middle" ? length / 2 : 0);
  return {start, start + length};
}

TEST(LensMap, NothingIsClippedWhateverThePattern) {
  const std::vector<RequestSample> samples = samples_of_every_kind();
  Launch launch = launch_of(samples);
  launch.kernel = std::string(300, 'k') + "<int, \"&\">";
  MapOptions options;
  options.max_panels = samples.size();
  const auto elements = elements_of(map_svg({launch}, options));
  ASSERT_EQ(elements[0].tag, "svg");
  const double width = elements[0].number("width"), height = elements[0].number("height");
  double panel = 0;
  for (const Element& e : elements) {
    if (e.tag == "g") {
      const std::string move = e.attribute("transform");
      panel = std::stod(move.substr(move.rfind(' ')));
    }
    if (e.tag == "rect" && e.attribute("class") != "paper") {
      EXPECT_GE(e.number("x"), 0) << e.attributes;
      EXPECT_LE(e.number("x") + e.number("width"), width) << e.attributes;
      EXPECT_GT(e.number("width"), 0) << e.attributes;
    }
    if (e.tag == "line") {
      EXPECT_GE(std::min(e.number("x1"), e.number("x2")), 0) << e.attributes;
      EXPECT_LE(std::max(e.number("x1"), e.number("x2")), width) << e.attributes;
    }
    if (e.tag != "text") continue;
    const auto [start, end] = span_of(e);
    EXPECT_GE(start, 0) << e.text;
    EXPECT_LE(end, width) << e.text;
    EXPECT_LT((e.attribute("class") == "heading" ? 0 : panel) + e.number("y"), height) << e.text;
  }
}

TEST(LensMap, EscapesWhatXmlDoesNotTake) {
  EXPECT_EQ(xml_escaped("a<b>\n& \"c\" 'd'\t"), "a&lt;b&gt;\n&amp; &quot;c&quot; &#39;d&#39; ");
  EXPECT_EQ(xml_escaped("\xC3\xA4\x01\xFFz\xE2\x82"), "\xC3\xA4??z??");
}

}  // namespace
