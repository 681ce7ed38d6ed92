// warplab predict: questions drawn from a name, sealed answers, and their marks.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "common/host/bad_input.hpp"
#include "grader/predict/marks.hpp"
#include "grader/predict/sealed_ladder.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr const char* questions_of_two = R"({"lab": "vector_add", "points": 10, "questions": [
  {"id": "sectors", "ask": "Sectors of `{rung}` for n = {n}?", "rung": ["one_per_thread", "vectorized"],
   "case": {"size": {"n": [64, 128, 256, 512]}, "dtype": ["float", "double"]},
   "count": "global_load.sectors", "per": "global_load.requests"},
  {"id": "winner", "ask": "Which of {choices}?", "choices": [["one_per_thread", "vectorized"]],
   "run": "results/gpu", "input": "64 float"}]})";

/// A lab whose questions are these, and a run that has times of two rungs.
struct Predict : testing::Test {
  ScratchFolder tree;
  const Problem& problem = *problem_registry().at("vector_add");
  Lab lab{"vector_add", tree.path(), {}};

  void SetUp() override {
    write_questions(questions_of_two);
    fs::create_directories(tree.path() / "results/gpu");
    std::ofstream(tree.path() / "results/gpu/results.json") << R"({"run": {}, "measurements": [
      {"lab": "vector_add", "rung": "one_per_thread", "role": "rung", "size": {"n": 64}, "dtype": "float",
       "time_ms": {"median": 2, "mad": 0, "n": 3}, "params": {}},
      {"lab": "vector_add", "rung": "vectorized", "role": "rung", "size": {"n": 64}, "dtype": "float",
       "time_ms": {"median": 1, "mad": 0, "n": 3}, "params": {}}]})";
  }
  void write_questions(const std::string& text) { std::ofstream(predict_file(lab)) << text; }
  PredictQuestions questions(const std::string& name) const { return questions_for(lab, problem, name); }
};

/// Answers each request with one launch of 2 warps, 8 requests and 36 sectors.
class CountedRunner : public RungRunner {
 public:
  RungReply run(const RungRequest&) override {
    RungReply reply;
    lens::Launch launch;
    launch.block = {64, 1, 1};
    launch.blocks = 1;
    launch.counts.global_load.requests = 8;
    launch.counts.global_load.sectors = 36;
    reply.lens = {launch};
    return reply;
  }
};

RightAnswers answers_in(const fs::path& root) {
  return {root, [](const std::string&, const std::string&) { return std::make_unique<CountedRunner>(); }};
}

/// Answers to both questions.
SealedAnswers given_by(const std::string& name, const PredictQuestions& asked, const std::string& sectors,
                       const std::string& winner, const std::string& reason) {
  return {asked.lab,
          name,
          {{"sectors", asked.questions.at(0).text, sectors, ""},
           {"winner", asked.questions.at(1).text, winner, reason}}};
}

TEST_F(Predict, DrawsTheSameForOneNameAndOtherNumbersForOthers) {
  EXPECT_EQ(questions("Ada Lovelace").questions[0].text, questions("  ada   LOVELACE ").questions[0].text);
  std::set<std::string> texts;
  for (int student = 0; student < 60; ++student)
    texts.insert(questions("student " + std::to_string(student)).questions[0].text);
  EXPECT_GE(texts.size(), 6u) << "two rungs and four sizes make eight texts";
}

TEST_F(Predict, RefusesALabWithoutQuestions) {
  EXPECT_TRUE(has_questions(lab));
  fs::remove(predict_file(lab));
  EXPECT_FALSE(has_questions(lab));
  EXPECT_THROW(questions("Ada"), BadInput);
}

TEST_F(Predict, PutsWhatWasDrawnIntoTextAndCase) {
  const PredictQuestion question = questions("Ada").questions.at(0);
  const std::int64_t n = question.problem_case.extent("n");
  EXPECT_EQ(question.text, "Sectors of `" + question.rung + "` for n = " + std::to_string(n) + "?");
  EXPECT_EQ(questions("Ada").questions.at(1).text, "Which of one_per_thread, vectorized?");
}

TEST_F(Predict, RefusesQuestionsThatNameWhatThereIsNot) {
  write_questions(R"({"lab": "vector_add", "points": 10, "questions": [
    {"id": "a", "ask": "?", "rung": "one_per_tread", "count": "launches"}]})");
  EXPECT_THROW(questions("Ada"), BadInput);
  write_questions("[");
  EXPECT_THROW(questions("Ada"), BadInput);
  EXPECT_THROW(counted_value("global_load.sektors", {}, Case{}), BadInput);
}

TEST_F(Predict, GivesHalfForCommittingAndHalfForBeingRight) {
  const PredictQuestions asked = questions("Ada");
  RightAnswers right = answers_in(tree.path());
  EXPECT_EQ(right.to(problem, asked.questions[0]), "4.5");
  EXPECT_EQ(right.to(problem, asked.questions[1]), "vectorized");
  const auto points = [&](const SealedAnswers& given) {
    return marks_of(given, asked, problem, right).points;
  };
  const std::string why = "it has fewer requests per byte";
  EXPECT_EQ(points(given_by("Ada", asked, "4.5", "vectorized", why)), 10);
  EXPECT_EQ(points(given_by("Ada", asked, "4", "vectorized", why)), 7.5);
  EXPECT_EQ(points(given_by("Ada", asked, "0", "one_per_thread", why)), 5);
  EXPECT_EQ(points(given_by("Ada", asked, "4.5", "vectorized", "because")), 0) << "a reason has five words";
  EXPECT_EQ(points(given_by("Ada", asked, "many", "vectorized", why)), 0);
}

