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
  EXPECT_EQ(verdict_text(RungStatus::ok, true), "yes");
  EXPECT_EQ(verdict_text(RungStatus::ok, false), "not checked");
  EXPECT_EQ(verdict_text(RungStatus::todo, false), "to do");
  EXPECT_EQ(verdict_text(RungStatus::failed, false), "FAILED");
  EXPECT_EQ(verdict_text(RungStatus::not_built, false), "not built");
  EXPECT_EQ(verdict_text(std::nullopt, false), "FAILED") << "a row without a status is of no use";
}

TEST(Status, IsShownInWordsAndAFailureIsOneOfTwo) {
  EXPECT_EQ(status_text(RungStatus::todo), "to do");
  EXPECT_EQ(status_text(RungStatus::refused), "refused");
  EXPECT_EQ(status_text(std::nullopt), "not measured");
  EXPECT_TRUE(is_failure(RungStatus::failed) && is_failure(RungStatus::not_built));
  EXPECT_FALSE(is_failure(RungStatus::unavailable) || is_failure(RungStatus::ok) || is_failure(std::nullopt));
}

}  // namespace
}  // namespace warplab
