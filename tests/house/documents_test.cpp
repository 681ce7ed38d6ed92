// What can be checked of the documents without running a command: links, snippets, generated tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>

#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/house/markdown.hpp"

namespace warplab::house {
namespace {

namespace fs = std::filesystem;

const fs::path source = WARPLAB_SOURCE_DIR;

std::string without_margins(const std::string& text) {
  return std::regex_replace(text, std::regex("(^|\n)[ \t]+"), "$1");
}

TEST(Documents, EveryLinkLeadsSomewhere) {
  int links = 0;
  for (const fs::path& path : document_paths())
    for (const auto& [line, target] : read_document(path).links) {
      if (target.find("://") != std::string::npos || target.starts_with("mailto:")) continue;
      ++links;
      const std::size_t hash = target.find('#');
      const fs::path file = hash == 0 ? path : path.parent_path() / target.substr(0, hash);
      ASSERT_TRUE(fs::exists(file)) << path << ":" << line << ": " << target;
      if (hash == std::string::npos || file.extension() != ".md") continue;
      EXPECT_TRUE(read_document(file).anchors.contains(target.substr(hash + 1)))
          << path << ":" << line << ": there is no heading for " << target;
    }
  EXPECT_GT(links, 50);
}

// What a guide shows of a program is in a file that a test compiles.
TEST(Documents, CodeIsTakenFromTheExamples) {
  std::string examples;
  for (const auto& entry : fs::directory_iterator(source / "docs/examples"))
    examples += without_margins(content_of(entry.path()));
  int snippets = 0;
  for (const fs::path& path : document_paths())
    for (const CodeBlock& block : read_document(path).blocks) {
      if (block.language != "cpp") continue;
      ++snippets;
      std::string text;
      for (const std::string& line : block.lines) text += line + "\n";
      EXPECT_NE(examples.find(without_margins(text)), std::string::npos)
          << path << ":" << block.line << ": no file in docs/examples has this code";
    }
  EXPECT_GT(snippets, 0);
}

// Variables that let tests try all of what they otherwise try in part.
TEST(Documents, TheContributorGuideNamesEveryVariableThatAsksForMoreTests) {
  const std::string guide = content_of(source / "docs/contributor-guide.md"),
                    run = content_of(source / ".ci/run");
  const std::regex asked(R"~(getenv\("(WARPLAB_ALL_[A-Z]+|WARPLAB_RELEASED_TREE)"\))~");
  int variables = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source / "tests")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = content_of(entry.path());
    for (std::sregex_iterator found(text.begin(), text.end(), asked), end; found != end; ++found) {
      ++variables;
      EXPECT_NE(guide.find("| `" + found->str(1) + "` |"), std::string::npos)
          << entry.path() << ": " << found->str(1);
      EXPECT_EQ(run.find(found->str(1)), std::string::npos) << "the guide says that .ci/run sets none";
    }
  }
  EXPECT_GE(variables, 5);
}

TEST(Documents, NoPlaceholderIsLeft) {
  const std::regex placeholder("\\b[A-Z]+_OUTPUT\\b|@[A-Z]+@|\\bTBD\\b|\\bFIXME\\b");
  for (const fs::path& document : document_paths()) {
    std::ifstream in(document);
    for (std::string line; std::getline(in, line);)
      EXPECT_FALSE(std::regex_search(line, placeholder)) << document << ": " << line;
  }
}

// The tables of rungs are filled in from committed results: by the lens, and by a GPU.
TEST(Documents, TablesOfRungsAreWhatTheResultsSay) {
  int tables = 0;
  for (const fs::path& document : document_paths()) {
    std::ifstream in(document);
    std::stringstream text;
    text << in.rdbuf();
    if (text.str().find("<!-- rungs of ") == std::string::npos) continue;
    ++tables;
    const Outcome made =
        run("'" WARPLAB_BINARY_DIR "/bin/warplab-results' tables '" + document.string() + "'");
    EXPECT_EQ(made.exit_code, 0) << document << ": " << made.output;
    EXPECT_TRUE(made.output == text.str()) << document << " differs from its results: warplab-results tables "
                                           << document.string() << " --write";
  }
  EXPECT_GE(tables, 11);
}

/// A row of a table, as its cells.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');)
    cells.push_back(std::regex_replace(cell, std::regex("^ +| +$"), ""));
  return cells;
}

/// A table of a handout that has counts and also a rate or a time.
struct Ladder {
  fs::path document;
  int line = 0;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;

  std::optional<double> number(const std::vector<std::string>& row, std::size_t column) const {
    char* end = nullptr;
    const double value = std::strtod(row.at(column).c_str(), &end);
    return end == row.at(column).c_str() ? std::nullopt : std::optional(value);
  }
  /// The column of the rate or time, and whether more is better; none if the table has neither.
  std::optional<std::pair<std::size_t, bool>> speed() const {
    for (std::size_t i = 0; i < header.size(); ++i)
      if (header[i] == "GB/s" || header[i] == "GFLOP/s" || header[i] == "ms")
        return std::pair(i, header[i] != "ms");
    return std::nullopt;
  }
  std::vector<std::size_t> counts() const {
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < header.size(); ++i)
      if (header[i].starts_with("moved /") || header[i].starts_with("requests /") ||
          header[i].starts_with("wavefronts /") || header[i].starts_with("atomics /"))
        columns.push_back(i);
    return columns;
  }
};

std::vector<Ladder> ladders() {
  std::vector<Ladder> found;
  for (const fs::path& path : document_paths()) {
    const std::vector<std::string> lines = read_document(path).lines;
    for (std::size_t i = 0; i + 2 < lines.size(); ++i) {
      if (!lines[i].starts_with("<!-- rungs of ")) continue;
      Ladder ladder{path, static_cast<int>(i) + 1, cells_of(lines[i + 1]), {}};
      for (std::size_t row = i + 3; row < lines.size() && lines[row].starts_with("|"); ++row)
        ladder.rows.push_back(cells_of(lines[row]));
      if (ladder.speed() && !ladder.counts().empty()) found.push_back(std::move(ladder));
    }
  }
  return found;
}

// A student reads counts as costs. So in no column may the fastest rung have the largest count.
TEST(Documents, TheFastestRungOfALadderNeverLooksWorst) {
  for (const Ladder& ladder : ladders()) {
    if (ladder.rows.size() < 2) continue;  // nothing to compare with
    const auto [speed, more_is_better] = *ladder.speed();
    const std::vector<std::string>* best = nullptr;
    for (const auto& row : ladder.rows) {
      const std::optional<double> value = ladder.number(row, speed);
      if (value && (!best || (more_is_better ? *value > *ladder.number(*best, speed)
                                             : *value < *ladder.number(*best, speed))))
        best = &row;
    }
    ASSERT_NE(best, nullptr) << ladder.document << ":" << ladder.line;
    for (const std::size_t column : ladder.counts()) {
      const std::optional<double> of_best = ladder.number(*best, column);
      const bool another_has_as_many = std::ranges::any_of(ladder.rows, [&](const auto& row) {
        return &row != best && ladder.number(row, column).value_or(-1) >= of_best.value_or(0);
      });
      EXPECT_TRUE(!of_best || another_has_as_many)
          << ladder.document << ":" << ladder.line << ": " << best->front()
          << " is the fastest, and has most " << ladder.header[column];
    }
  }
  EXPECT_GE(ladders().size(), 8u);
}

}  // namespace
}  // namespace warplab::house
