#include "tests/common/command.hpp"

#include <sys/wait.h>

#include <cstdio>
#include <stdexcept>

namespace warplab::house {

Outcome run(const std::string& command) {
  FILE* pipe = popen(("{ " + command + "\n} 2>&1").c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot start: " + command);
  Outcome outcome{0, ""};
  char chunk[4096];
  while (const std::size_t n = std::fread(chunk, 1, sizeof chunk, pipe)) outcome.output.append(chunk, n);
  const int status = pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

}  // namespace warplab::house
