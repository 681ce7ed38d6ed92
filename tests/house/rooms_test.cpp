// The rooms that the sources are divided into: what they may include, how they are described, and where a
// function is looked for.
#include "tests/house/rooms.hpp"

#include <gtest/gtest.h>

#include "tests/common/scratch_folder.hpp"

namespace warplab::house {
namespace {

namespace fs = std::filesystem;
using Sentences = std::vector<std::string>;

const fs::path source = WARPLAB_SOURCE_DIR, build = WARPLAB_BINARY_DIR;

std::string joined(const Sentences& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += sentence + "\n";
  return text;
}

const std::vector<Room>& rooms() {
  static const std::vector<Room> all = read_rooms(build / "rooms.txt");
  return all;
}

TEST(Rooms, IncludeWhatTheyMay) {
  ASSERT_GT(rooms().size(), 15u);
  EXPECT_EQ(joined(forbidden_includes(source, rooms())), "");
}

TEST(Tree, HasNoHeadersThatIncludeEachOther) {
  const std::vector<fs::path> folders{"common", "emulator",  "grader", "harness", "labs",
                                      "lens",   "reference", "report", "runner",  "tests"};
  EXPECT_EQ(joined(include_circles(source, folders, {"", "emulator/include"})), "");
}

TEST(Rooms, AreDescribed) {
  std::vector<Room> all = rooms();
  for (const char* made_of_rooms : {"grader", "harness"}) all.push_back({made_of_rooms, {}});
  EXPECT_EQ(joined(undescribed_rooms(source, all)), "");
}

TEST(Rooms, NameTheirFilesWhereTheyHaveATableOfThem) {
  EXPECT_EQ(joined(unlisted_files(source, rooms())), "");
}

TEST(Rooms, SayWhatEachTypeOfAHeaderIs) { EXPECT_EQ(joined(undocumented_types(source, rooms())), ""); }

TEST(Rooms, DefineWhatAHeaderDeclaresInASourceOfItsName) {
  const std::vector<Definition> definitions = definitions_in(source, rooms());
  const Declarations declarations = declarations_in(source, rooms());
  ASSERT_GT(definitions.size(), 500u);
  ASSERT_GT(declarations.functions.size(), 200u);
  ASSERT_GT(declarations.classes.size(), 100u);
  EXPECT_EQ(joined(misplaced_definitions(definitions, declarations)), "");
}

/// A tree of two rooms, of which `upper` may include `lower`.
class MadeRooms : public testing::Test {
 protected:
  MadeRooms() {
    for (const char* room : {"lower", "upper"}) {
      tree.write(std::string(room) + "/CMakeLists.txt", "");
      tree.write(std::string(room) + "/README.md", "1\n2\n3\n4\n5\n6\n7\n8\n");
    }
    tree.write("lower/word.hpp", "#pragma once\n#include <string>\n#include \"fmt/core.h\"\n");
    tree.write("upper/page.hpp", "#include \"lower/word.hpp\"\n#include \"upper/line.hpp\"\n");
    tree.write("upper/line.hpp", "#pragma once\n");
    both = read_rooms(tree.write("rooms.txt", "lower\nupper lower\n"));
  }

