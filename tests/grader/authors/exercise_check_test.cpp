// Whether exercises are sound: ours are as far as rules go, and each kind of defect is told. Builds nothing:
// a word in a student's file chooses what the rung does that would have come of it.
#include "grader/check/exercise_check.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>

#include "common/host/bad_input.hpp"
#include "grader/check/exercise_rules.hpp"
#include "grader/judge/judge.hpp"
#include "grader/text/identifiers.hpp"
#include "harness/problem/problem.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/judge/host_adder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

const fs::path our_hidden = fs::path(WARPLAB_SOURCE_DIR) / "tests/hidden";
constexpr const char* mark_begin = "  // BEGIN SOLUTION\n";
constexpr const char* mark_end = "  // END SOLUTION\n";

/// A tree with lab 02 and one task, whose files may be changed.
class Tree {
 public:
  Tree() {
    for (const char* name : {"labs/02_vector_add", "tests/labs", "tests/hidden/mutants"})
      fs::create_directories(folder_ / name);
    fs::copy_file(our_hidden / "vector_add.json", folder_ / "tests/hidden/vector_add.json");
    tasks();
    solution("add;", "todo(write the kernel and launch it);");
    folder_.write(
        "labs/02_vector_add/README.md",
        "# Lab\n\n## Tasks (100 points)\n\n1. **One (100 points):** `vector_add_one_per_thread.cu`.\n\n"
        "## The ladder\n\n| rung | idea |\n|---|---|\n| `one_per_thread` | a |\n| `two_dimensional` | e |\n| "
        "`grid_stride` | b |\n"
        "| `vectorized` | c |\n\n## Sources\n");
    write("tests/labs/vector_add_test.cpp", "TEST(VectorAddOnePerThread, OwnTest) {}\n");
    mutants("");
  }
  void tasks(const std::string& from = "", const std::string& to = "") {
    std::string text =
        R"({"lab": "vector_add", "tasks": [{"id": "one", "title": "One", "points": 100,
            "file": "vector_add_one_per_thread.cu", "rung": "one_per_thread", "hint": "Who am I in the grid?",
            "tests": ["VectorAddOnePerThread.OwnTest", "VectorAddOnePerThread.MatchesReferenceAtEverySize"],
            "busiest": 40,
            "limits": [{"measure": "moved", "most": 1.1, "why": "it moves too much", "size": {"n": 4096}}]}]})";
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    write("labs/02_vector_add/tasks.json", text);
  }
  void solution(const std::string& solution, const std::string& stub) {
    write("labs/02_vector_add/vector_add_one_per_thread.cu", std::string("void given() {\n") + mark_begin +
                                                                 "  " + solution + "\n  // STUB " + stub +
                                                                 "\n" + mark_end + "}\n");
  }
  void mutants(const std::string& mutants) {
    write("tests/hidden/mutants/vector_add.json", R"({"lab": "vector_add", "mutants": [)" + mutants + "]}");
  }
  void write(const std::string& file, const std::string& text) { folder_.write(file, text); }
  void replace(const std::string& file, const std::string& from, const std::string& to) {
    std::string text = content_of(folder_ / file);
    text.replace(text.find(from), from.size(), to);
    write(file, text);
  }
  std::vector<std::string> broken() const {
    const Course course = Course::read(folder_.path());
    return broken_rules(course.labs.at(0), *problem_registry().at("vector_add"), course.root,
                        folder_ / "tests/hidden");
  }
  ExerciseReport check(bool mutants = false, unsigned jobs = 1,
                       std::function<std::vector<std::string>(const Course&)> leaks = {},
                       bool pasted = false) const;

 private:
  ScratchFolder folder_;
};

lens::Finding race_without_barrier() {
  lens::Finding finding;
  finding.kind = lens::FindingKind::race;
  finding.hint = lens::Hint::barrier_between_write_and_read;
  return finding;
}

