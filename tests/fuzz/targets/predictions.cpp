#include "grader/predict/sealed_answers.hpp"
#include "tests/fuzz/fuzz_target.hpp"

void warplab::fuzz::take(std::string_view input) { read_sealed(InputFile(input).path()); }
