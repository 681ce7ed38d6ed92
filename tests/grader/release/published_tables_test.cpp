// Published tables as students get them: nothing of rungs that are withheld.
#include "grader/release/published_tables.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/host/bad_input.hpp"

namespace warplab {
namespace {

using nlohmann::ordered_json;

const std::set<std::string> secret = {"secret"};

const char* const two_tables = R"({"tables": [
  {"table": "t 1", "lesson": "Open is slow. The rung secret is fast.", "fields": ["row", "rung"],
   "rows": [["1", "open"], ["2", "secret"]],
   "kernels": {"1": "a", "2": "b"},
   "claims": [{"says": "within", "faster": ["2"], "than": ["1"]},
              {"says": "beside", "faster": ["1"], "than": ["1"], "than_table": "t 2"},
              {"says": "stays", "faster": ["1"], "than": ["1"]}],
   "charts": [{"title": "both", "curves": [{"label": "a", "rows": ["1"]}, {"label": "b", "rows": ["2"]}]},
              {"title": "other", "curves": [{"label": "c", "rows": ["1"], "table": "t 2"}]}]},
  {"table": "t 2", "every_row": {"rung": "secret"}, "fields": ["row"], "rows": [["1"]]}]})";

TEST(PublishedTables, LoseRowsOfWithheldRungsAndWhatIsAboutThem) {
  const auto json = ordered_json::parse(without_rungs(two_tables, secret, "f"));
  ASSERT_EQ(json["tables"].size(), 1u);
  const auto& table = json["tables"][0];
  EXPECT_EQ(table["rows"].dump(), R"([["1","open"]])");
  EXPECT_EQ(table["lesson"], "Open is slow.");
  EXPECT_EQ(table["kernels"].dump(), R"({"1":"a"})");
  ASSERT_EQ(table["claims"].size(), 1u);
  EXPECT_EQ(table["claims"][0]["says"], "stays");
  ASSERT_EQ(table["charts"].size(), 1u);
  EXPECT_EQ(table["charts"][0]["curves"].size(), 1u);
}

TEST(PublishedTables, StayAsTheyAreWhereNothingIsWithheld) {
  EXPECT_EQ(without_rungs(two_tables, {"another"}, "f"), two_tables);
}

TEST(PublishedTables, AreRefusedIfTheyAreNot) {
  EXPECT_THROW(without_rungs("{", secret, "f"), BadInput);
  EXPECT_THROW(without_rungs(R"({"tables": [{"rows": [], "fields": []}]})", secret, "f"), BadInput);
}

}  // namespace
}  // namespace warplab