  ScratchFolder tree;
  std::vector<Room> both;
};

TEST_F(MadeRooms, AreReadWithWhatTheyMayInclude) {
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[1].folder, "upper");
  EXPECT_EQ(both[1].may_include, (std::set<std::string>{"lower", "upper"}));
  EXPECT_EQ(both[0].may_include, std::set<std::string>{"lower"});
}

TEST_F(MadeRooms, MayIncludeDownwardsOnly) {
  EXPECT_EQ(forbidden_includes(tree.path(), both), Sentences{});
  tree.write("lower/word.cpp", "  #  include \"upper/line.hpp\"  // for lines\n");
  EXPECT_EQ(forbidden_includes(tree.path(), both),
            Sentences{"lower/word.cpp includes upper/line.hpp, which lower may not"});
}

TEST_F(MadeRooms, MayIncludeNothingOfAFolderThatIsNotARoom) {
  tree.write("attic/old.hpp", "");
  tree.write("upper/kernel.cu", "#include \"../attic/old.hpp\"\n");
  EXPECT_EQ(forbidden_includes(tree.path(), both),
            Sentences{"upper/kernel.cu includes attic/old.hpp, which upper may not"});
}

TEST_F(MadeRooms, HaveTheirCirclesShown) {
  EXPECT_EQ(include_circles(tree.path(), {"lower", "upper"}, {""}), Sentences{});
  tree.write("upper/line.hpp", "#include \"upper/pen.hpp\"\n");
  tree.write("upper/pen.hpp", "#include \"upper/page.hpp\"\n");
  EXPECT_EQ(include_circles(tree.path(), {"lower", "upper"}, {""}),
            Sentences{"upper/line.hpp -> upper/pen.hpp -> upper/page.hpp -> upper/line.hpp"});
}

TEST_F(MadeRooms, HaveCirclesShownThatPassThroughAnIncludeFolder) {
  tree.write("lower/include/barrier", "#include \"own/words.h\"\n");
  tree.write("lower/include/own/words.h", "#include <barrier>\n#include <vector>\n");
  EXPECT_EQ(include_circles(tree.path(), {"lower"}, {""}), Sentences{});
  EXPECT_EQ(include_circles(tree.path(), {"lower"}, {"", "lower/include"}),
            Sentences{"lower/include/barrier -> lower/include/own/words.h -> lower/include/barrier"});
}

TEST_F(MadeRooms, NeedADescriptionOfSomeLength) {
  EXPECT_EQ(undescribed_rooms(tree.path(), both), Sentences{});
  tree.write("upper/README.md", "upper\n");
  tree.write("upper/attic/README.md", "attic\n");
  fs::remove(tree / "lower/README.md");
  fs::remove(tree / "lower/CMakeLists.txt");
  EXPECT_EQ(undescribed_rooms(tree.path(), both),
            (Sentences{"lower has no CMakeLists.txt", "lower has no README.md",
                       "upper/README.md has 1 lines; it should have 8 to 25",
                       "upper/README.md does not name attic"}));
}

TEST_F(MadeRooms, NeedAllTheirFilesInATableThatTheyHave) {
  tree.write("lower/word_list.cpp", "");
  EXPECT_EQ(unlisted_files(tree.path(), both), Sentences{}) << "no table";
  tree.write("lower/README.md", "\n| file | holds |\n|---|---|\n| `word` | words |\n");
  EXPECT_EQ(unlisted_files(tree.path(), both), Sentences{}) << "word_list.cpp is a part of word.hpp's";
  tree.write("lower/word_list.hpp", "");
  tree.write("lower/line.cpp", "");
  EXPECT_EQ(unlisted_files(tree.path(), both), (Sentences{"lower/README.md does not name line.cpp",
                                                          "lower/README.md does not name word_list.cpp",
                                                          "lower/README.md does not name word_list.hpp"}));
}

TEST(TypesOfAHeader, NeedADocCommentUnlessTheyAreSpecialisations) {
  const auto found = [](const std::string& text) { return joined(undocumented_types_in(text)); };
  EXPECT_EQ(found("/// A word.\nstruct Word {\n  struct Letter {};\n};\nclass Later;\n"), "");
  EXPECT_EQ(
      found("/// The key of a type.\ntemplate <class T>\nstruct Key;\ntemplate <>\nstruct Key<int> {};\n"),
      "");
  EXPECT_EQ(found("\nstruct Word {\n};\n"), "Word\n");
  EXPECT_EQ(found("struct Pair { int a; };\nenum class Kind : int { one };\n"), "Pair\nKind\n");
  EXPECT_EQ(found("// A word, not for readers of the header.\nclass Word\n    : public Text {\n"), "Word\n");
  EXPECT_EQ(found("/// A key.\n\ntemplate <class T, class = void>\nstruct alignas(16) Key {\n"), "Key\n");
  EXPECT_EQ(found("struct Page::State {\n};\n"), "Page::State\n");
}

const char* const header_text = R"(
#pragma once
#define CHECK(x) do { (x); } while (0)
namespace warplab {
/// Not a function: gone(int);
class Later;
template <class T = std::vector<int>>
struct Words : Base<T> {
  std::string note = {};
  int count() const { return first(';'); }
  class Inner { void run(); };
};
[[nodiscard]] std::string text_of(const std::string& from = {"a;b{"}, int count = 3);
inline int quick() { return slow(1); }
constexpr int limit = limit_of(3);
bool operator==(const Words<int>& a, const Words<int>& b);
static_assert(sizeof(int) == 4);
namespace report::html {
std::map<int, std::string> escaped(int);
}
}  // namespace warplab
extern "C" int entry(void);
)";