/// Makes of a file what its words say.
class WordBuilder : public RungBuilder {
 public:
  Built build(const Task& task, const FileTexts& files) override {
    std::string content = files.at(task.file);
    for (const std::string& header : task.headers) content += files.at(header);
    const auto has = [content](const char* word) { return content.find(word) != std::string::npos; };
    if (has("nonsense")) return {nullptr, TaskRecord::Status::not_compiled, "expected ';'"};
    if (has("asm")) return {nullptr, TaskRecord::Status::refused, "inline assembly is not allowed"};
    if (has("breaks")) throw std::runtime_error("no room on the disk");
    return {std::make_unique<HostAdder>([=](const RungRequest& request, RungReply& reply) {
              std::byte* const c = request.outputs[0].data;
              const std::int64_t n = request.outputs[0].count;
              const bool wrong = has("subtract") || (has("few") && n > 8 && n < 32);
              if (wrong && n > 0) std::memset(c, 0x7f, size_of(request.outputs[0].dtype));
              lens::Launch& launch = reply.lens->front();
              launch.kernel = "add_kernel<int>";
              if (has("twice")) launch.counts.global_store.sectors *= 3;
              if (has("races")) launch.findings = {race_without_barrier()};
              if (has("idle")) reply.counts = LaunchCounts{};
              if (has("down")) launch.grid = {1, 32, has("layers") && n > 1000 ? 2u : 1u};
              if (!has("todo")) return;
              reply.status = RungStatus::todo;
              reply.why = "vector_add_one_per_thread: " + content.substr(content.find("todo") + 4);
            }),
            TaskRecord::Status::judged, ""};
  }
};

ExerciseReport Tree::check(bool mutants, unsigned jobs,
                           std::function<std::vector<std::string>(const Course&)> leaks, bool pasted) const {
  CheckOptions options;
  options.pasted = pasted;
  options.hidden = folder_ / "tests/hidden";
  options.mutants = mutants;
  options.jobs = jobs;
  options.leaks = std::move(leaks);
  return check_exercises(Course::read(folder_.path()), options,
                         [](unsigned) { return std::make_unique<WordBuilder>(); });
}

std::string mistake(const std::string& name, const std::string& becomes, const std::string& killed_by,
                    const std::string& says = "", const std::string& kind = "") {
  return R"({"task": "one", "name": ")" + name + R"(", "of": "add;", "becomes": ")" + becomes +
         R"(", "killed_by": ")" + killed_by + R"(", "says": ")" + says + R"(", "kind": ")" + kind + "\"}";
}

TEST(OurTasks, ChecksOfATaskHaveDifferentNames) {
  const Course course = Course::read(WARPLAB_SOURCE_DIR);
  const Judge judge(Secret("0123456789abcdef0123456789abcdef"), our_hidden);
  for (const Lab& lab : course.labs)
    for (const Task& task : lab.tasks) {
      std::set<std::string> names;
      for (const Check& check : judge.unjudged(task, TaskRecord::Status::missing, "").checks)
        EXPECT_TRUE(names.insert(check.name).second) << task.name() << ": " << check.name;
    }
}

TEST(Exercises, OursKeepTheRules) {
  const Course course = Course::read(WARPLAB_SOURCE_DIR);
  for (const Lab& lab : course.labs)
    EXPECT_EQ(broken_rules(lab, *problem_registry().at(lab.stem), course.root, our_hidden),
              std::vector<std::string>());
}

TEST(Exercises, TheSmallTreeIsSound) {
  const ExerciseReport report = Tree().check();
  EXPECT_TRUE(report.sound()) << to_text(report);
  EXPECT_EQ(to_text(report), "vector_add     1 task    sound\n1 lab, 1 task, leaks not looked for: sound\n");
}

