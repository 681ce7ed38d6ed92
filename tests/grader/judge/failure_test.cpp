// What students read of a call that did not pass: all of it for public cases, nothing of the input for hidden
// ones.
#include "grader/judge/failure.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "grader/text/printable.hpp"

namespace warplab {
namespace {

lens::Finding finding_of_7249() {
  lens::Finding finding;
  finding.kind = lens::FindingKind::race;
  finding.kernel = "sum<7249>";
  finding.file = "/srv/student/labs/05/sum.cu";
  finding.line = 31;
  finding.text = "writes byte 7249; is the size 7249?";
  finding.hint = lens::Hint::threads_write_the_same;
  return finding;
}

Failure failure_of_7249(Failure::Kind kind) {
  Failure failure{kind, "element 7249 of 7249 at 0x7f0000007249, in /srv/student/sum.cu:7249"};
  failure.cuda_error = 700;
  failure.share_wrong = 0.7249;
  failure.findings = {finding_of_7249(), finding_of_7249()};
  return failure;
}

constexpr auto every_kind = {Failure::Kind::refused,      Failure::Kind::ended_badly,
                             Failure::Kind::timed_out,    Failure::Kind::not_recorded,
                             Failure::Kind::wrong_values, Failure::Kind::not_computed,
                             Failure::Kind::findings};

TEST(HiddenText, HoldsNothingThatARungOrAReportWrote) {
  for (const Failure::Kind kind : every_kind) {
    const std::string text = hidden_text(failure_of_7249(kind));
    EXPECT_EQ(text.find("7249"), std::string::npos) << text;
    EXPECT_EQ(text.find("student"), std::string::npos) << text;
  }
}

TEST(HiddenText, TellsOneFindingByKindAndHint) {
  EXPECT_EQ(
      hidden_text(failure_of_7249(Failure::Kind::wrong_values)),
      "most elements are wrong\nrace: do two threads mean the same element, or should this be an atomic?");
}

// Else a file of some thousand lines would choose the one that has the number of the size.
TEST(HiddenText, NamesALineAndAFunctionOnlyIfAPublicCaseDid) {
  const Failure failure = failure_of_7249(Failure::Kind::wrong_values);
  EXPECT_EQ(
      hidden_text(failure, places_in(failure)),
      "most elements are wrong\nsum.cu:31: race in sum: do two threads mean the same element, or should this "
      "be an atomic?");
  EXPECT_EQ(hidden_text(failure, {{failure.findings[0].file, 30, "sum"}}), hidden_text(failure));
}

// Else one of some hundred kernels, all of which end at one line, would be chosen by the size.
TEST(HiddenText, NamesAFunctionOnlyIfItFailedThereInAPublicCase) {
  const Failure failure = failure_of_7249(Failure::Kind::findings);
  EXPECT_EQ(
      hidden_text(failure, {{failure.findings[0].file, 31, "n_is_00"}}),
      "the result is correct, but only by chance:\nsum.cu:31: race: do two threads mean the same element, "
      "or should this be an atomic?");
}

TEST(HiddenText, HasNoPlaceThatTheCodeSaysOfItself) {
  Failure failure = failure_of_7249(Failure::Kind::findings);
  failure.findings[0].file = "the size is";
  failure.findings[0].line = 7249;
  failure.findings[0].place_is_claimed = true;
  failure.findings[0].hint = lens::Hint::none;
  EXPECT_EQ(places_in(failure), (Places{{"/srv/student/labs/05/sum.cu", 31, "sum"}}))
      << "the second finding's";
  EXPECT_EQ(hidden_text(failure, {{"the size is", 7249, "sum"}}),
            "the result is correct, but only by chance:\nrace");
}

TEST(HiddenText, NamesAnErrorOnlyIfCudaHasIt) {
  Failure failure;
  EXPECT_EQ(hidden_text(failure), "it failed while it ran");
  failure.cuda_error = 700;
  EXPECT_EQ(hidden_text(failure), "it failed while it ran (cudaErrorIllegalAddress)");
  failure.cuda_error = 7249;
  EXPECT_EQ(hidden_text(failure), "it failed while it ran");
  failure.cuda_error = cudaErrorNoDevice;
  EXPECT_EQ(hidden_text(failure), "it failed while it ran") << "no kernel ends with it, so somebody chose it";
}

TEST(PublicText, TellsAllButAddressesAndFolders) {
  Failure failure = failure_of_7249(Failure::Kind::wrong_values);
  failure.findings.resize(1);
  EXPECT_EQ(
      public_text(failure),
      "element 7249 of 7249 at 0x..., in sum.cu:7249\nsum.cu:31: race in sum<7249>: writes byte 7249; is the "
      "size 7249?");
  failure.launched = false;
  EXPECT_TRUE(public_text(failure).ends_with("\n  no kernel was launched"));
}

TEST(PublicText, SaysHowToSeeAFailureOfLayersWithoutTheGrader) {
  Failure failure = failure_of_7249(Failure::Kind::wrong_values);
  EXPECT_EQ(public_text(failure).find("--blocks-down"), std::string::npos);
  failure.in_layers = true;
  EXPECT_NE(public_text(failure).find("the lab's program with --blocks-down 63"), std::string::npos)
      << public_text(failure);
}

TEST(PublicText, IsOfBoundedLengthWhateverAKernelIsCalled) {
  Failure failure = failure_of_7249(Failure::Kind::findings);
  failure.findings.assign(1000, finding_of_7249());
  for (lens::Finding& finding : failure.findings) finding.kernel = finding.file = std::string(300'000, 'a');
  EXPECT_LT(public_text(failure).size(), 20'000u);
  EXPECT_LT(hidden_text(failure).size(), 1'000u);
}

TEST(Hints, HoldNoNumberAndDifferByName) {
  for (int i = 0; i <= static_cast<int>(lens::Hint::memory_never_freed); ++i) {
    const auto hint = static_cast<lens::Hint>(i);
    EXPECT_EQ(std::string(text_of(hint)).find_first_of("0123456789"), std::string::npos) << text_of(hint);
    EXPECT_EQ(lens::hint_of(name_of(hint)), hint);
  }
  EXPECT_EQ(lens::hint_of("the size is 7249"), std::nullopt);
}

TEST(WithoutPlaces, LeavesWhatIsNeitherAnAddressNorAPathToAFile) {
  EXPECT_EQ(without_places("0x7fff5a3b at /a/b/c.cu:12"), "0x... at c.cu:12");
  EXPECT_EQ(without_places("(launched at /a/b_c/d.cu:3), '/e/f/g.hpp'"), "(launched at d.cu:3), 'g.hpp'");
  for (const char* const text :
       {"mask 0xffff", "a/b", "12 GB/s", "labs/05_x/y.cu", "/x.cu", "/usr/bin/", "1 / 2"})
    EXPECT_EQ(without_places(text), text);
}

}  // namespace
}  // namespace warplab
