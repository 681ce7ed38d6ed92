// warplab-run: what ./run_all.sh does once this is built. It is started in the tree's root.
#include <cstdio>

#include "harness/console/report_errors.hpp"
#include "runner/child.hpp"
#include "runner/lab_tree.hpp"
#include "runner/run_labs.hpp"
#include "runner/run_options.hpp"

int main(int argc, char** argv) {
  using namespace warplab;
  runner::hold_signals();
  return report_errors("run_all.sh", [&]() -> int {
    try {
      const runner::RunOptions options = runner::parse_run_options(argc, argv, runner::labs_of_tree());
      const bool is_tested = options.tests != runner::RunOptions::Tests::none;
      return is_tested ? runner::run_tests(options) : runner::run_labs(options);
    } catch (const runner::Interrupted&) {
      std::fflush(stdout);
      std::fputs("run_all.sh: interrupted; no results were written\n", stderr);
      return 130;
    }
  });
}