TEST(Exercises, EachBrokenRuleIsTold) {
  const auto broken_by = [](const auto& change) {
    Tree tree;
    change(tree);
    const std::vector<std::string> broken = tree.broken();
    return broken.size() == 1 ? broken[0] : std::to_string(broken.size()) + " rules";
  };
  const std::string readme = "labs/02_vector_add/README.md";
  const auto of_tasks = [&](const std::string& from, const std::string& to) {
    return broken_by([&](Tree& t) { t.tasks(from, to); });
  };
  const auto of_readme = [&](const std::string& from, const std::string& to) {
    return broken_by([&](Tree& t) { t.replace(readme, from, to); });
  };
  EXPECT_EQ(of_tasks("Who am I in the grid?", "Think."), "vector_add/one: its hint 'Think.' is hardly one");
  EXPECT_EQ(of_tasks("it moves too much", ""), "vector_add/one: its limit on moved does not say why");
  EXPECT_EQ(of_tasks("\"busiest\": 40,", ""),
            "vector_add/one: one warp could do all and meet its limits: it has no \"busiest\"");
  EXPECT_EQ(of_tasks("OwnTest", "OtherTest"),
            "vector_add/one: its public test VectorAddOnePerThread.OtherTest does not exist");
  EXPECT_EQ(
      of_tasks(R"(["VectorAddOnePerThread.OwnTest", "VectorAddOnePerThread.MatchesReferenceAtEverySize"])",
               "[]"),
      "vector_add/one: it names no public test");
  EXPECT_EQ(of_tasks(R"("rung": "one_per_thread")", R"("rung": "one")"),
            "vector_add/one: its rung one is not in the problem's table");
  EXPECT_EQ(
      of_tasks(R"("rung": "one_per_thread")", R"("rung": "vectorized")"),
      "vector_add/one: vector_add_one_per_thread.cu is neither the file nor a header of its rung vectorized");
  EXPECT_EQ(of_readme("(100 points):", "(90 points):"),
            "vector_add: its handout has tasks of 90 points, tasks.json of 100");
  EXPECT_EQ(of_readme("`vector_add_one_per_thread.cu`", "the file"),
            "vector_add/one: the section Tasks of the handout does not name vector_add_one_per_thread.cu");
  EXPECT_EQ(of_readme("cu`.", "cu`, `vector_add_two.cu`."),
            "vector_add: its handout names vector_add_two.cu, which does not exist");
  EXPECT_EQ(of_readme("| `grid_stride` | b |\n", ""),
            "vector_add: the ladder of its handout lacks the rung grid_stride");
  EXPECT_EQ(of_readme("| `grid_stride` | b |\n", "| `grid_stride` | b |\n| `warp` | d |\n"),
            "vector_add: the ladder of its handout has the rung warp, which does not exist");
  EXPECT_EQ(broken_by([](Tree& t) { t.write("labs/02_vector_add/vector_add_one_per_thread.cu", "done\n"); }),
            "vector_add/one: vector_add_one_per_thread.cu has no region between marks of a solution");
  EXPECT_EQ(broken_by([](Tree& t) { t.write("labs/02_vector_add/sums.hpp", mark_begin); }),
            "vector_add: sums.hpp has a solution, but no task names it, so it is not taken");
  EXPECT_EQ(of_tasks(R"("rung":)", R"("headers": ["sums.hpp"], "rung":)"), "2 rules");
  EXPECT_EQ(broken_by([&](Tree& t) {
              t.tasks(R"("rung":)", R"("headers": ["sums.hpp"], "rung":)");
              t.write("labs/02_vector_add/sums.hpp", mark_begin + std::string("add;\n") + mark_end);
            }),
            "vector_add/one: the section Tasks of the handout does not name sums.hpp");
  EXPECT_EQ(broken_by([](Tree& t) {
              t.write("tests/hidden/vector_add.json",
                      R"({"lab": "vector_add", "kinds": [{"kind": "k", "rungs": ["vectorized"]}]})");
            }),
            "vector_add/one: it has no hidden cases");
}

TEST(Exercises, SuitesAreNamedAsGeneratedTestsAre) {
  EXPECT_EQ(test_suite_of("conv1d", "register_tiled"), "Conv1dRegisterTiled");
  EXPECT_EQ(test_suite_of("vector_add", "one_per_thread"), "VectorAddOnePerThread");
}

TEST(Exercises, StubsAndSolutionsThatAreNotSoundAreTold) {
  const auto told = [](const std::string& solution, const std::string& stub) {
    Tree tree;
    tree.solution(solution, stub);
    const ExerciseReport report = tree.check();
    return report.labs[0].problems.size() == 1 ? report.labs[0].problems[0] : to_text(report);
  };
  const std::string stub = "todo(write the kernel and launch it)";
  EXPECT_EQ(told("add;", "nonsense"), "vector_add/one: its stub does not compile: expected ';'");
  EXPECT_EQ(told("add;", "subtract;").substr(0, 75),
            "vector_add/one: its stub is not to do, but judged, with 0 of 100 points: ri");
  EXPECT_EQ(told("add;", "add;").substr(0, 74),
            "vector_add/one: its stub is not to do, but judged, with 100 of 100 points:");
  EXPECT_EQ(told("add;", "todo").substr(0, 82),
            "vector_add/one: its stub's message does not say what to write for vector_add_one_p");
  EXPECT_EQ(told("twice;", stub).substr(0, 72),
            "vector_add/one: our solution gets 60 of 100 points (judged): bytes moved");
  EXPECT_EQ(told("asm;", stub),
            "vector_add/one: our solution gets 0 of 100 points (refused): inline assembly is not allowed");
  EXPECT_EQ(told("breaks;", stub),
            "vector_add/one, its solution: it could not be judged: no room on the disk");
}

