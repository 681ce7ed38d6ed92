// The lens beside Nsight Compute on launches of public programs, which nobody tuned it for. The programs are
// not here: both sides are data.
#include "tests/corpus/counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "common/io/file_content.hpp"
#include "tests/corpus/corpus.hpp"

namespace warplab::corpus {
namespace {

const std::filesystem::path tree = WARPLAB_SOURCE_DIR, folder = tree / "tests/corpus/counts";

const std::vector<Choice>& choices() {
  static const std::vector<Choice> read = read_choices(folder);
  return read;
}
const Causes& causes() {
  static const Causes read = read_causes(folder / "causes.json");
  return read;
}

TEST(PublicKernels, HaveAPageThatIsWhatTheCountsMake) {
  EXPECT_EQ(file_content(tree / "docs/lens-on-public-kernels.md"), counts_page(choices(), causes()))
      << "cmake --build --preset emulator --target corpus_page";
}

TEST(PublicKernels, AreLaunchesOfProgramsOfTheList) {
  const Corpus corpus = read_corpus(tree / "tests/corpus");
  std::set<std::string> known;
  for (const Program& program : corpus.programs) known.insert(program.repository + "/" + program.path);
  std::set<std::string> chosen;
  for (const Choice& choice : choices()) {
    for (const Counts* side : {&choice.hardware, &choice.first, &choice.now})
      for (const ProgramCounts& program : side->programs)
        EXPECT_TRUE(known.contains(program.program)) << program.program;
    for (const ProgramCounts& program : choice.hardware.programs)
      EXPECT_TRUE(chosen.insert(program.program).second) << program.program << " is in two choices";
  }
}

TEST(PublicKernels, HaveACauseForEachNumberThatDiffersInTheHalfToLearnFrom) {
  std::set<std::string> unused, needed;
  for (const Causes::Cause& cause : causes().causes) {
    EXPECT_TRUE(causes().kinds.contains(cause.kind)) << cause.kind;
    for (const std::string& metric : cause.metrics)
      unused.insert(cause.program + " " + cause.kernel + " " + metric);
  }
  const std::set<std::string> given = unused;
  for (const Choice& choice : choices())
    for (const LaunchNumbers& launch : both_sides(choice.hardware, choice.now))
      for (const Number& number : launch.numbers) {
        if (number.agrees()) continue;
        const std::string name = launch.program + " " + launch.kernel + " " + number.metric;
        unused.erase(name);
        if (launch.half == Half::learning) {
          EXPECT_TRUE(given.contains(name)) << name << ": " << number.hardware << ", lens " << number.lens;
        }
      }
  EXPECT_EQ(unused, std::set<std::string>{}) << "need their causes no more";
}

TEST(PublicKernels, AgreeWithinTwoPercentWhichForSmallCountsMeansTheSame) {
  EXPECT_TRUE((Number{"", 100, 102}.agrees()));
  EXPECT_TRUE((Number{"", 100, 98}.agrees()));
  EXPECT_FALSE((Number{"", 100, 103}.agrees()));
  EXPECT_FALSE((Number{"", 10, 11}.agrees()));
  EXPECT_FALSE((Number{"", 0, 1}.agrees()));
  EXPECT_TRUE((Number{"", 0, 0}.agrees()));
}

Counts one_launch(double loads, double stores) {
  return {{},
          {{"a/b/c.cu",
            "",
            Half::learning,
            {{"k<4>",
              1,
              {2, 1, 1},
              {32, 1, 1},
              {{"global_load.requests", loads}, {"global_store.requests", stores}}}}}}};
}

TEST(PublicKernels, AreComparedInEachNumberThatIsNotZeroOnBothSides) {
  const auto launches = both_sides(one_launch(100, 0), one_launch(101, 1));
  ASSERT_EQ(launches.size(), 1u);
  ASSERT_EQ(launches[0].numbers.size(), 2u);
  EXPECT_TRUE(launches[0].numbers[0].agrees());
  EXPECT_FALSE(launches[0].numbers[1].agrees());
  EXPECT_FALSE(launches[0].agrees());
  EXPECT_EQ(both_sides(one_launch(5, 0), one_launch(5, 0))[0].numbers.size(), 1u);
}

TEST(PublicKernels, AreRefusedWhereTheSidesHaveOtherLaunches) {
  Counts other = one_launch(1, 1);
  other.programs[0].launches[0].grid = {3, 1, 1};
  EXPECT_THROW(both_sides(one_launch(1, 1), other), std::runtime_error);
  EXPECT_THROW(both_sides({}, other), std::runtime_error);
}

TEST(PublicKernels, AreWrittenAsTheyAreReadAgain) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "warplab-counts-test.json";
  write_counts(file, one_launch(7, 0));
  const Counts again = read_counts(file);
  std::filesystem::remove(file);
  ASSERT_EQ(again.programs.size(), 1u);
  EXPECT_EQ(again.programs[0].launches[0].kernel, "k<4>");
  EXPECT_EQ(again.programs[0].launches[0].metrics,
            (std::map<std::string, double>{{"global_load.requests", 7}}));
}

}  // namespace
}  // namespace warplab::corpus
