// The written part of a lab: which questions it has, what was answered, and how long an answer is.
#include <gtest/gtest.h>

#include "grader/answers/written_part.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

class WrittenPart : public ::testing::Test {
 protected:
  WrittenPart() {
    folder_.write("README.md",
                  "# Lab\n\n1. No question\n\n## Questions\n\n1. What does `n` say,\n   and why?\n2. Which "
                  "number:\n\n   ```\n   x[i]\n   ```\n\n## Sources\n\n3. No question either\n");
    folder_.write("answers.md",
                  "# Answers\n\n## 1 (at most 80 words, 4 points)\n\n\n## 2 (at most 1 words, 1 point)\n");
    folder_.write("answer_key.md",
                  "<!-- BEGIN WITHHELD -->\n# Key\n\n## 1 (4 points)\n\n- 4 points: sectors.\n\n## 2 (1 "
                  "point)\n\n- 1 point: two.\n\n<!-- END WITHHELD -->\n");
  }
  std::vector<WrittenQuestion> questions() const { return written_questions({"lab", folder_.path(), {}}); }
  ScratchFolder folder_;
};

TEST_F(WrittenPart, HasTheHandoutsTextTheLimitsAndTheRubric) {
  const std::vector<WrittenQuestion> found = questions();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].number, 1);
  EXPECT_EQ(found[0].max_words, 80u);
  EXPECT_EQ(found[0].points, 4);
  EXPECT_EQ(found[0].text, "What does `n` say,\nand why?");
  EXPECT_EQ(found[0].rubric, "- 4 points: sectors.");
  EXPECT_EQ(found[1].points, 1);
  EXPECT_EQ(found[1].text, "Which number:\n\n```\nx[i]\n```");
  EXPECT_EQ(found[1].rubric, "- 1 point: two.");
}

TEST_F(WrittenPart, OfAStudentsTreeHasNoRubricAndMayLackLimits) {
  std::filesystem::remove(folder_ / answer_key_file);
  folder_.write("answers.md", "## 1\nmine\n## 2: mine\n");
  const std::vector<WrittenQuestion> found = questions();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].max_words, 0u);
  EXPECT_EQ(found[0].rubric, "");
  std::filesystem::remove(folder_ / answers_file);
  EXPECT_TRUE(questions().empty());
}

TEST(Answers, AreWhatIsBelowTheHeadingOfAQuestion) {
  const std::map<int, std::string> answers = answers_in(
      "# Lab\n\nName: 7\n\n## 1 (at most 80 words, 4 points)\n\n 4 blocks,\n\n## so 24 idle\n## 2 (at "
      "most)\n<!-- nothing here -->\n\n## 3\n-- ?\n## 12\nyes\n## 4x\n");
  EXPECT_EQ(answers, (std::map<int, std::string>{{1, "4 blocks,\n\n## so 24 idle"}, {12, "yes\n## 4x"}}));
  EXPECT_TRUE(answers_in("").empty());
  EXPECT_TRUE(answers_in("no heading").empty());
}

TEST(Answers, AreMeasuredInWords) {
  EXPECT_EQ(words_in(""), 0u);
  EXPECT_EQ(words_in(" - two\twords -- \n"), 2u);
  EXPECT_EQ(words_in("12 / 3000 = 0.4 %"), 3u);
  EXPECT_EQ(words_in("a <!-- b c\nd --> e"), 2u);
  EXPECT_EQ(words_in("größer, höher <!-- nie zu"), 4u);
}

TEST(Answers, HaveNoWordsThatAreShownAndNotCounted) {
  const std::map<int, std::string> answers = answers_in(
      "## 1\nfour <!-- and a hundred words\n\nmore -->blocks\n## 2\none <!-- two three\n## 3\nfour --> "
      "five\n");
  EXPECT_EQ(answers, (std::map<int, std::string>{
                         {1, "four blocks"}, {2, "one <!-- two three"}, {3, "four --> five"}}));
  EXPECT_EQ(words_in(answers.at(2)), 3u);
  EXPECT_EQ(words_in("no\u00a0break\u2009at\u202fall\u3000here\u200bnow"), 6u);
}

}  // namespace
}  // namespace warplab
