// libexec/warplab-confine: confines itself as its words say, then becomes the command after `--`.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "common/host/bad_input.hpp"
#include "grader/sandbox/confinement.hpp"

int main(int argc, char** argv) {
  int next = 1;
  try {
    const warplab::Confinement confinement = warplab::confinement_from(argv, argc, next);
    if (next == argc) throw warplab::BadInput("there is no command after --");
    warplab::confine(confinement);
  } catch (const warplab::BadInput& error) {
    std::fprintf(stderr, "warplab-confine: %s\n", error.what());
    return warplab::exit_bad_input;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warplab-confine: %s\n", error.what());
    return warplab::exit_not_available;
  }
  execv(argv[next], argv + next);
  std::fprintf(stderr, "warplab-confine: cannot execute %s: %s\n", argv[next], std::strerror(errno));
  return 127;
}