TEST(Exercises, ASolutionThatReadsBlockIdxZIsLaunchedInLayers) {
  const auto told = [](const std::string& solution, const std::string& header) {
    Tree tree;
    tree.write("labs/02_vector_add/rows.hpp", header);
    tree.solution(solution, "todo(write the kernel and launch it)");
    const ExerciseReport report = tree.check();
    return report.sound() ? "sound" : report.labs[0].problems.at(0);
  };
  const std::string flat =
      "vector_add/one: no graded case has more than 32 blocks of add_kernel down, so without blockIdx.z it "
      "keeps all points: add a public case with more than 63";
  EXPECT_EQ(told("add; blockIdx.z; down;", ""), flat);
  EXPECT_EQ(told("add; blockIdx.z; down; layers;", ""), "sound");
  EXPECT_EQ(told("add; blockIdx.z;", ""), "sound") << "one block down";
  EXPECT_EQ(told("add; down; // not blockIdx.z", ""), "sound");
  EXPECT_EQ(told("add; down;", "blockIdx.z"), "sound") << "not included";
  EXPECT_EQ(told("add; down;\n#include \"rows.hpp\"", "blockIdx.z"), flat);
}

TEST(Exercises, AHeadersStubHasNothingToSay) {
  Tree tree;
  const std::string kernel = "vector_add_one_per_thread.cu", header = "sums.hpp";
  tree.tasks(kernel, header);
  tree.write("labs/02_vector_add/" + kernel, "given");
  tree.replace("labs/02_vector_add/README.md", kernel, header);
  const auto with_stub = [&](const std::string& stub) {
    tree.write("labs/02_vector_add/" + header,
               mark_begin + std::string("add;\n  // STUB ") + stub + "\n" + mark_end);
    return to_text(tree.check());
  };
  EXPECT_NE(with_stub("subtract;").find("not looked for: sound"), std::string::npos);
  EXPECT_NE(with_stub("few;").find("its stub is not to do, but judged, with "), std::string::npos);
}

TEST(Exercises, NoSolutionGetsAllPointsOfALaterTask) {
  const auto told = [](const std::string& first) {
    Tree tree;
    const auto task = [](const std::string& id, const std::string& rung, const std::string& limits) {
      return R"({"id": ")" + id + R"(", "title": "T", "points": 50, "file": "vector_add_)" + rung +
             R"(.cu", "rung": ")" + rung + R"(", "hint": "h", "tests": ["VectorAddOnePerThread.OwnTest"])" +
             limits + "}";
    };
    tree.write("labs/02_vector_add/tasks.json",
               R"({"lab": "vector_add", "tasks": [)" + task("one", "one_per_thread", "") + "," +
                   task("two", "grid_stride", R"(, "busiest": 40, "limits": [{"measure": "moved", "most":
                        1.1, "why": "it moves too much", "size": {"n": 4096}}])") +
                   "]}");
    tree.solution(first, "todo(write the kernel and launch it);");
    tree.write(
        "labs/02_vector_add/vector_add_grid_stride.cu",
        std::string(mark_begin) + "  add;\n  // STUB todo(write the loop and launch it);\n" + mark_end);
    const ExerciseReport report = tree.check(false, 1, {}, true);
    std::string problems;
    for (const std::string& problem : report.labs[0].problems)
      if (problem.find("the solution of") != std::string::npos) problems += problem;
    for (const PastedOutcome& one : report.labs[0].pasted)
      problems += fmt::format("[{} {} {:g} of {:g}]", one.task, one.of, one.score, one.points);
    return problems;
  };
  EXPECT_EQ(told("add;"), "vector_add/two: the solution of one gets all of its 50 points[two one 50 of 50]");
  EXPECT_EQ(told("add; twice;"), "[two one 30 of 50]");
  EXPECT_EQ(told("subtract;"), "");
}

