// The tree of launches: its way through JSON, and its picture.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lens/json.hpp"
#include "lens/merge.hpp"
#include "lens/pictures/tree_svg.hpp"
#include "lens/text/launch_tree.hpp"
#include "lens/text/table.hpp"
#include "tests/common/unnamed_parts.hpp"

namespace warplab::lens {
namespace {

/// A host's launch with two children, the first of which has one; and the children's own entries, added up.
std::vector<Launch> family() {
  Launch host, children;
  host.kernel = children.kernel = "sort<int>";
  host.blocks = host.blocks_recorded = 1;
  host.descendants = {{0, 1, "sort<int>", 1, 1}, {0, 1, "base<int>", 1, 512}, {1, 2, "base<int>", 1, 512}};
  host.max_pending = 2;
  children.from_kernel = true;
  children.alike = 3;
  children.blocks = children.blocks_recorded = 3;
  return {host, children};
}

TEST(Tree, GoesThroughJsonUnchanged) {
  const std::vector<Launch> before = family(), after = launches_from_json(measurement_json(before));
  ASSERT_EQ(after.size(), 2u);
  EXPECT_EQ(count_of(after), 4u);
  EXPECT_EQ(after[0].max_pending, 2u);
  EXPECT_TRUE(after[1].from_kernel);
  ASSERT_EQ(after[0].descendants.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const Descendant &a = before[0].descendants[i], &b = after[0].descendants[i];
    EXPECT_EQ(a.parent, b.parent) << i;
    EXPECT_EQ(a.depth, b.depth) << i;
    EXPECT_EQ(a.kernel, b.kernel) << i;
    EXPECT_EQ(a.threads, b.threads) << i;
  }
}

TEST(Tree, AParentComesBeforeItsChildren) {
  Json json = measurement_json(family());
  json["launches"][0]["family"]["launches"][0][0] = 3;
  EXPECT_THROW(launches_from_json(json), std::invalid_argument);
  json["launches"][0]["family"]["launches"][0] = Json::array({0, 9, 1, 1});
  EXPECT_THROW(launches_from_json(json), std::invalid_argument);
}

TEST(Tree, IsToldInASentenceAndDrawn) {
  EXPECT_FALSE(has_tree({Launch()}));
  ASSERT_TRUE(has_tree(family()));
  const std::string words = "3 launches from kernels, 2 deep, at most 2 of them waiting to begin at a time";
  EXPECT_EQ(tree_text(family()), words);
  EXPECT_NE(table(family(), {}).find(words), std::string::npos);
  const std::string svg = tree_svg(family());
  EXPECT_EQ(unnamed_parts(svg), "");
  EXPECT_NE(svg.find(words), std::string::npos);
  EXPECT_NE(svg.find("base&lt;int&gt;: 2"), std::string::npos);
  EXPECT_NE(svg.find("2 launches, 513 threads"), std::string::npos);
}

TEST(Tree, OfManyLaunchesHasLevelsInPlaceOfNodes) {
  std::vector<Launch> launches = family();
  std::vector<Descendant>& chain = launches[0].descendants;
  chain.clear();
  for (std::uint32_t i = 0; i < 1000; ++i) chain.push_back({i, i + 1, "sort<int>", 1, 1});
  const std::string svg = tree_svg(launches);
  EXPECT_EQ(svg.find("wire-thin\" x1"), std::string::npos);
  EXPECT_NE(svg.find("depth 0-41"), std::string::npos);
  EXPECT_LT(svg.size(), 20'000u);
}

}  // namespace
}  // namespace warplab::lens
