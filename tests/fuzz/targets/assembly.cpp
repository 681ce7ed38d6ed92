#include "grader/guard/guard_assembly.hpp"
#include "tests/fuzz/fuzz_target.hpp"

void warplab::fuzz::take(std::string_view input) {
  guarded_assembly(input, "");
  guarded_assembly(input, "vector_add_one_per_thread");
}