TEST_F(Predict, GivesNothingForAnswersToAnothersQuestions) {
  std::string other = "Bob";
  while (questions(other).questions[0].text == questions("Ada").questions[0].text) other += "b";
  RightAnswers right = answers_in(tree.path());
  const SealedAnswers copied =
      given_by("Ada", questions(other), "4.5", "vectorized", "it has fewer requests per byte");
  EXPECT_EQ(marks_of(copied, questions("Ada"), problem, right).points, 0);
}

TEST_F(Predict, SealsOnceAndNoticesAChange) {
  const fs::path file = tree.path() / "predictions/vector_add.json";
  const SealedAnswers given = given_by("Ada", questions("Ada"), "4.5", "vectorized", "why not, one wonders");
  write_sealed(file, given);
  EXPECT_THROW(write_sealed(file, given), BadInput);
  EXPECT_TRUE(may_hold_sealed(content_of(file), SealedKind::predictions));
  EXPECT_EQ(read_sealed(file).answers, given.answers);
  std::string text = content_of(file);
  text.replace(text.find("4.5"), 3, "5.5");
  std::ofstream(file) << text;
  EXPECT_THROW(read_sealed(file), BadInput);
  std::ofstream(file) << "{}";
  EXPECT_FALSE(may_hold_sealed(content_of(file), SealedKind::predictions));
  EXPECT_THROW(read_sealed(file), BadInput);
}

TEST_F(Predict, SaysWhereAFileStopsBeingJson) {
  const fs::path file = tree.path() / "predictions/vector_add.json";
  write_sealed(file, given_by("Ada", questions("Ada"), "4.5", "vectorized", "why not, one wonders"));
  const std::string whole = content_of(file);
  const auto reason = [&](const std::string& text) {
    std::ofstream(file) << text;
    EXPECT_TRUE(may_hold_sealed(content_of(file), SealedKind::predictions))
        << "it may have been a student's predictions";
    return message_of<BadInput>([&] { (void)read_sealed(file); });
  };
  EXPECT_EQ(reason(whole.substr(0, whole.size() / 2) + "\n"),
            file.string() + " is not JSON in line " +
                std::to_string(1 + std::count(whole.begin(), whole.begin() + whole.size() / 2, '\n')) +
                ": it was edited or damaged");
  EXPECT_EQ(reason("{\n \"lab\": \"x\"\n"), file.string() + " is not JSON in line 3: it ends too early");
  EXPECT_EQ(reason("{\"lab\": 1e999}"), file.string() + " has a number that is too large");
  EXPECT_EQ(reason("{\n lab: 1}"), file.string() + " is not JSON in line 2: it was edited or damaged");
  EXPECT_EQ(reason(""), file.string() + " is not JSON in line 1: it ends too early");
}

TEST_F(Predict, SealsDifferWhereAnAnswerDoes) {
  const PredictQuestions asked = questions("Ada");
  const auto seal = [&](const char* sectors) {
    return given_by("Ada", asked, sectors, "vectorized", "it has fewer requests").seal();
  };
  EXPECT_EQ(seal("4"), seal("4"));
  EXPECT_NE(seal("4"), seal("5"));
  EXPECT_EQ(seal("4").size(), 16u);
}

TEST(PredictLadder, HidesTheFoldWithAHandoutsFiguresAndShowsItAgain) {
  const std::string fold =
      "<details><summary>Open</summary>\n\n<!-- rungs of results/h200 | 64 float | rate -->\n"
      "| rung | GB/s | look at |\n|---|---|---|\n| `tiled` | 964 | tiles |\n\n</details>\n";
  const std::string hint = "<details><summary>Hint</summary>Wait.</details>\n";
  const SealedLadder sealed = seal_ladder("before\n" + hint + fold + "after\n", "transpose");
  EXPECT_EQ(sealed.handout, "before\n" + hint +
                                "*`build/emulator/bin/warplab predict transpose` shows it, once you have "
                                "predicted.*\nafter\n");
  EXPECT_EQ(sealed.ladder, fold);
  EXPECT_EQ(hidden_text(fold).find("964"), std::string::npos);
  EXPECT_EQ(shown_text(hidden_text(fold)), fold);
  EXPECT_THROW(shown_text("4x\n"), BadInput);
  EXPECT_THROW(shown_text("4\n"), BadInput);
}

TEST(PredictLadder, HidesEachFoldThatIsToBeOpenedAfterPredicting) {
  const std::string
      first =
          "<details><summary>Open after you have predicted</summary>\n<!-- sealed -->\n\n3/4\n</details>\n",
      second =
          "<details><summary>Answers: open after you have predicted</summary>\n<!-- sealed -->\n\n1.4\n"
          "</details>\n",
      answers = "<details><summary>Answers</summary>\n\nAny time.\n</details>\n",
      command = "*`build/emulator/bin/warplab predict matmul` shows it, once you have predicted.*\n";
  const SealedLadder sealed = seal_ladder("a\n" + first + "b\n" + answers + second + "c\n", "matmul");
  EXPECT_EQ(sealed.handout, "a\n" + command + "b\n" + answers + command + "c\n");
  EXPECT_EQ(sealed.ladder, first + second);
}

}  // namespace
}  // namespace warplab
