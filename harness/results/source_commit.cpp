#include "harness/results/source_commit.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace warplab {

std::string source_commit() {
  if (const char* given = std::getenv("WARPLAB_COMMIT")) return given;
  const std::string command = std::string("git -C '") + WARPLAB_SOURCE_DIR +
                              "' describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::array<char, 128> line{};
  if (!pipe || !std::fgets(line.data(), line.size(), pipe.get())) return "unknown";
  std::string commit = line.data();
  while (!commit.empty() && commit.back() == '\n') commit.pop_back();
  return commit;
}

}  // namespace warplab
