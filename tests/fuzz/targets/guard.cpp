#include "grader/guard/guard.hpp"

#include "grader/build/precompiled_headers.hpp"
#include "grader/judge/oddities.hpp"
#include "tests/fuzz/fuzz_target.hpp"

// All looks at a student's file, as if it were preprocessed already.
void warplab::fuzz::take(std::string_view input) {
  refusal_of_source(input);
  refusal_of_source(input, SourceKind::header);
  refusal_of_preprocessed(input, "labs/02_vector_add/a.cu");
  refusal_of_includes(input, WARPLAB_SOURCE_DIR);
  split_behind_headers(input, {"a.cu"}, "/work");
  hidden_in({{"a.cu", std::string(input)}});
}