TEST(HeaderDeclarations, AreFunctionsAndClassesAtNamespaceScope) {
  Declarations found;
  add_declarations(header_text, "room/words.hpp", found);
  std::set<std::string> functions, classes;
  for (const auto& [name, headers] : found.functions) functions.insert(name);
  for (const auto& [name, headers] : found.classes) classes.insert(name);
  EXPECT_EQ(functions, (std::set<std::string>{"entry", "warplab::operator==",
                                              "warplab::report::html::escaped", "warplab::text_of"}));
  EXPECT_EQ(classes, std::set<std::string>{"warplab::Words"});
  EXPECT_EQ(found.namespaces, (std::set<std::string>{"warplab", "warplab::report", "warplab::report::html"}));
}

TEST(Definitions, AreTheFunctionsWithExternalLinkage) {
  std::vector<Definition> found;
  add_definitions(R"(
#include "room/words.hpp"
namespace warplab {
namespace {
int own() { return 1; }
}
static int hidden() { return own(); }
const std::map<int, int> table = made({{1, 2}});
std::string text_of(const std::string& from, int count) try { return {count, '}'}; } catch (...) { throw; }
template <>
int Words<int>::count() const { if (a < b) { return 1; } return 2; }
Words<int>::Words(int n) : n_{n}, more_(own()) {}
Words<int>::~Words() = default;
void Words<int>::Inner::run() {}
bool operator==(const Words<int>&, const Words<int>&) { return true; }
int declared_only();
}
extern "C" int entry(void) { return 0; }
)",
                  "room/words.cpp", found);
  std::set<std::string> names;
  for (const Definition& definition : found) names.insert(definition.name);
  names.erase("warplab::more_");  // of a list of members, which no header declares
  EXPECT_EQ(names, (std::set<std::string>{"entry", "warplab::Words::Inner::run", "warplab::Words::Words",
                                          "warplab::Words::count", "warplab::Words::~Words",
                                          "warplab::operator==", "warplab::text_of"}));
}

TEST(Definitions, BelongIntoTheSourceOfTheirHeadersName) {
  Declarations declared;
  add_declarations(header_text, "room/words.hpp", declared);
  const auto misplaced = [&](const std::string& file, const std::string& name) {
    return joined(misplaced_definitions({{file, name}}, declared));
  };
  for (const char* name : {"warplab::text_of", "warplab::Words::count", "warplab::Words::Inner::run",
                           "warplab::operator==", "warplab::report::html::escaped", "entry"}) {
    EXPECT_EQ(misplaced("room/words.cpp", name), "");
    EXPECT_EQ(misplaced("room/words_long.cpp", name), "");
    EXPECT_NE(misplaced("room/wordsmith.cpp", name), "") << name;
    EXPECT_NE(misplaced("room/word.cpp", name), "") << name;
  }
  EXPECT_EQ(misplaced("room/page.cpp", "warplab::text_of"),
            "room/page.cpp defines warplab::text_of, which room/words.hpp declares\n");
  EXPECT_EQ(misplaced("room/page.cpp", "warplab::undeclared"), "");
  EXPECT_EQ(misplaced("room/page.cpp", "warplab::Page::text_of"), "")
      << "another class has a member of that name";
  EXPECT_EQ(misplaced("other/words.cpp", "entry"),
            "other/words.cpp defines entry, which room/words.hpp declares\n");
}

TEST(Definitions, MayBeOfAnOverloadThatTheirOwnHeaderDeclares) {
  Declarations declared;
  add_declarations("namespace w { int name_of(int); }", "room/number.hpp", declared);
  add_declarations("namespace w { int name_of(char); }", "room/letter.hpp", declared);
  EXPECT_EQ(misplaced_definitions({{"room/letter.cpp", "w::name_of"}}, declared), Sentences{});
  EXPECT_EQ(
      misplaced_definitions({{"room/sign.cpp", "w::name_of"}}, declared),
      Sentences{"room/sign.cpp defines w::name_of, which room/letter.hpp and room/number.hpp declares"});
}

}  // namespace
}  // namespace warplab::house
