#include "tests/corpus/corpus.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "common/io/file_content.hpp"

namespace warplab::corpus {
namespace {

const std::filesystem::path source = WARPLAB_SOURCE_DIR;

const Corpus& corpus() {
  static const Corpus read = read_corpus(source / "tests/corpus");
  return read;
}

TEST(Corpus, HasPagesThatAreWhatItsDataMake) {
  EXPECT_EQ(file_content(source / "docs/public-programs.md"), programs_page(corpus()))
      << "cmake --build --preset emulator --target corpus_page";
  EXPECT_EQ(file_content(source / "docs/published-bugs.md"), bugs_page(corpus()))
      << "cmake --build --preset emulator --target corpus_page";
}

TEST(Corpus, HasSixtyProgramsOfFiveRepositoriesNineTenthsOfThemGoodAtFirstTryIfNotTooSlow) {
  std::map<std::string, int> repositories;
  for (const auto& [name, repository] : corpus().repositories) ++repositories[repository.chosen];
  for (const auto& [when, count] : repositories) {
    const std::vector<Program> programs = chosen(corpus(), when);
    const std::vector<Program> timely = in_time(programs, &Program::first);
    EXPECT_GE(share(timely, &Program::first).all, 60) << when;
    EXPECT_GE(count, 5) << when;
    EXPECT_GE(share(timely, &Program::first).value(), 0.9) << when;
    EXPECT_GE(share(programs, &Program::now).value(), share(programs, &Program::first).value()) << when;
  }
}

TEST(Corpus, HasEachProgramOnceInAKnownRepositoryAndANoteWhereItFailed) {
  std::set<std::string> seen;
  for (const Program& program : corpus().programs) {
    EXPECT_TRUE(seen.insert(program.repository + "/" + program.path).second)
        << program.path << " is there twice";
    EXPECT_TRUE(corpus().repositories.contains(program.repository)) << program.repository;
    if (!program.nvcc_compiles) continue;
    for (const Try* one : {&program.first, &program.now})
      EXPECT_EQ(one->note.empty(), one->outcome != Outcome::failed) << program.path;
  }
}

// The mistake may be in a header beside the program.
TEST(Corpus, HasABugForEachProgramThatWasStopped) {
  const auto folder = [](const auto& one) {
    return one.repository + "/" + std::filesystem::path(one.path).parent_path().string();
  };
  std::set<std::string> with_bugs;
  for (const Bug& bug : corpus().bugs) with_bugs.insert(folder(bug));
  for (const Program& program : corpus().programs)
    if (program.nvcc_compiles && program.now.outcome == Outcome::stopped) {
      EXPECT_TRUE(with_bugs.contains(folder(program))) << program.path;
    }
}

}  // namespace
}  // namespace warplab::corpus
