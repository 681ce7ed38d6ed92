// What can be checked of the documents without running a command: links, snippets, generated tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
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

TEST(Documents, NoPlaceholderIsLeft) {
  const std::regex placeholder("\\b[A-Z]+_OUTPUT\\b|@[A-Z]+@|\\bTBD\\b|\\bFIXME\\b");
  for (const fs::path& document : document_paths()) {
    std::ifstream in(document);
    for (std::string line; std::getline(in, line);)
      EXPECT_FALSE(std::regex_search(line, placeholder)) << document << ": " << line;
  }
}

// The tables of rungs are filled in from committed results: by the lens, and by a GPU.
TEST(Documents, LaddersAreWhatTheResultsSay) {
  const std::string counts = (source / "results/emulator-lens/results.json").string();
  const std::string times = (source / "results/h200/results.json").string();
  int ladders = 0;
  for (const fs::path& document : document_paths()) {
    std::ifstream in(document);
    std::stringstream text;
    text << in.rdbuf();
    if (text.str().find("<!-- ladder") == std::string::npos) continue;
    ++ladders;
    const Outcome made = run("'" WARPLAB_BINARY_DIR "/bin/warplab-results' ladder '" + document.string() +
                             "' '" + counts + "' '" + times + "'");
    EXPECT_EQ(made.exit_code, 0) << document << ": " << made.output;
    EXPECT_TRUE(made.output == text.str())
        << document << " differs from its results: warplab-results ladder ... --write renews it";
  }
  EXPECT_GE(ladders, 8);
}

// These tables name their run themselves.
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
  EXPECT_GE(tables, 3);
}

}  // namespace
}  // namespace warplab::house
