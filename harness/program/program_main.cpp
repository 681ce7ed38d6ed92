// The main function of every lab's program: runs the one problem that is linked into it.
#include <cstdio>

#include "common/host/bad_input.hpp"
#include "harness/program/program.hpp"

int main(int argc, char** argv) {
  const auto& problems = warplab::problem_registry();
  if (problems.size() != 1) {
    std::fprintf(stderr, "%s: %zu problems are linked into this program; it must be one\n", argv[0],
                 problems.size());
    return warplab::exit_fault;
  }
  return warplab::run_program(*problems.begin()->second, argc, argv);
}
