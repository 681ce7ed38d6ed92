// Labs that differ from the published ones: how diffs are read, what is drawn, written and refused.
#include "grader/variant/variant.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "common/host/bad_input.hpp"
#include "grader/variant/overlay.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/release/release_trees.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

const Secret secret("0123456789abcdef0123456789abcdef");

std::string diff_of(const std::string& file, const std::string& hunks) {
  return "What it does.\n\n--- a/" + file + "\n+++ b/" + file + "\n" + hunks;
}
std::string refusal_of_diff(const std::string& diff) {
  return message_of<BadInput>([&] { edits_of(diff, "d"); });
}

TEST(VariantEdits, AreTheHunksOfAUnifiedDiff) {
  const auto edits = edits_of(diff_of("labs/01_x/x.cu",
                                      "@@ -3,3 +3,3 @@ a function\n void f() {\n-  a + b;\n+  a - b;\n\n"
                                      "@@ -9 +9,2 @@\n-one\n+two\n+three\n"),
                              "x.diff");
  ASSERT_EQ(edits.size(), 2u);
  EXPECT_EQ(edits[0].file, "labs/01_x/x.cu");
  EXPECT_EQ(edits[0].place, "x.diff:5");
  EXPECT_EQ(edits[0].of, "void f() {\n  a + b;\n\n");  // an empty line is one whose blank an editor cut off
  EXPECT_EQ(edits[0].becomes, "void f() {\n  a - b;\n\n");
  EXPECT_EQ(edits[1].place, "x.diff:10");
  EXPECT_EQ(edits[1].of, "one\n");
  EXPECT_EQ(edits[1].becomes, "two\nthree\n");
}

TEST(VariantEdits, AreRefusedWithTheirLine) {
  EXPECT_EQ(refusal_of_diff("words only\n"), "d changes nothing: it has no hunk");
  EXPECT_EQ(refusal_of_diff("@@ -1 +1 @@\n-a\n+b\n"), "d:1: a hunk before the name of its file");
  const std::string names =
      "a variant changes files that are there: '--- a/FILE', then '+++ b/FILE' with the same name";
  EXPECT_EQ(refusal_of_diff("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n"), "d:1: " + names);
  EXPECT_EQ(refusal_of_diff("--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n"), "d:1: " + names);
  EXPECT_EQ(refusal_of_diff("--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n"),
            "d:1: '../x' is not a file of the tree");
  EXPECT_EQ(refusal_of_diff(diff_of("x", "@@ -1,2 +1,2 @@\n-a\n+b\n")), "d:8: the diff ends within a hunk");
  EXPECT_EQ(refusal_of_diff(diff_of("x", "@@ -1 +1 @@\n-a\n-b\n+c\n")),
            "d:7: the hunk has more or fewer lines than its first line counts");
  EXPECT_EQ(refusal_of_diff(diff_of("x", "@@ -1 +1 @@\n-a\n+b\n c\n")), "d:8: ' c' belongs to no hunk");
  EXPECT_EQ(refusal_of_diff(diff_of("x", "@@ -1,0 +1 @@\n+b\n")),
            "d:5: a hunk needs a line of the file, to find its place");
  EXPECT_EQ(refusal_of_diff(diff_of("x", "@@ -1 +1 @@\n-a\n+a\n")), "d:5: the hunk changes nothing");
  EXPECT_EQ(refusal_of_diff(diff_of("x", "@@ first @@\n-a\n+b\n")),
            "d:5: '@@ first @@' does not begin a hunk");
}

TEST(VariantEdits, FindWholeLinesExactlyOnce) {
  const Edit edit{"x.cu", "x.diff:5", "  b;\n", "  c;\n"};
  EXPECT_EQ(with_edit("a;\n  b;\n    b;\n", edit), "a;\n  c;\n    b;\n");
  EXPECT_EQ(message_of<BadInput>([&] { with_edit("a;\n  b; // there\n", edit); }),
            "x.diff:5: x.cu has these lines 0 times, not once: b;");
  EXPECT_EQ(message_of<BadInput>([&] { with_edit("  b;\n  b;\n", edit); }),
            "x.diff:5: x.cu has these lines 2 times, not once: b;");
}

