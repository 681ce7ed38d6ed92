// The script that plays a whole term with the program and real files ends well.
#include <gtest/gtest.h>

#include "tests/common/command.hpp"

namespace warplab {
namespace {

TEST(TermPlayed, WithTheProgramGivesTheMarksThatWereWorkedOutByHand) {
  const house::Outcome outcome =
      house::run(std::string(WARPLAB_SOURCE_DIR) + "/tests/grader/term/play_a_term.sh");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
}

}  // namespace
}  // namespace warplab
