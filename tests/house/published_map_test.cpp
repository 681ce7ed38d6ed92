// docs/published.md: each lab, table, row and rung that it names exists, and each table that exists is named.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tests/common/scratch_folder.hpp"

namespace warplab::house {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const fs::path source = WARPLAB_SOURCE_DIR;

/// The part of the page that maps sections, without what follows it.
std::string map_text() {
  const std::string text = content_of(source / "docs/published.md");
  return text.substr(0, text.find("\n## Adding a table"));
}

fs::path folder_of(const std::string& lab) {
  for (const fs::directory_entry& entry : fs::directory_iterator(source / "labs"))
    if (entry.is_directory() && entry.path().filename().string().substr(3) == lab) return entry.path();
  return {};
}

bool has_rung(const std::string& lab, const std::string& rung) {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_of(lab)))
    if (entry.path().filename() == lab + "_" + rung + ".cu") return true;
  return false;
}

/// Labels of rows by "lab: table", of all labs.
std::map<std::string, std::set<std::string>> tables() {
  std::map<std::string, std::set<std::string>> found;
  for (const fs::directory_entry& lab : fs::directory_iterator(source / "labs")) {
    if (!fs::exists(lab.path() / "published.json")) continue;
    const Json file = Json::parse(content_of(lab.path() / "published.json"));
    for (const Json& table : file.at("tables")) {
      auto& rows =
          found[lab.path().filename().string().substr(3) + ": " + table.at("table").get<std::string>()];
      if (!table.contains("rows")) continue;
      const auto fields = table.at("fields").get<std::vector<std::string>>();
      const auto label = std::find(fields.begin(), fields.end(), "row") - fields.begin();
      for (const Json& row : table.at("rows")) rows.insert(row.at(static_cast<std::size_t>(label)));
    }
  }
  return found;
}

/// The texts between backquotes.
std::vector<std::string> code_spans(const std::string& text) {
  const std::regex span("`([^`]+)`");
  std::vector<std::string> spans;
  for (std::sregex_iterator i(text.begin(), text.end(), span), end; i != end; ++i) spans.push_back((*i)[1]);
  return spans;
}

TEST(PublishedMap, NamesOnlyTablesRowsAndRungsThatExist) {
  const auto known = tables();
  int named = 0;
  for (const std::string& span : code_spans(map_text())) {
    const std::size_t colon = span.find(": ");
    const std::string lab = span.substr(0, std::min(colon, span.find('/')));
    if (folder_of(lab).empty() || lab == span) continue;  // a command or a file, or just a lab
    ++named;
    if (colon == std::string::npos) {
      EXPECT_TRUE(has_rung(lab, span.substr(lab.size() + 1))) << span << " is not a rung";
      continue;
    }
    const std::size_t row = span.find(": ", colon + 2);
    const auto table = known.find(span.substr(0, row));
    ASSERT_NE(table, known.end()) << span << " is not a table";
    if (row == std::string::npos) continue;
    EXPECT_TRUE(table->second.contains(span.substr(row + 2))) << span << " is not a row";
  }
  EXPECT_GT(named, 40);
}

TEST(PublishedMap, NamesEveryTable) {
  const auto spans = code_spans(map_text());
  for (const auto& [table, rows] : tables())
    EXPECT_NE(std::find(spans.begin(), spans.end(), table), spans.end())
        << table << " is not in docs/published.md";
}

TEST(PublishedMap, SaysOfEachSectionWhatReplaysItOrWhyNothingDoes) {
  int sections = 0;
  const std::string text = map_text();
  const std::regex line(R"(\| ([^|\n]+) \| ([^\n]+) \|)");
  for (std::sregex_iterator i(text.begin(), text.end(), line), end; i != end; ++i) {
    const std::string section = (*i)[1], what = (*i)[2];
    if (section == "section") continue;
    ++sections;
    const bool replayed = what.find('`') != std::string::npos || what.find("](") != std::string::npos;
    EXPECT_TRUE(replayed || what.starts_with("nothing: ")) << section << ": " << what;
  }
  EXPECT_GT(sections, 60);
}

/// Complains of labels that are not rows of their table. @param labels a list of them, or nothing
void expect_rows(const std::map<std::string, std::set<std::string>>& known, const std::string& table,
                 const Json& labels, const std::string& where) {
  const auto rows = known.find(table);
  ASSERT_NE(rows, known.end()) << where << " names " << table;
  if (rows->second.empty()) return;  // the lab's code makes them
  for (const Json& label : labels)
    EXPECT_TRUE(rows->second.contains(label.get<std::string>())) << where << " names the row " << label;
}

TEST(PublishedMap, ClaimsAndChartsNameRowsThatExist) {
  const auto known = tables();
  for (const fs::directory_entry& folder : fs::directory_iterator(source / "labs")) {
    if (!fs::exists(folder.path() / "published.json")) continue;
    const std::string lab = folder.path().filename().string().substr(3) + ": ";
    const Json file = Json::parse(content_of(folder.path() / "published.json"));
    for (const Json& table : file.at("tables")) {
      const std::string name = table.at("table");
      for (const Json& claim : table.value("claims", Json::array()))
        for (const std::string side : {"faster", "than"})
          expect_rows(known, lab + claim.value(side + "_table", name), claim.at(side), claim.at("says"));
      for (const Json& chart : table.value("charts", Json::array()))
        for (const Json& curve : chart.at("curves"))
          expect_rows(known, lab + curve.value("table", name), curve.value("rows", Json::array()),
                      chart.at("title"));
    }
  }
}

TEST(PublishedMap, RowsOfTablesNameRungsThatExist) {
  for (const fs::directory_entry& folder : fs::directory_iterator(source / "labs")) {
    if (!fs::exists(folder.path() / "published.json")) continue;
    const std::string lab = folder.path().filename().string().substr(3);
    const Json file = Json::parse(content_of(folder.path() / "published.json"));
    for (const Json& table : file.at("tables")) {
      std::set<std::string> rungs;
      if (table.contains("every_row") && table["every_row"].contains("rung"))
        rungs.insert(table["every_row"]["rung"].get<std::string>());
      const auto fields = table.value("fields", std::vector<std::string>{});
      const auto at =
          static_cast<std::size_t>(std::find(fields.begin(), fields.end(), "rung") - fields.begin());
      if (at < fields.size())
        for (const Json& row : table.at("rows")) rungs.insert(row.at(at).get<std::string>());
      for (const std::string& rung : rungs)
        EXPECT_TRUE(has_rung(lab, rung)) << lab << ", " << table["table"] << ": " << rung;
    }
  }
}

}  // namespace
}  // namespace warplab::house
