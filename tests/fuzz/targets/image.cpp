#include "common/io/image_file.hpp"

#include "tests/fuzz/fuzz_target.hpp"

void warplab::fuzz::take(std::string_view input) { read_image(InputFile(input).path()); }
