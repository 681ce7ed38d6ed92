#include <fmt/format.h>

#include "common/host/bad_input.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/tree.hpp"
#include "grader/new_lab/new_lab.hpp"

namespace warplab {

int command_new_lab(const NewLabCommand& command) {
  const auto files = make_lab(tree_root(), {command.name, command.title, command.number});
  const std::string folder = (*++files.front().begin()).string();
  for (const std::filesystem::path& file : files) fmt::print("{}\n", file.string());
  fmt::print(
      "\nIt works as it is. Build it, look at it, then make it yours:\n"
      "  cmake --preset emulator && cmake --build --preset emulator --target {0} warplab\n"
      "  build/emulator/bin/{0}\n"
      "  git add labs/{1} reference tests    # what git tracks is checked and released\n"
      "  build/emulator/bin/warplab check --labs {0} --mutants\n"
      "Its rows in README.md and labs/README.md are yours to write:\n"
      "  | [{1}](labs/{1}/README.md) | ... |\n",
      command.name, folder);
  return exit_ok;
}

}  // namespace warplab
