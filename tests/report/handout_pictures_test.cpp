#include "report/handouts/handout_pictures.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "common/host/bad_input.hpp"
#include "common/io/file_content.hpp"
#include "lens/json.hpp"
#include "report/charts/access_picture.hpp"
#include "tests/common/markup.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/common/unnamed_parts.hpp"

namespace warplab::report {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

const fs::path source = WARPLAB_SOURCE_DIR;

/// 32 lanes with 4 bytes each, `stride` bytes apart.
lens::RequestSample request(lens::RequestKind kind, std::uint64_t first, std::uint64_t stride, unsigned cost,
                            unsigned ideal) {
  lens::RequestSample sample;
  sample.kind = kind, sample.mask = 0xFFFFFFFF, sample.bytes = 4, sample.cost = cost, sample.ideal = ideal;
  for (unsigned lane = 0; lane < 32; ++lane) sample.address[lane] = first + lane * stride;
  return sample;
}

const lens::RequestSample shifted = request(lens::RequestKind::global_load, 4, 4, 5, 4),
                          column = request(lens::RequestKind::global_store, 0, 256, 32, 4),
                          conflicts = request(lens::RequestKind::shared_load, 0, 64, 16, 1);

/// A tree whose one run has a kernel with these three requests, and a handout filled in from it.
HandoutWithPictures filled(const std::string& handout) {
  lens::Launch launch;
  launch.kernel = "turn_slow_kernel", launch.blocks = launch.blocks_recorded = 1;
  launch.lines = {{"slow.cu", 7, "", {}, {shifted, column}, "out[i] = secret;"},
                  {"slow.cu", 8, "", {}, {conflicts}, "out[j] = secret;"}};
  const json row = {{"lab", "turn"},       {"rung", "slow"},   {"role", "rung"},
                    {"size", {{"n", 64}}}, {"dtype", "float"}, {"lens", lens::measurement_json({launch})}};
  const ScratchFolder root;
  fs::create_directories(root.path() / "results/run");
  std::ofstream(root.path() / "results/run/results.json") << json{{"measurements", {row}}};
  return with_pictures(handout, "turn", root.path());
}

std::string handout_with(const std::string& requests) {
  return "before\n\n<!-- accesses of results/run | 64 float | " + requests +
         " -->\n![old](a/b.svg)\n\nafter\n";
}

TEST(HandoutPictures, TheAlternativeSaysWhatTheLensKept) {
  const auto made =
      filled(handout_with("slow global_load 1: A row | slow shared_load 1: A column: 64 bytes apart"));
  const std::string words =
      "A row: 32 lanes load 4 bytes each from global memory: 5 sectors, ideally 4. A column: 64 bytes "
      "apart: 32 lanes load 4 bytes each from shared memory: 16 wavefronts, ideally 1.";
  EXPECT_NE(made.text.find("\n![" + words + "](a/b.svg)\n\nafter\n"), std::string::npos) << made.text;
  ASSERT_EQ(made.pictures.size(), 1u);
  EXPECT_EQ(made.pictures[0].link, "a/b.svg");
  EXPECT_NE(made.pictures[0].svg.find("<desc>" + words + "</desc>"), std::string::npos);
  EXPECT_EQ(filled(made.text).text, made.text) << "filling in twice changes nothing";
}

TEST(HandoutPictures, DrawEachSectorAndEachBanksWork) {
  const auto svg_of = [](const std::string& requests) {
    return filled(handout_with(requests)).pictures[0].svg;
  };
  // The key has one box of each colour that is used.
  const auto boxes = [](const std::string& svg, const std::string& style) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = svg.find("<rect class=\"" + style + "\"", at)) != std::string::npos; ++at)
      ++count;
    return count == 0 ? 0 : count - 1;
  };
  EXPECT_EQ(boxes(svg_of("slow global_load 1: A row"), "moved"), 5u);
  EXPECT_EQ(boxes(svg_of("slow global_load 1: A row"), "asked"), 32u) << "one per lane";
  EXPECT_EQ(boxes(svg_of("slow global_store 1: A column"), "moved"), 32u);
  EXPECT_EQ(boxes(svg_of("slow global_load 1: A row"), "late"), 0u);
  // Two banks serve 16 lanes each: one lane of them at once, 15 later.
  EXPECT_EQ(boxes(svg_of("slow shared_load 1: A column"), "asked"), 2u);
  EXPECT_EQ(boxes(svg_of("slow shared_load 1: A column"), "late"), 30u);
}

TEST(HandoutPictures, ShowNoSource) {
  EXPECT_EQ(filled(handout_with("slow global_load 1: A row")).pictures[0].svg.find("secret"),
            std::string::npos)
      << "a handout's picture may be of a solution";
}

TEST(HandoutPictures, RefuseWhatIsNotThere) {
  const auto why = [](const std::string& handout) { return message_of<BadInput>([&] { filled(handout); }); };
  EXPECT_EQ(why(handout_with("slow global_load 2: A row")), "slow has 1 lines with a global_load, not 2");
  EXPECT_EQ(why(handout_with("fast global_load 1: A row")), "the run has no counts of fast");
  EXPECT_EQ(why(handout_with("slow global_load: A row")),
            "'slow global_load: A row' must be RUNG KIND NUMBER: CAPTION");
  EXPECT_EQ(
      why("<!-- accesses of results/run | 64 float | slow global_load 1: A row -->\nno picture\n"),
      "there is no picture below <!-- accesses of results/run | 64 float | slow global_load 1: A row -->");
  EXPECT_NE(
      why("<!-- accesses of results/run -->\n![](a.svg)\n").find("must have a run, an input and requests"),
      std::string::npos);
}

TEST(HandoutPictures, InHandoutsAreWhatTheResultsSay) {
  std::size_t pictures = 0;
  for (const auto& entry : fs::directory_iterator(source / "labs")) {
    const fs::path handout = entry.path() / "README.md";
    if (!fs::exists(handout)) continue;
    const std::string text = file_content(handout), lab = entry.path().filename().string().substr(3);
    const HandoutWithPictures made = with_pictures(text, lab, source);
    const std::string remedy = handout.string() + ": warplab-results pictures, with --write";
    EXPECT_TRUE(made.text == text) << remedy;
    for (const auto& [link, svg] : made.pictures)
      EXPECT_TRUE(file_content(entry.path() / link) == svg) << link << ", " << remedy;
    pictures += made.pictures.size();
  }
  EXPECT_GE(pictures, 4u);
}

}  // namespace
}  // namespace warplab::report
