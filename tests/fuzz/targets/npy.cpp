#include "common/io/npy.hpp"

#include "tests/fuzz/fuzz_target.hpp"

void warplab::fuzz::take(std::string_view input) { read_npy(InputFile(input).path()); }
