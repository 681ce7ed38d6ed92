// warplab-run: what ./run_all.sh does once this is built. It is started in the tree's root.
#include <cstdio>
#include <exception>

#include "common/bad_input.hpp"
#include "runner/child.hpp"
#include "runner/lab_tree.hpp"
#include "runner/run_labs.hpp"
#include "runner/run_options.hpp"

int main(int argc, char** argv) {
  using namespace warplab;
  const auto fail = [](const char* what, int code) {
    std::fflush(stdout);
    std::fprintf(stderr, "run_all.sh: %s\n", what);
    return code;
  };
  runner::hold_signals();
  try {
    const runner::RunOptions options = runner::parse_run_options(argc, argv, runner::labs_of_tree());
    const bool is_tested = options.tests != runner::RunOptions::Tests::none;
    return is_tested ? runner::run_tests(options) : runner::run_labs(options);
  } catch (const runner::Interrupted&) {
    return fail("interrupted; no results were written", 130);
  } catch (const BadInput& error) {
    return fail(error.what(), exit_bad_input);
  } catch (const NotAvailable& error) {
    return fail(error.what(), exit_not_available);
  } catch (const std::exception& error) {
    return fail(error.what(), exit_fault);
  }
}
