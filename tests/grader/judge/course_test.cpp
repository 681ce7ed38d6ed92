// The course as tasks.json and course.json say, and what is wrong with those that say it badly.
#include "grader/course/course.hpp"

#include <gtest/gtest.h>

#include "common/host/bad_input.hpp"
#include "grader/course/handout_points.hpp"
#include "grader/course/secret.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// A tree with one lab of one task, whose text may be changed.
class Tree {
 public:
  Tree() {
    fs::create_directories(folder_ / "labs/07_transpose");
    tasks(R"({"id": "tiled", "title": "A tile", "points": 100, "file": "transpose_tiled.cu", "rung": "tiled",
              "hint": "Turn the tile.", "tests": ["TransposeTiled.MatchesReferenceAtEverySize"],
              "only": {"rows": 4}, "clock": {"most": 1.5, "size": {"rows": 2048}},
              "limits_share": 0.6, "busiest": 40,
              "limits": [{"measure": "moved", "most": 1.05, "why": "it moves too much", "weight": 3,
                          "size": {"rows": 64}, "params": {"side": 3}, "dtype": "int", "busiest": 20}]})");
  }
  void tasks(const std::string& tasks) {
    folder_.write("labs/07_transpose/tasks.json", R"({"lab": "transpose", "tasks": [)" + tasks + "]}");
  }
  void write(const std::string& file, const std::string& text) { folder_.write(file, text); }
  Course read() const { return Course::read(folder_.path()); }
  std::string refusal() const {
    const std::string text = message_of<BadInput>([&] { (void)read(); });
    const std::string place = folder_.path().string() + "/";
    return text.starts_with(place) ? text.substr(place.size()) : text;
  }

 private:
  ScratchFolder folder_;
};

constexpr const char* plain =
    R"({"id": "a", "title": "A", "points": 100, "file": "transpose_a.cu", "rung": "a", "hint": "h", "tests": []})";

TEST(Course, HoldsWhatTasksJsonSays) {
  const Course course = Tree().read();
  ASSERT_EQ(course.labs.size(), 1u);
  EXPECT_EQ(course.labs[0].stem, "transpose");
  EXPECT_EQ(course.labs[0].folder.filename(), "07_transpose");
  const Task& task = course.labs[0].tasks.at(0);
  EXPECT_EQ(task.name(), "transpose/tiled");
  EXPECT_EQ(task.points, 100);
  EXPECT_EQ(task.only, (std::vector<std::pair<std::string, double>>{{"rows", 4}}));
  ASSERT_EQ(task.limits.size(), 1u);
  EXPECT_EQ(task.limits[0].measure, "moved");
  EXPECT_EQ(task.limits[0].most, 1.05);
  EXPECT_EQ(task.limits[0].weight, 3);
  EXPECT_EQ(task.limits_share, 0.6);
  EXPECT_EQ(task.busiest, 40);
  EXPECT_EQ(task.limits[0].busiest, 20);
  EXPECT_EQ(task.limits[0].size.at(0).second, 64);
  EXPECT_EQ(task.limits[0].params.at(0).second, 3);
  EXPECT_EQ(task.limits[0].dtype, DType::i32);
  EXPECT_EQ(task.clock.most, 1.5);
  EXPECT_EQ(task.clock.size.at(0).second, 2048);
}

TEST(Course, CourseJsonDropsATaskWithItsPoints) {
  Tree tree;
  const auto task = [](const std::string& id, int points) {
    return R"({"id": ")" + id + R"(", "title": "A", "points": )" + std::to_string(points) +
           R"(, "file": "transpose_)" + id + R"(.cu", "rung": "a", "hint": "h", "tests": []})";
  };
  tree.tasks(task("a", 20) + "," + task("b", 30) + "," + task("c", 50));
  tree.write("course.json", R"({"labs": {"transpose": {"b": {"dropped": true}, "a": {"dropped": false}}}})");
  Lab lab = tree.read().labs.at(0);
  ASSERT_EQ(lab.tasks.size(), 2u);
  EXPECT_EQ(lab.tasks[0].id + lab.tasks[1].id, "ac");
  EXPECT_EQ(lab.points, 70);
  ASSERT_EQ(lab.dropped.size(), 1u);
  const std::vector<Task> all = tasks_of_handout(lab);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[1].id, "b") << "the handout still has it, in its place";
  tree.write("course.json",
             R"({"labs": {"transpose": {"points": 100, "b": {"dropped": true}, "c": {"points": 80}}}})");
  EXPECT_EQ(tree.read().labs[0].points, 100);
  tree.write("course.json", R"({"labs": {"transpose": {"b": {"dropped": true}, "c": {"points": 80}}}})");
  EXPECT_EQ(tree.refusal(), "the points of the lab transpose sum to 100, not to 70");
  tree.write("course.json", R"({"labs": {"transpose": {"b": {"dropped": true, "points": 5}}}})");
  EXPECT_EQ(tree.refusal(),
            "course.json, lab transpose, task b is \"dropped\", so nothing else can be said of it");
  tree.write("course.json", R"({"labs": {"transpose": {"b": {"dropped": "yes"}}}})");
  EXPECT_EQ(tree.refusal(),
            "course.json, lab transpose, task b has a \"dropped\" of the wrong type: \"yes\"");
  tree.write(
      "course.json",
      R"({"labs": {"transpose": {"a": {"dropped": true}, "b": {"dropped": true}, "c": {"dropped": true}}}})");
  EXPECT_EQ(tree.refusal(),
            "course.json, lab transpose drops all tasks; leave the lab out with --labs instead");
}