/// A tree of two labs, of which alpha has variants.
class Variants : public ::testing::Test {
 protected:
  Variants() {
    for (const char* lab : {"01_alpha", "02_beta"}) {
      const std::string stem = std::string(lab).substr(3);
      tree_.write("labs/" + std::string(lab) + "/tasks.json", "{}");
      tree_.write("labs/" + std::string(lab) + "/" + stem + ".cu", "  a + b;\n  first;\n  last;\n");
      tree_.write("labs/" + std::string(lab) + "/" + stem + "_problem.cpp", "");
      tree_.write("reference/" + stem + ".cpp", "sum\n");
      tree_.write("reference/" + stem + ".hpp", "");
    }
    fs::permissions(tree_.write("run_all.sh", "#!/bin/sh\n"), fs::perms(0755));
    declare(R"([{"axis": "op", "choices": [{"choice": "minus", "what": "a - b"},
                                           {"choice": "times", "what": "a * b"}]},
                {"axis": "order", "choices": [{"choice": "published", "what": "as it is"},
                                              {"choice": "back", "what": "last first"}]}])");
    diff("op_minus", "labs/01_alpha/alpha.cu", "@@ -1 +1 @@\n-  a + b;\n+  a - b;\n");
    diff("op_times", "labs/01_alpha/alpha.cu", "@@ -1 +1 @@\n-  a + b;\n+  a * b;\n");
    diff("order_back", "labs/01_alpha/alpha.cu", "@@ -2,2 +2,2 @@\n-  first;\n   last;\n+  first;\n");
  }
  void declare(const std::string& axes) const {
    tree_.write("labs/01_alpha/variants/variants.json", R"({"lab": "alpha", "axes": )" + axes + "}");
  }
  void diff(const std::string& name, const std::string& file, const std::string& hunks) const {
    tree_.write("labs/01_alpha/variants/" + name + ".diff", diff_of(file, hunks));
  }
  Course course() const {
    Course course = course_of(tree_.path());
    std::ranges::sort(course.labs, {}, &Lab::stem);
    return course;
  }
  std::string refusal() const {
    return message_of<BadInput>([&] { variants_of(tree_.path(), course().labs.at(0)); });
  }
  fs::path out() const { return beside_ / "variant"; }

  ScratchFolder tree_, beside_;
};

TEST_F(Variants, AreDrawnBySecretAndFixedByName) {
  std::set<std::string> drawn;
  for (int i = 0; i < 64; ++i) {
    const Secret other(fmt::format("{:032x}", i));
    std::string all;
    for (const Chosen& one : chosen_by(course(), other)) all += one.axis + "=" + one.choice + " ";
    std::string again;
    for (const Chosen& one : chosen_by(course(), other)) again += one.axis + "=" + one.choice + " ";
    EXPECT_EQ(all, again);
    drawn.insert(all);
  }
  EXPECT_EQ(drawn.size(), 4u) << "axes are drawn independently of each other";
  const auto fixed = chosen_by(course(), secret, {"alpha/op=times", "alpha/order=back"});
  ASSERT_EQ(fixed.size(), 2u);
  EXPECT_EQ(fixed[0].choice, "times");
  EXPECT_EQ(fixed[1].choice, "back");
  const auto refused = [&](const std::string& choice) {
    return message_of<BadInput>([&] { chosen_by(course(), secret, {choice}); });
  };
  EXPECT_EQ(refused("alpha/op=time"), "alpha/op has no \"time\"; did you mean times?; it has minus, times");
  EXPECT_EQ(refused("beta/op=times"), "--choose beta/op=times: no lab of these has such an axis");
  EXPECT_EQ(refused("op=times"),
            "--choose takes LAB/AXIS=CHOICE, such as transpose/direction=left, not 'op=times'");
}

