// Writes docs/lens-bounds.md from counts.json and the committed results.
#include <cstdio>
#include <exception>
#include <fstream>

#include "tests/bounds/validation.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: bounds_page_program FILE\n");
    return 2;
  }
  try {
    std::ofstream file(argv[1]);
    file << warplab::bounds::page(warplab::bounds::timed_cases(WARPLAB_SOURCE_DIR));
    if (!file.flush()) throw std::runtime_error(std::string("cannot write ") + argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bounds_page_program: %s\n", error.what());
    return 4;
  }
}
