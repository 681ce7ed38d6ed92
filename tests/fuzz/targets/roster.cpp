#include "grader/people/roster.hpp"
#include "tests/fuzz/fuzz_target.hpp"

void warplab::fuzz::take(std::string_view input) { Roster::read(InputFile(input).path()); }
