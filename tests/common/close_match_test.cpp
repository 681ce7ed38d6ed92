#include "common/host/close_match.hpp"

#include <gtest/gtest.h>

namespace warplab {
namespace {

TEST(CloseMatch, CountsEdits) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("tiled", "tiled"), 0u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(CloseMatch, SuggestsWhatWasMeant) {
  const std::vector<std::string> rungs{"naive", "tiled", "tiled_padded", "vectorized"};
  EXPECT_EQ(did_you_mean("naiv", rungs), "; did you mean naive?");
  EXPECT_EQ(did_you_mean("tild", rungs), "; did you mean tiled?");
  EXPECT_EQ(did_you_mean("padded", rungs), "; did you mean tiled_padded?");
  EXPECT_EQ(did_you_mean("tile", rungs), "; did you mean tiled or tiled_padded?");
  EXPECT_EQ(did_you_mean("quantum", rungs), "");
}

}  // namespace
}  // namespace warplab
