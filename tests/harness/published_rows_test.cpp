// Published tables as data: what becomes of a published.json, and what a wrong one is refused for.
#include "harness/problem/published_rows.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/host/bad_input.hpp"
#include "harness/rung/backend.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

const Problem& problem() { return *problem_registry().at("mischief"); }

std::string table(const std::string& inside) { return R"({"tables": [{"table": "t 1", )" + inside + "}]}"; }

std::vector<Experiment> rows_of(const std::string& content) {
  const ScratchFolder folder;
  return published_rows(problem(), folder.write("published.json", content));
}

/// What a wrong file is refused for, without the folder's name.
std::string refusal(const std::string& content) {
  const std::string text = message_of<BadInput>([&] { rows_of(content); });
  EXPECT_EQ(text.find('\n'), std::string::npos) << "one sentence";
  const std::size_t file = text.find("published.json");
  EXPECT_NE(file, std::string::npos) << text;
  return file == std::string::npos ? text : text.substr(file);
}

TEST(PublishedRows, TakeWhatACommandLineWould) {
  const auto rows = rows_of(table(
      R"("note": "n", "every_row": {"rung": "copies", "block": "64"}, "fields": ["row", "size", "keep", "a_ms"],
               "rows": [["1", 100, 3, 0.5], ["2", "200", null, null]])"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].table, "t 1");
  EXPECT_EQ(rows[0].label, "1");
  EXPECT_EQ(rows[0].rung, "copies");
  EXPECT_EQ(rows[0].note, "n");
  EXPECT_EQ(rows[0].problem_case.extent("n"), 100);
  EXPECT_EQ(*rows[0].problem_case.block, (Extent3{64, 1, 1}));
  EXPECT_EQ(rows[0].problem_case.param("keep", 0), 3);
  EXPECT_EQ(rows[0].published, (std::map<std::string, double>{{"a_ms", 0.5}}));
  EXPECT_EQ(rows[1].problem_case.extent("n"), 200);
  EXPECT_EQ(rows[1].problem_case.param("keep", 0), 0);
  EXPECT_TRUE(rows[1].published.empty());
}

TEST(PublishedRows, SayWhereTheyRanASmallerInput) {
  const auto rows = rows_of(table(R"("every_row": {"rung": "copies", "published_size": "4000"},
      "fields": ["row", "size", "note"], "rows": [["1", 1000, "printed twice"], ["2", 4000, null]])"));
  EXPECT_EQ(rows[0].note, "published for 4000, replayed at 1000, 1/4 of it; printed twice");
  EXPECT_EQ(rows[1].note, "");
}

TEST(PublishedRows, AreSmallerOrLeftOutOnTheEmulator) {
  const auto rows = rows_of(table(R"("every_row": {"rung": "copies"},
      "fields": ["row", "size", "emulator_size"], "rows": [["1", 1000, 10], ["2", 4000, null]])"));
  if (backend == Backend::emulator) {
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].problem_case.extent("n"), 10);
  } else {
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].problem_case.extent("n"), 1000);
  }
}

TEST(PublishedRows, OfARungThatIsWithheldAreLeftOutWhereItIsNot) {
  EXPECT_TRUE(rows_of(table(R"("every_row": {"rung": "secret", "withheld": true}, "fields": ["row"],
                               "rows": [["1"]])"))
                  .empty());
}

TEST(PublishedRows, AreRefusedWithFileTableRowAndField) {
  const auto one_row = [](const std::string& fields, const std::string& values) {
    return table(R"("every_row": {"rung": "copies"}, "fields": [)" + fields + R"(], "rows": [["1"], [)" +
                 values + "]]");
  };
  EXPECT_EQ(refusal(table(R"("every_row": {"rung": "copied"}, "fields": ["row"], "rows": [["1"]])")),
            "published.json: table 't 1', row 1, field 'rung': mischief has no rung 'copied'; did you mean "
            "copies?");
  EXPECT_EQ(refusal(one_row("\"row\"", "\"2\", 3")),
            "published.json: table 't 1', row 2 has 2 values for 1 fields");
  const auto second = [](const std::string& field, const std::string& value) {
    return table(R"("every_row": {"rung": "copies"}, "fields": ["row", ")" + field +
                 R"("], "rows": [["1", )" + value + "]]");
  };
  EXPECT_EQ(
      refusal(second("kep", "3")),
      "published.json: table 't 1', row 1, field 'kep': is neither a flag of mischief nor a figure, whose "
      "name ends with its unit; did you mean keep?");
  EXPECT_EQ(
      refusal(second("size", "\"4x4\"")),
      "published.json: table 't 1', row 1 is not a case: --size 4x4 has 2 extents; accepted is n, such as "
      "1024");
  EXPECT_EQ(refusal(second("size", "[4]")),
            "published.json: table 't 1', row 1, field 'size': is neither a text nor a number");
  EXPECT_EQ(refusal(second("old_ms", "\"fast\"")),
            "published.json: table 't 1', row 1, field 'old_ms': a figure is a number");
  EXPECT_EQ(refusal(second("dtype", "\"real\"")),
            "published.json: table 't 1', row 1, field 'dtype': 'real' is not an element type");
}

TEST(PublishedRows, AreRefusedWhereTheFileIsNotOne) {
  EXPECT_EQ(refusal("{\"tables\": [\n{\"table\": \"t\",\n]}"),
            "published.json:3: it is not JSON from here on");
  EXPECT_EQ(refusal("[]"), "published.json has no list of tables");
  EXPECT_EQ(refusal(R"({"tables": [{"title": "no name"}]})"), "published.json: table 1 has no name");
  EXPECT_EQ(refusal(table(R"("figurs": [])")),
            "published.json: table 1 has the key 'figurs', which does not exist; did you mean figures?");
  EXPECT_EQ(refusal(R"({"tables": ["t"]})"), "published.json: table 1 is not an object");
  const ScratchFolder folder;
  EXPECT_NE(
      message_of<BadInput>([&] { published_rows(problem(), folder / "none.json"); }).find("cannot read"),
      std::string::npos);
}

}  // namespace
}  // namespace warplab
