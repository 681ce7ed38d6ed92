#include "grader/answers/written_part.hpp"
#include "grader/text/printable.hpp"
#include "tests/fuzz/fuzz_target.hpp"

void warplab::fuzz::take(std::string_view input) {
  for (const auto& [question, answer] : answers_in(input)) {
    words_in(answer);
    shown_text(answer);
  }
}
