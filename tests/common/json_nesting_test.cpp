#include "common/io/json_nesting.hpp"

#include <gtest/gtest.h>

#include <string>

namespace warplab {
namespace {

TEST(JsonNesting, CountsListsAndObjectsWithinOneAnother) {
  EXPECT_EQ(json_nesting(""), 0u);
  EXPECT_EQ(json_nesting("7"), 0u);
  EXPECT_EQ(json_nesting(R"({"a": 1, "b": [2, {"c": []}]})"), 4u);
  EXPECT_EQ(json_nesting("[[], [], []]"), 2u);
}

TEST(JsonNesting, IsNotMisledByStrings) {
  EXPECT_EQ(json_nesting(R"(["[[[[", "\"[[", "\\"])"), 1u);
  EXPECT_EQ(json_nesting(R"(["]", [[1]]])"), 3u);
}

TEST(JsonNesting, CountsWhatIsNotRightAsWell) {
  EXPECT_EQ(json_nesting("]]]][[["), 3u);
  EXPECT_EQ(json_nesting(std::string(100'000, '[')), 100'000u);
}

}  // namespace
}  // namespace warplab