TEST(Course, CourseJsonOverridesPointsLimitsAndDeadlines) {
  Tree tree;
  tree.write("course.json",
             R"({"labs": {"transpose": {"tiled": {"limits": [], "deadline": "2027-03-01 23:59"}}}})");
  const Course course = tree.read();
  EXPECT_TRUE(course.labs[0].tasks[0].limits.empty());
  EXPECT_EQ(course.labs[0].tasks[0].deadline, "2027-03-01 23:59");
  tree.write("course.json", R"({"labs": {"transpose": {"tiled": {"points": 40}}}})");
  EXPECT_EQ(tree.refusal(), "the points of the lab transpose sum to 40, not to 100");
  tree.write("course.json", R"({"labs": {"transpose": {"points": 40, "tiled": {"points": 40}}}})");
  EXPECT_EQ(tree.read().labs[0].tasks[0].points, 40);
  EXPECT_EQ(tree.read().labs[0].points, 40);
  tree.write("course.json", R"({"labs": {"transpose": {"points": 60}}})");
  EXPECT_EQ(tree.refusal(), "the points of the lab transpose sum to 100, not to 60");
  tree.write("course.json", R"({"labs": {"transpose": {"points": "many"}}})");
  EXPECT_EQ(tree.refusal(), "course.json, lab transpose has a \"points\" of the wrong type: \"many\"");
  tree.write("course.json", R"({"labs": {"transpose": {"tilde": {"points": 40}}}})");
  EXPECT_EQ(tree.refusal(),
            "course.json, lab transpose names the task \"tilde\", which does not exist; did you mean tiled?");
  tree.write("course.json", R"({"labs": {"sorting": {}}})");
  EXPECT_EQ(tree.refusal(), "course.json names the lab \"sorting\", which does not exist");
  for (const char* known : {"transpsoe", "07_transpose"}) {
    tree.write("course.json", std::string(R"({"labs": {")") + known + R"(": {}}})");
    EXPECT_EQ(tree.refusal(), std::string("course.json names the lab \"") + known +
                                  "\", which does not exist; did you mean transpose?");
  }
  const std::string task = "course.json, lab transpose, task tiled ";
  for (const char* points : {"-5", "1001"}) {
    tree.write("course.json",
               std::string(R"({"labs": {"transpose": {"tiled": {"points": )") + points + "}}}}");
    EXPECT_EQ(tree.refusal(), task + "has points that are not 0 to 1000");
  }
  for (const char* day : {"1.3.2027", "2027-02-30", "2027-3-1", "2027-03-01 24:00", ""}) {
    tree.write("course.json",
               std::string(R"({"labs": {"transpose": {"tiled": {"deadline": ")") + day + "\"}}}}");
    EXPECT_EQ(tree.refusal(),
              task + "has the deadline \"" + day + "\"; it takes 2027-03-01, or 2027-03-01 18:00");
  }
  tree.write("course.json", "{\"labs\": {,}}");
  EXPECT_TRUE(tree.refusal().starts_with("course.json is not JSON: parse error at line 1, column 11"))
      << tree.refusal();
}

TEST(Course, TheDigestOfItsTasksIsOfAllThatDecidesPoints) {
  const Course course = Tree().read();
  const ScratchFolder hidden;
  const std::string digest = digest_of_tasks(course, hidden.path());
  EXPECT_EQ(digest_of_tasks(Tree().read(), hidden.path()), digest);
  const auto changed = [&](const auto& change) {
    Course other = course;
    change(other.labs[0].tasks[0]);
    return digest_of_tasks(other, hidden.path()) != digest;
  };
  EXPECT_TRUE(changed([](Task& task) { task.points = 90; }));
  EXPECT_TRUE(changed([](Task& task) { task.limits[0].most = 2; }));
  EXPECT_TRUE(changed([](Task& task) { task.limits[0].size[0].second = 65; }));
  EXPECT_TRUE(changed([](Task& task) { task.limits[0].weight = 2; }));
  EXPECT_TRUE(changed([](Task& task) { task.limits[0].figure = "error"; }));
  EXPECT_TRUE(changed([](Task& task) { task.limits_share = 0.5; }));
  EXPECT_TRUE(changed([](Task& task) { task.busiest = 41; }));
  EXPECT_TRUE(changed([](Task& task) { task.limits[0].busiest = 41; }));
  EXPECT_TRUE(changed([](Task& task) { task.limits.clear(); }));
  EXPECT_TRUE(changed([](Task& task) { task.only.clear(); }));
  EXPECT_FALSE(changed([](Task& task) { task.deadline = "2027-03-01", task.hint = "another"; }));
  hidden.write("reduction.json", "{}");
  EXPECT_FALSE(changed([](Task&) {})) << "of another lab";
  hidden.write("transpose.json", "{}");
  EXPECT_TRUE(changed([](Task&) {}));
}

TEST(Course, TheDigestOfItsTasksIsOfWhatJudgesThem) {
  Tree tree;
  tree.tasks(R"({"id": "a", "title": "A", "points": 100, "file": "transpose_a.cu", "headers": ["tile.hpp"],
                 "rung": "a", "hint": "h", "tests": []})");
  const auto digest = [&] { return digest_of_tasks(tree.read(), "/nonexistent"); };
  for (const char* file : {"labs/07_transpose/transpose_a.cu", "labs/07_transpose/tile.hpp",
                           "labs/07_transpose/README.md", "reference/reduction.cpp"}) {
    const std::string before = digest();
    tree.write(file, "another");
    EXPECT_EQ(digest(), before) << file;
  }
  for (const char* file : {"labs/07_transpose/transpose.hpp", "labs/07_transpose/transpose_problem.cpp",
                           "labs/07_transpose/transpose_adapter.cpp", "labs/07_transpose/more/part.hpp",
                           "reference/transpose.cpp", "reference/transpose.hpp"})
    for (const char* text : {"a mistake", "its correction"}) {
      const std::string before = digest();
      tree.write(file, text);
      EXPECT_NE(digest(), before) << file << ", " << text;
    }
}