TEST_F(Variants, AreWrittenAsAWholeTree) {
  const auto chosen = chosen_by(course(), secret, {"alpha/op=minus", "alpha/order=back"});
  const VariantReport report = make_variant(course(), chosen, out());
  EXPECT_EQ(report.changed, 1u);
  auto expected = tree_of(tree_.path());
  std::erase_if(expected,
                [](const auto& file) { return file.first.find("/variants/") != std::string::npos; });
  expected["labs/01_alpha/alpha.cu"] = "  a - b;\n  last;\n  first;\n";
  EXPECT_EQ(tree_of(out()), expected);
  EXPECT_EQ(report.files, expected.size());
  EXPECT_EQ(message_of<BadInput>([&] { make_variant(course(), chosen, out()); }),
            out().string() + " is there already; a variant takes a new folder");
}

TEST_F(Variants, AreWholeOrAbsent) {
  const auto chosen = chosen_by(course(), secret, {"alpha/op=minus", "alpha/order=back"});
  tree_.write("labs/01_alpha/alpha.cu", "  a + b;\n  first;\n  something;\n  last;\n");
  EXPECT_EQ(message_of<BadInput>([&] { make_variant(course(), chosen, out()); }),
            "labs/01_alpha/variants/order_back.diff:5: labs/01_alpha/alpha.cu has these lines 0 times, not "
            "once: first;");
  EXPECT_TRUE(fs::is_empty(beside_.path()));
}

TEST_F(Variants, RenameWholeNamesInAllFilesOfTheirLab) {
  tree_.write("labs/01_alpha/alpha.cu", "void alpha_one();  // alpha_one_kernel, my_alpha_one\n");
  tree_.write("labs/01_alpha/README.md", "`alpha_one` is in `alpha_one.cu`. Write alpha_one.\n");
  tree_.write("labs/01_alpha/alpha_adapter.cpp", "call(alpha_one);\n");
  tree_.write("labs/02_beta/beta.cu", "alpha_one\n");
  diff("op_minus", "labs/01_alpha/alpha_adapter.cpp",
       "@@ -1 +1,2 @@\n+#define alpha_one single\n call(alpha_one);\n");
  declare(R"([{"axis": "op", "choices": [{"choice": "minus", "what": "a - b",
              "renames": {"alpha_one": "single"}}]}])");
  EXPECT_EQ(changed_files(course(), {{"alpha", "op", "minus"}}),
            (std::map<std::string, std::string>{
                {"labs/01_alpha/README.md", "`single` is in `alpha_one.cu`. Write single.\n"},
                {"labs/01_alpha/alpha.cu", "void single();  // alpha_one_kernel, my_alpha_one\n"},
                {"labs/01_alpha/alpha_adapter.cpp", "#define alpha_one single\ncall(alpha_one);\n"}}));
}

TEST_F(Variants, ThatAreDescribedWronglyAreRefused) {
  const std::string file = "labs/01_alpha/variants/variants.json: ";
  declare(R"([{"axis": "op", "choices": [{"choice": "published", "what": "x"}]}])");
  EXPECT_EQ(refusal(), file + "every axis has the choice \"published\": the lab might stay as it is");
  declare(
      R"([{"axis": "op", "choices": [{"choice": "minus", "what": "x"}, {"choice": "minus", "what": "y"}]}])");
  EXPECT_EQ(refusal(), file + "\"minus\" is there twice");
  declare(R"([{"axis": "../op", "choices": [{"choice": "published", "what": "x"}]}])");
  EXPECT_EQ(refusal(), file + "the name \"../op\" takes small letters, digits and _");
  declare(R"([{"axis": "op", "choices": [{"choice": "minus"}]}])");
  EXPECT_EQ(refusal(), file + "a part has no text \"what\"");
  declare(R"([{"axis": "op", "choices": []}])");
  EXPECT_EQ(refusal(), file + "a part has no list \"choices\"");
  declare(R"([{"axis": "op", "kind": 1, "choices": []}])");
  EXPECT_EQ(refusal(), file + "\"kind\" means nothing here");
  declare(R"([{"axis": "op", "choices": [{"choice": "minus", "what": "x", "renames": {"a": "b c"}}]}])");
  EXPECT_EQ(refusal(), file + "\"a\": \"b c\" renames no identifier to another");
  declare(R"([{"axis": "op", "choices": [{"choice": "minus", "what": "x", "renames": []}]}])");
  EXPECT_EQ(refusal(), file + "\"renames\" has no names");
  declare(R"([{"axis": "op", "choices": [{"choice": "missing", "what": "x"}]}])");
  EXPECT_NE(refusal().find("op_missing.diff cannot be read"), std::string::npos) << refusal();
}

