// warplab-translate [--lens | --graded] [--library FOLDER/]... IN OUT: turns a preprocessed CUDA C++ file
// into C++ for the emulator.

#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "emulator/translator/translate.hpp"

using warplab::translator::Mode;

int main(int argc, char** argv) {
  Mode mode = Mode::plain;
  if (argc > 1 && std::strcmp(argv[1], "--lens") == 0) mode = Mode::lens;
  if (argc > 1 && std::strcmp(argv[1], "--graded") == 0) mode = Mode::graded;
  argv += mode != Mode::plain;
  argc -= mode != Mode::plain;
  std::vector<std::string> libraries;
  for (; argc > 2 && std::strcmp(argv[1], "--library") == 0; argc -= 2, argv += 2)
    libraries.emplace_back(argv[2]);
  if (argc != 3) {
    std::fprintf(
        stderr,
        "usage: warplab-translate [--lens | --graded] [--library FOLDER/]... PREPROCESSED.ii OUT.cpp\n");
    return 2;
  }
  std::ifstream in(argv[1], std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "warplab-translate: can't read %s\n", argv[1]);
    return 2;
  }
  std::ostringstream text;
  text << in.rdbuf();
  std::string preprocessed = std::move(text).str();
  if (!preprocessed.starts_with("# ")) {
    std::fprintf(
        stderr,
        "warplab-translate: %s is not what g++ -E writes: it does not begin with the name of its file\n",
        argv[1]);
    return 2;
  }
  try {
    const std::string translated = warplab::translator::translate(std::move(preprocessed), mode, libraries);
    std::ofstream out(argv[2], std::ios::binary);
    out << translated;
    out.close();
    if (!out) {
      std::remove(argv[2]);
      std::fprintf(stderr, "warplab-translate: can't write %s\n", argv[2]);
      return 2;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
