#include "grader/intake/archive.hpp"

#include "grader/intake/submission_reader.hpp"
#include "tests/fuzz/fuzz_target.hpp"

void warplab::fuzz::take(std::string_view input) {
  IntakeLimits limits;
  limits.unpacked_bytes = limits.free_bytes = 1 << 20;
  SubmissionReader reader({"vector_add_grid_stride.cu", "answers.md"}, limits);
  read_archive(input, reader);
  for (std::size_t i = 0; i < reader.archives.size() && i < 4; ++i) {
    const std::string inner = reader.archives[i].content;
    read_archive(inner, reader);
  }
}
