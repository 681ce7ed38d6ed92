// findings CASE: runs one case of the suite. findings --list: the names of all, with their files.

#include <cstring>

#include "tests/emulator/findings/case.hpp"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: findings CASE | --list\n");
    return 2;
  }
  for (const findings::Case& c : findings::cases()) {
    if (std::strcmp(arguments[1], "--list") == 0) {
      std::printf("%s %s\n", c.name, c.file);
    } else if (std::strcmp(arguments[1], c.name) == 0) {
      c.run();
      const cudaError_t error = cudaDeviceSynchronize();
      std::printf("%s: %s\n", c.name, cudaGetErrorString(error));
      cudaDeviceReset();  // the end of the program, for a checker of leaks
      return 0;
    }
  }
  if (std::strcmp(arguments[1], "--list") == 0) return 0;
  std::fprintf(stderr, "findings: no case '%s'; --list names them\n", arguments[1]);
  return 2;
}
