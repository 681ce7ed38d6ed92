#include "tests/fuzz/fuzz_target.hpp"
#include "tests/grader/isolation/assembled_object.hpp"

void warplab::fuzz::take(std::string_view input) { rule_broken_by(std::string(input)); }
