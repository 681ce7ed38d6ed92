#include "report/results/run_file.hpp"
#include "tests/fuzz/fuzz_target.hpp"

void warplab::fuzz::take(std::string_view input) {
  for (const report::Row& row : report::read_run(InputFile(input).path()).rows) {
    row.size_text();
    row.findings();
  }
}
