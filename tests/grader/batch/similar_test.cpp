// A class beside earlier terms and published solutions, and what other programs get of it.
#include <gtest/gtest.h>

#include "common/host/bad_input.hpp"
#include "grader/release/handed_out.hpp"
#include "grader/similar/export_files.hpp"
#include "grader/similar/others.hpp"
#include "grader/text/source_tree.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/release/release_trees.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

const fs::path tree = WARPLAB_SOURCE_DIR;
const TaskFile file{"07_transpose", "transpose_tiled_padded_rows.cu"};

const Course& course() {
  static const Course one = Course::read(tree).only({"transpose"});
  return one;
}

std::string place(const std::string& student) { return student + "/labs/" + file.first + "/" + file.second; }

/// Our solution, with other names and comments.
std::string renamed() {
  std::string text = others_in(tree, {file}).at(0).files.at(file);
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"first_row", "r0"}, {"first_col", "c0"}})
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
      text.replace(at, from.size(), to);
  return "// All of this is mine.\n" + text;
}

TEST(Others, OfACourseTreeAreItsSolutions) {
  const auto others = others_in(tree, task_files(course()));
  ASSERT_EQ(others.size(), 1u);
  EXPECT_EQ(others[0].student, tree.string());
  EXPECT_EQ(others[0].files.size(), task_files(course()).size());
  EXPECT_EQ(others[0].files.at(file).find("BEGIN SOLUTION"), std::string::npos);
  EXPECT_EQ(others[0].files.at(file).find("warplab::todo"), std::string::npos);
}

TEST(Others, OfAnotherTermAreItsSubmissions) {
  const ScratchFolder term;
  term.write(place("ada"), "int ada;\n");
  term.write(place("bob"), "int bob;\n");
  const auto others = others_in(term.path(), {file});
  ASSERT_EQ(others.size(), 2u);
  EXPECT_EQ(others[0].student, (term.path() / "ada").string());
  EXPECT_EQ(others[1].files.at(file), "int bob;\n");
  const ScratchFolder empty;
  empty.write("ada/essay.txt", "words");
  EXPECT_EQ(message_of<BadInput>([&] { others_in(empty.path(), {file}); }),
            empty.path().string() + " holds no file that a task names");
}

TEST(SimilarToOthers, FindsACopyOfASolutionAlsoWhereManyHandItIn) {
  const auto solutions = others_in(tree, {file});
  std::vector<TakenFiles> all;
  for (int i = 0; i < 12; ++i) all.push_back({"copies" + std::to_string(i), {{file, renamed()}}});
  all.push_back({"todo", {{file, handed_out(*course().find("transpose"), file.second)}}});
  const auto pairs = similar_to_others(all, solutions, given_files(course()));
  ASSERT_EQ(pairs.size(), 12u);
  EXPECT_EQ(pairs[0].first, "copies0");
  EXPECT_EQ(pairs[0].second, tree.string());
  EXPECT_FALSE(pairs[0].files.at(0).identical);
  EXPECT_EQ(pairs[0].files.at(0).share, 1);
  all[3].files[file] = "// A remark.\n" + solutions[0].files.at(file);
  const auto again = similar_to_others(all, solutions, given_files(course()));
  EXPECT_EQ(again.at(0).first, "copies3");
  EXPECT_TRUE(again[0].files.at(0).identical);
}

TEST(SimilarToOthers, AnotherTasksSolutionIsNotAlike) {
  const auto solutions = others_in(tree, task_files(course()));
  const TakenFiles honest{"honest", {{file, solutions[0].files.at({file.first, "transpose_vectorized.cu"})}}};
  EXPECT_TRUE(similar_to_others({honest}, solutions, given_files(course())).empty());
}

TEST(Export, HasNumbersInPlaceOfNames) {
  const ScratchFolder scratch;
  const fs::path out = scratch / "export";
  export_files({{"Ada, L.", {{file, "int ada;\n"}}}, {"bob", {{file, "int bob;\n"}}}},
               {{"2026/carl", {{file, "int carl;\n"}}}}, {{file, "int;\n"}}, out);
  const std::string end = "/" + file.first + "/" + file.second;
  EXPECT_EQ(tree_of(out),
            (std::map<std::string, std::string>{
                {"base" + end, "int;\n"},
                {"names.csv", "folder,name\nnew/0001,\"Ada, L.\"\nnew/0002,bob\nold/0001,2026/carl\n"},
                {"new/0001" + end, "int ada;\n"},
                {"new/0002" + end, "int bob;\n"},
                {"old/0001" + end, "int carl;\n"}}));
  EXPECT_EQ(message_of<BadInput>([&] { export_files({}, {}, {}, out); }),
            out.string() + " is there already; an export takes a new folder");
  EXPECT_NE(commands_for(out, true).find("--old"), std::string::npos);
  EXPECT_EQ(commands_for(out, false).find("old"), std::string::npos);
}

}  // namespace
}  // namespace warplab