TEST_F(Variants, ChangeFilesOfTheirOwnLabOnly) {
  for (const char* file : {"labs/02_beta/beta.cu", "reference/beta.cpp", "run_all.sh", "reference/alpha.md",
                           "labs/01_alpha/variants/variants.json", "tests/labs/beta_test.cpp"}) {
    diff("op_minus", file, "@@ -1 +1 @@\n-sum\n+difference\n");
    EXPECT_EQ(refusal(), "labs/01_alpha/variants/op_minus.diff:5: " + std::string(file) +
                             " is not a file of the lab alpha");
  }
  diff("op_minus", "reference/alpha.cpp", "@@ -1 +1 @@\n-sum\n+difference\n");
  EXPECT_EQ(changed_files(course(), {{"alpha", "op", "minus"}}),
            (std::map<std::string, std::string>{{"reference/alpha.cpp", "difference\n"}}));
}

/// A tree with an overlay in its folder `private`.
class Overlays : public Variants {
 protected:
  void own(const std::string& file, const std::string& text = "own\n") const {
    tree_.write("private/" + file, text);
  }
  OverlayReport laid() const { return lay_over(tree_.path(), overlay(), out()); }
  std::string refusal() const {
    return message_of<BadInput>([&] { laid(); });
  }
  fs::path overlay() const { return tree_.path() / "private"; }
};

TEST_F(Overlays, ReplaceAndAddFilesAndAreNotPartOfTheTree) {
  auto expected = tree_of(tree_.path());
  for (const char* file : {"labs/01_alpha/alpha.cu", "reference/alpha.cpp", "tests/hidden/alpha.json",
                           "labs/02_beta/variants/variants.json", "course.json"}) {
    own(file);
    expected[file] = "own\n";
  }
  own("README.md");
  own(".git/HEAD");
  const OverlayReport report = laid();
  EXPECT_EQ(tree_of(out()), expected);
  EXPECT_EQ(report.replaced, 2u);
  EXPECT_EQ(report.added, 3u);
}

TEST_F(Overlays, HaveOnlyWhatHasAPlaceInTheTree) {
  EXPECT_EQ(refusal(), overlay().string() + " is not a folder");
  fs::create_directories(overlay());
  EXPECT_EQ(refusal(), overlay().string() + " has no files");
  own("labs/01_alpha/alhpa.cu");
  EXPECT_EQ(refusal(), (overlay() / "labs/01_alpha/alhpa.cu").string() +
                           " replaces nothing: the tree has no file labs/01_alpha/alhpa.cu");
  fs::remove_all(overlay());
  own("run_all.sh");
  EXPECT_NE(refusal().find("run_all.sh has no place in a course tree"), std::string::npos) << refusal();
  fs::remove_all(overlay());
  fs::create_directories(overlay() / "tests/hidden");
  fs::create_symlink("/etc/passwd", overlay() / "tests/hidden/alpha.json");
  EXPECT_NE(refusal().find("alpha.json has no place in a course tree"), std::string::npos) << refusal();
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(Overlays, BringVariantsOfTheirOwn) {
  own("labs/02_beta/variants/variants.json",
      R"({"lab": "beta", "axes": [{"axis": "op", "choices": [{"choice": "over", "what": "a / b"}]}]})");
  own("labs/02_beta/variants/op_over.diff",
      diff_of("labs/02_beta/beta.cu", "@@ -1 +1 @@\n-  a + b;\n+  a / b;\n"));
  laid();
  const Course merged = course_of(out());
  EXPECT_EQ(changed_files(merged, {{"beta", "op", "over"}}),
            (std::map<std::string, std::string>{{"labs/02_beta/beta.cu", "  a / b;\n  first;\n  last;\n"}}));
}

}  // namespace
}  // namespace warplab