TEST(Secret, IsReadFromAFileWithItsDigitsOnly) {
  const ScratchFolder folder;
  const auto refusal = [](const fs::path& file) {
    return message_of<BadInput>([&] { Secret::in_file(file); });
  };
  const std::string digits = "00112233445566778899aabbccddeeff";
  EXPECT_EQ(Secret::in_file(folder.write("seed", " " + digits + "\n")).digits(), digits);
  EXPECT_EQ(refusal(folder / "none"), "cannot read a seed from " + (folder / "none").string());
  for (const std::string& text : {digits + "0", digits + " more", "0x" + digits})
    EXPECT_EQ(refusal(folder.write("other", text)),
              (folder / "other").string() + " does not hold a seed: 32 hexadecimal digits (0 to 9, a to f)");
}

TEST(HandoutPoints, AreReadAndReplacedInTheSectionOfTasksAlone) {
  const std::string handout =
      "# Lab\n1. **Not this (1 points):** x\n## Tasks (100 points)\n1. **A tile (15 points):** of (3) words\n"
      "   more (4 points)\n2. **Padding (85):** y\n## Questions\n1. **Why (7 points)?**\n";
  EXPECT_EQ(points_in_handout(handout), (std::vector<double>{15, 85}));
  std::string other = handout;
  other.replace(other.find("15 points"), 2, "22.5").replace(other.find("(85)"), 4, "(77.5)");
  EXPECT_EQ(with_points(handout, {22.5, 77.5}), other);
  EXPECT_EQ(with_points(handout, {100}), handout);
  EXPECT_EQ(with_points("## Tasks (100 points)\n1. **A (40 points, x):** (5)\n2. **B (60 points):**\n",
                        {std::nullopt, 60}),
            "## Tasks (60 points)\n1. **A (40 points, x; not in this term):** (5)\n2. **B (60 points):**\n");
  EXPECT_EQ(with_points("# A\n## Tasks (100 points)\n### 1. B (100 points, x)\n", {60}),
            "# A\n## Tasks (60 points)\n### 1. B (60 points, x)\n");
  EXPECT_EQ(with_points("", {}), "");
}

