// No program decides by what a sentence says: kinds, statuses and numbers travel as data, and texts are for
// people. This looks for comparisons with literals of two words or more, and for any that read what an
// exception says or what reports call a piece of memory. It does not see a text that is compared through a
// variable of another file, or in a loop over several texts; reworded.py does.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "common/io/file_content.hpp"

namespace {

namespace fs = std::filesystem;
using warplab::file_content;

const fs::path source = WARPLAB_SOURCE_DIR;

/// Texts that may be compared with, by file. None of them is a message of ours.
const std::set<std::pair<std::string, std::string>> allowed = {
    // Marks in source files and handouts.
    {"grader/check/exercise_rules.cpp", "// BEGIN SOLUTION"},
    {"grader/release/withheld_parts.cpp", "BEGIN WITHHELD"},
    {"grader/release/withheld_parts.cpp", "END WITHHELD"},
    {"grader/release/withheld_parts.cpp", "// BEGIN SOLUTION"},
    {"grader/release/withheld_parts.cpp", "// END SOLUTION"},
    {"grader/release/solution_regions.cpp", "// BEGIN SOLUTION"},
    {"report/handouts/rung_table.cpp", "<!-- rungs of "},
    {"report/handouts/handout_pictures.cpp", "<!-- accesses of "},
    {"grader/predict/sealed_ladder.cpp", "<!-- rungs of "},
    // The name of a kind, in data.
    {"lens/text/advice.cpp", "shared memory"},
    // What other programs write.
    {"emulator/src/recorder/instrumented_build.cpp",
     "(anonymous namespace)::"},                                   // the compiler, in a function's name
    {"grader/intake/archive.cpp", "Unrecognized archive format"},  // libarchive, which has no number for it
    {"grader/build/sandboxed_builder.cpp",
     "CPU time limit exceeded signal terminated program"},  // g++, whose exit code is that of any error
    {"lens/nvidia/nsight_csv.cpp", "File Path"},            // Nsight Compute's columns
    {"lens/nvidia/nsight_csv.cpp", "File Name"},
    {"lens/nvidia/nsight_csv.cpp", "Function Name"},
    {"lens/nvidia/nsight_csv.cpp", "Line No"},
};

struct Comparison {
  int line;
  std::string text;
};

const std::string literal = R"re("((?:[^"\\]|\\.)*)")re",
                  call = R"re(\b(?:r?find|starts_with|ends_with|contains|compare|strstr|strn?cmp|)re"
                         R"re((?:regex_)?(?:search|match)|regex(?: \w+)?)\()re",
                  equals = "[=!]= *";

bool is_sentence(const std::string& text) {
  static const std::regex words("[A-Za-z]{2,}[,:;]? [A-Za-z]{2,}");
  return std::regex_search(text, words);
}

/// The comparisons of a program's text with literals that read like sentences, also by a constant's name.
std::vector<Comparison> comparisons(const std::string& text) {
  static const std::regex with_literal("(?:" + call + "(?:[^\"();]*,)? *|" + equals + ")" + literal),
      with_names("(?:" + call + "([^\";]*)|" + equals + "(\\w+))"), name("\\w+"),
      constant(R"(\bconst(?:expr|init)?\b[^;"=(]*\b(\w+)(?:\[\])? *[=({] *)" + literal);
  const std::sregex_iterator end;
  std::vector<Comparison> found;
  std::map<std::string, std::string> constants;
  int number = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    ++number;
    line.erase(0, line.find_first_not_of(' '));
    if (line.starts_with("//")) continue;
    for (std::sregex_iterator at(line.begin(), line.end(), constant); at != end; ++at)
      if (is_sentence((*at)[2])) constants[(*at)[1]] = (*at)[2];
    for (std::sregex_iterator at(line.begin(), line.end(), with_literal); at != end; ++at)
      if (is_sentence((*at)[1])) found.push_back({number, (*at)[1]});
    if (constants.empty()) continue;
    for (std::sregex_iterator at(line.begin(), line.end(), with_names); at != end; ++at) {
      const std::string names = (*at)[1].str() + " " + (*at)[2].str();
      for (std::sregex_iterator word(names.begin(), names.end(), name); word != end; ++word)
        if (const auto known = constants.find(word->str()); known != constants.end())
          found.push_back({number, known->second});
    }
  }
  return found;
}

/// All programs' sources and headers, by their names in the tree.
std::map<std::string, std::string> programs() {
  std::map<std::string, std::string> texts;
  for (const char* const folder : {"common", "emulator", "grader", "harness", "lens", "report", "runner"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source / folder))
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
        texts[fs::relative(entry.path(), source)] = file_content(entry.path());
  EXPECT_GT(texts.size(), 300u);
  return texts;
}

/// A text that is made for people: how the expressions end that have it.
struct ForPeople {
  std::string word, expression;
};
const ForPeople of_exception{"what()", R"(\bwhat\(\))"}, of_memory{"function", R"((?:\.|->)function\b)"};

/// The lines of a program that look for something in the text.
std::vector<int> looks_into(const ForPeople& text, const std::string& program) {
  const std::string& ends = text.expression;
  const std::regex look("(?:" + ends +
                        R"re()[\s)}]*(?:\.(?:r?find|starts_with|ends_with|contains|compare)\w*)re" +
                        R"re(\(| *[=!]= *)|[=!]= *[\w.>()-]*(?:)re" + ends + ")|" +
                        R"re((?:strn?cmp|strstr|regex_search|regex_match)\([^;]*(?:)re" + ends + ")");
  std::vector<int> found;
  std::istringstream in(program);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    line.erase(0, line.find_first_not_of(' '));
    const bool may_look = line.find(text.word) != std::string::npos && !line.starts_with("//");
    if (may_look && std::regex_search(line, look)) found.push_back(number);
  }
  return found;
}

TEST(Kinds, NoProgramDecidesBySentences) {
  for (const auto& [file, text] : programs())
    for (const Comparison& c : comparisons(text))
      EXPECT_TRUE(allowed.contains({file, c.text}))
          << file << ":" << c.line << " compares with \"" << c.text << "\"; let a kind or a status decide";
}

TEST(Kinds, NoProgramDecidesByWhatAnExceptionSays) {
  for (const auto& [file, text] : programs())
    for (const int line : looks_into(of_exception, text))
      ADD_FAILURE() << file << ":" << line << " looks into what(); catch a type of its own";
}

TEST(Kinds, TheEmulatorDecidesByNoNameOfMemory) {
  for (const auto& [file, text] : programs())
    if (file.starts_with("emulator/src/"))
      for (const int line : looks_into(of_memory, text))
        ADD_FAILURE()
            << file << ":" << line
            << " looks into a text for reports; see Space, is_constant, is_registered, names_symbol";
}

TEST(Kinds, WhatIsAllowedIsThere) {
  for (const auto& [file, text] : allowed) {
    bool is_there = false;
    for (const Comparison& c : comparisons(file_content(source / file))) is_there |= c.text == text;
    EXPECT_TRUE(is_there) << file << " no longer compares with \"" << text << "\"";
  }
}

TEST(Kinds, ComparisonsAreFound) {
  for (const char* const line :
       {R"(if (why.find("did not build") == 0))", R"(return text.starts_with("warplab itself failed");)",
        R"(if (kind == "out of bounds"))", R"(static const std::regex error("it failed: (.*) bytes");)",
        R"(std::strstr(text, "no such file"))",
        "constexpr std::string_view mark = \"warplab emulator:\";\nif (line.rfind(mark, 0) == 0)",
        "constexpr const char* own = \"warplab itself failed\";\nreturn problem.starts_with(own);"})
    EXPECT_EQ(comparisons(line).size(), 1u) << line;
  for (const char* const line :
       {R"(say("did not build");)", R"(if (name == "race"))", R"(text.find(", "))",
        R"(// x == "did not build")", R"(throw BadInput(x == 0 ? "it is empty" : "it is not an archive");)"})
    EXPECT_TRUE(comparisons(line).empty()) << line;
}

TEST(Kinds, LooksIntoTextsAreFound) {
  for (const char* const line :
       {R"(if (std::string_view(error.what()).find("published.json") != npos) throw;)",
        R"(return std::string(error.what()).starts_with("x");)", R"(if (error.what() == wanted))",
        R"(if (wanted != error.what()))", R"(if (std::strstr(error.what(), "x")))",
        R"(if (std::string_view{error.what()} == "x"))"})
    EXPECT_EQ(looks_into(of_exception, line).size(), 1u) << line;
  for (const char* const line :
       {R"(range.constant = known->function.starts_with("__constant__");)", R"(a.function == "cudaMalloc")",
        R"(std::string_view(t.function).find("Symbol") != std::string_view::npos)"})
    EXPECT_EQ(looks_into(of_memory, line).size(), 1u) << line;
  for (const char* const line : {R"(throw BadInput(place + error.what());)",
                                 R"(why = text.empty() ? error.what() : text;)", R"(// error.what() == "x")",
                                 R"(place.name() == name ? place.function : "")", R"(function == nullptr)"})
    EXPECT_TRUE(looks_into(of_exception, line).empty() && looks_into(of_memory, line).empty()) << line;
}

}  // namespace