TEST(Exercises, WordsAreRenamedWhole) {
  EXPECT_EQ(renamed("add(add_two, xadd, add)", {{"add", "sum"}}), "sum(add_two, xadd, sum)");
  EXPECT_EQ(renamed("aa aaa a", {{"aa", "b"}}), "b aaa a");
  EXPECT_EQ(renamed("", {{"a", "b"}}), "");
}

TEST(Exercises, MutantsThatAreCaughtAreCounted) {
  Tree tree;
  tree.mutants(mistake("a", "nonsense;", "compile", "expected") + "," + mistake("b", "asm;", "refused") +
               "," + mistake("c", "subtract;", "public", R"(\\[0\\] expected)") + "," +
               mistake("d", "few;", "hidden", "elements are wrong") + "," +
               mistake("e", "twice;", "limit", "moves too much"));
  const ExerciseReport report = tree.check(true);
  EXPECT_TRUE(report.sound()) << to_text(report);
  EXPECT_EQ(to_text(report),
            "vector_add     1 task    5 of 5 mutants killed (100 %)  sound\n"
            "1 lab, 1 task, 5 of 5 mutants killed (100 %), leaks not looked for: sound\n");
}

TEST(Exercises, MutantsAreSeenAsTheKindThatTheyName) {
  const auto told = [](const std::string& becomes, const std::string& kind) {
    Tree tree;
    tree.mutants(mistake("a", becomes, "public", "", kind));
    const ExerciseReport report = tree.check(true);
    return report.sound() ? "" : report.labs[0].problems.at(0);
  };
  EXPECT_EQ(told("races;", "race"), "");
  EXPECT_EQ(told("races;", "barrier_between_write_and_read"), "");
  EXPECT_EQ(told("subtract; idle;", "no_kernel"), "");
  for (const char* const kind : {"out of bounds", "fence_missing", "no_kernel"})
    EXPECT_TRUE(told("races;", kind)
                    .starts_with("vector_add/one: the mistake 'a' is not seen as '" + std::string(kind) +
                                 "'; the student reads: right at"))
        << told("races;", kind);
  EXPECT_NE(told("subtract;", "no_kernel"), "");
}

TEST(Exercises, MutantsThatGetPastTheirCheckAreDefects) {
  Tree tree;
  tree.mutants(mistake("survivor", "add; // as before", "public") + "," + mistake("late", "few;", "public") +
               "," + mistake("speechless", "subtract;", "public", "barrier") + "," +
               mistake("early", "subtract;", "limit"));
  const ExerciseReport report = tree.check(true, 3);
  EXPECT_FALSE(report.sound());
  const std::vector<std::string>& problems = report.labs[0].problems;
  ASSERT_EQ(problems.size(), 3u) << to_text(report);
  EXPECT_EQ(problems[0], "vector_add/one: the mistake 'survivor' survives with all points");
  EXPECT_TRUE(
      problems[1].starts_with("vector_add/one: the mistake 'late' gets past what must kill it, 'public', and "
                              "dies of 'hidden': right"))
      << problems[1];
  EXPECT_TRUE(problems[2].starts_with(
      "vector_add/one: of the mistake 'speechless' the student reads nothing like /barrier/, but: right at"))
      << problems[2];
  const std::string text = to_text(report);
  EXPECT_NE(
      text.find("vector_add/one: note: the mistake 'early' is killed earlier than by 'limit', by 'public'"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("3 of 4 mutants killed (75 %), 1 earlier than named  3 problems\n"), std::string::npos)
      << text;
  EXPECT_EQ(to_text(tree.check(true, 1)), text) << "jobs change nothing";
}

TEST(Exercises, LeaksAreDefects) {
  const ExerciseReport report =
      Tree().check(false, 1, [](const Course&) { return std::vector<std::string>{"a.cu:1 has line 2"}; });
  EXPECT_FALSE(report.sound());
  EXPECT_EQ(to_text(report),
            "leak: a.cu:1 has line 2\nvector_add     1 task    sound\n1 lab, 1 task, 1 leak: 1 problem\n");
  EXPECT_TRUE(Tree().check(false, 1, [](const Course&) { return std::vector<std::string>(); }).sound());
}

TEST(Exercises, ALabThatIsNotLinkedIsNamed) {
  Course course;
  course.labs.push_back({"sorting", "", {}});
  EXPECT_EQ(message_of<BadInput>([&] { (void)check_exercises(course, {}, {}); }),
            "the problem of the lab sorting is not linked into this program");
}

}  // namespace
}  // namespace warplab
