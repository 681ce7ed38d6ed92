#include "harness/console/text_table.hpp"

#include <gtest/gtest.h>

#include "harness/results/verdict.hpp"

namespace warplab {
namespace {

TEST(TextTable, AlignsByCharactersAndEndsLinesWithoutSpaces) {
  TextTable table({{"rung"}, {"ms ± MAD", 0, true}, {"note"}});
  table.make_room_for({"transpose", "1 ± 2", ""});
  EXPECT_EQ(table.header(), "rung       ms ± MAD  note\n");
  EXPECT_EQ(table.row({"tiled", "1 ± 2", ""}), "tiled         1 ± 2\n");
  EXPECT_EQ(table.row({"tiled"}), "tiled\n");
}

TEST(TextTable, ShowsACellThatIsTooWideWhole) {
  const TextTable table({{"a"}, {"b"}});
  EXPECT_EQ(table.row({"wide", "x"}), "wide  x\n");
}

TEST(Verdict, HasOneWordForEachStatus) {
  EXPECT_EQ(verdict_text("ok", true), "yes");
  EXPECT_EQ(verdict_text("ok", false), "not checked");
  EXPECT_EQ(verdict_text("todo", false), "to do");
  EXPECT_EQ(verdict_text("failed", false), "FAILED");
  EXPECT_EQ(verdict_text("not_built", false), "not built");
}

}  // namespace
}  // namespace warplab