TEST(Course, WhatIsWrongWithATaskIsNamedWithItsPlace) {
  const auto refusal = [](const std::string& from, const std::string& to) {
    std::string task = plain;
    task.replace(task.find(from), from.size(), to);
    Tree tree;
    tree.tasks(task);
    return tree.refusal();
  };
  const std::string place = "labs/07_transpose/tasks.json, task 1 ";
  EXPECT_EQ(refusal(R"("title": "A", )", ""), place + "has no \"title\"");
  EXPECT_EQ(refusal("100", "\"many\""), place + "has a \"points\" of the wrong type: \"many\"");
  EXPECT_EQ(refusal("100", "-1"), place + "has points that are not 0 to 1000");
  EXPECT_EQ(refusal("100", "1e999"), "labs/07_transpose/tasks.json has a number that is too large");
  EXPECT_EQ(refusal("\"hint\"", "\"clue\": 1, \"hint\""), place + "has a \"clue\", which means nothing here");
  EXPECT_EQ(refusal("transpose_a.cu", "../secret.cu"),
            place + "names the file \"../secret.cu\", which must lie in the lab's folder");
  EXPECT_EQ(refusal("\"tests\": []", R"("tests": [], "limits": {})"),
            place + "has \"limits\" that are not a list");
  EXPECT_EQ(refusal("\"tests\": []", R"("tests": [], "limits_share": 1)"),
            place + "has a \"limits_share\" that is not between 0 and 1");
  EXPECT_EQ(refusal("\"tests\": []", R"("tests": [], "busiest": 0)"),
            place + "has a \"busiest\" that is not above 0");
  EXPECT_EQ(refusal("\"tests\": []",
                    R"("tests": [], "limits": [{"measure": "moved", "most": 1, "why": "w", "weight": 0}])"),
            "labs/07_transpose/tasks.json, task 1, limit 1 has a \"weight\" that is not above 0, up to 100");
  EXPECT_EQ(
      refusal("\"tests\": []",
              R"("tests": [], "limits": [{"measure": "moved", "figure": "error", "most": 1, "why": "w"}])"),
      "labs/07_transpose/tasks.json, task 1, limit 1 has a \"measure\" and a \"figure\"; it takes one of "
      "them");
  EXPECT_EQ(refusal("\"tests\": []", R"("tests": [], "limits": [{"most": 1, "why": "w"}])"),
            "labs/07_transpose/tasks.json, task 1, limit 1 has no \"measure\"");
  const std::string clock = "labs/07_transpose/tasks.json, task 1, clock ";
  EXPECT_EQ(refusal("\"tests\": []", R"("tests": [], "clock": 2)"), clock + "is not an object");
  EXPECT_EQ(refusal("\"tests\": []", R"("tests": [], "clock": {"most": 0})"),
            clock + "has a \"most\" that is not above 0");
  EXPECT_EQ(refusal("\"tests\": []", R"("tests": [], "clock": {"least": 1})"),
            clock + "has a \"least\", which means nothing here");
  EXPECT_EQ(refusal("\"tests\": []", R"("tests": [], "clock": {"size": {"rows": "many"}})"),
            clock + "has in \"size\" no number for \"rows\"");
  EXPECT_EQ(
      refusal("\"tests\": []", R"("tests": [], "limits": [{"measure": "move", "most": 1, "why": "w"}])")
          .substr(0, 140),
      "labs/07_transpose/tasks.json, task 1, limit 1 names the measure \"move\", which does not exist; did "
      "you mean moved?; known measures: moved, re");
}

TEST(Course, ALabHasEachTaskOnceAndItsPoints) {
  Tree tree;
  tree.tasks(std::string(plain) + "," + plain);
  EXPECT_EQ(tree.refusal(), "labs/07_transpose/tasks.json has two tasks called \"a\"");
  tree.tasks("");
  EXPECT_EQ(tree.refusal(), "the points of the lab transpose sum to 0, not to 100");
  tree.write("labs/07_transpose/tasks.json", "{");
  EXPECT_TRUE(tree.refusal().starts_with("labs/07_transpose/tasks.json is not JSON: ")) << tree.refusal();
}

TEST(Course, LabsAreChosenByStemOrFolder) {
  const Course course = Tree().read();
  EXPECT_EQ(course.only({"transpose"}).labs.size(), 1u);
  EXPECT_EQ(course.only({"07_transpose"}).labs.size(), 1u);
  EXPECT_EQ(message_of<BadInput>([&] { (void)course.only({"transpsoe"}); }),
            "there is no lab called 'transpsoe'; did you mean transpose?");
}

TEST(Course, OursIsSound) {
  const Course course = Course::read(WARPLAB_SOURCE_DIR);
  EXPECT_GE(course.labs.size(), 9u);
  for (const Lab& lab : course.labs)
    for (const Task& task : lab.tasks) EXPECT_TRUE(fs::exists(lab.folder / task.file)) << task.name();
}

}  // namespace
}  // namespace warplab
