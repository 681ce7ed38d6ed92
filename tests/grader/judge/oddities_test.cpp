// What is pointed out to instructors, and what is not.
#include "grader/judge/oddities.hpp"

#include <gtest/gtest.h>

namespace warplab {
namespace {

std::string hidden(const std::string& text) { return hidden_in({{"x.cu", text}}); }

TEST(HiddenFromReaders, IsCharactersThatAreNotSeen) {
  EXPECT_EQ(hidden("int a;\nint b;  // \xe2\x80\xae turned\n"), "x.cu:2 has characters that are not seen");
  EXPECT_EQ(hidden("int a;\xe2\x80\x8b\n"), "x.cu:1 has characters that are not seen");
}

TEST(HiddenFromReaders, IsCodeFarBeyondTheRightMargin) {
  EXPECT_EQ(hidden("int a;\n//" + std::string(200, ' ') + "int b;\n"),
            "x.cu:2 has code far beyond the right margin");
}

TEST(HiddenFromReaders, IsNotWhatPeopleWrite) {
  EXPECT_EQ(hidden("\tint a;  // Größe \xf0\x9f\x98\x80, 线程块, \xe9t\xe9\r\n"), "");
  EXPECT_EQ(hidden("int a;" + std::string(300, ' ') + "\n"), "");
  EXPECT_EQ(hidden("// " + std::string(300, 'x') + "\n"), "");
}

lens::Launch launch(const std::string& kernel, std::uint64_t stores, std::uint64_t atomics = 0) {
  lens::Launch launch;
  launch.kernel = kernel;
  launch.blocks = launch.blocks_recorded = 1;
  launch.counts.global_store.requests = stores;
  launch.counts.global_atomics.lanes = atomics;
  return launch;
}

TEST(IdleKernels, AreThoseThatStoreNothing) {
  EXPECT_EQ(idle_kernels_of({launch("work", 1), launch("adds", 0, 1)}), "");
  EXPECT_EQ(idle_kernels_of({launch("decoy<7>(int*)", 0), launch("work", 1), launch("decoy<8>(int*)", 0)}),
            "launches that store nothing: decoy");
}

}  // namespace
}  // namespace warplab
