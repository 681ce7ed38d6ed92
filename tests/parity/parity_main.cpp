// Runs the parity cases, all or those named, each once: on a GPU under a profiler,
// on the emulator under the lens.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>

#include "tests/parity/parity.hpp"

namespace {

using warplab::parity::Case;

int run_case(const Case& one) {
  try {
    one.run();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "parity: %s: %s\n", one.kernel.c_str(), error.what());
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  auto all = warplab::parity::cases();
  std::sort(all.begin(), all.end(), [](const Case& a, const Case& b) {
    return std::pair(a.group, a.kernel) < std::pair(b.group, b.kernel);
  });
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    for (const Case& one : all) std::printf("%s %s\n", one.group.c_str(), one.kernel.c_str());
    return 0;
  }
  std::vector<Case> chosen;
  for (int i = 1; i < argc; ++i) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Case& one) { return one.kernel == argv[i]; });
    if (found == all.end()) {
      std::fprintf(stderr, "parity: there is no case '%s'; --list names them\n", argv[i]);
      return 2;
    }
    chosen.push_back(*found);
  }
  if (argc == 1) chosen = all;
  int wrong = 0;
  for (const Case& one : chosen) wrong += run_case(one);
  std::printf("%zu cases, %d wrong\n", chosen.size(), wrong);
  return wrong == 0 ? 0 : 1;
}
