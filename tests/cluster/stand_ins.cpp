#include "tests/cluster/stand_ins.hpp"

#include <filesystem>

namespace warplab::house {

namespace fs = std::filesystem;

void write_program(const ScratchFolder& folder, const std::string& name, const std::string& body) {
  fs::permissions(folder.write(name, "#!/usr/bin/env bash\n" + body), fs::perms(0755));
}

Outcome run_with_sbatch(const ScratchFolder& folder, const std::string& command) {
  const std::string asked = "'" + (folder / "asked").string() + "'";
  write_program(folder, "tools/sbatch", "echo \"$@\" >>" + asked + "\nwc -l <" + asked + "\n");
  return run("cd '" + folder.path().string() + "' && PATH='" + (folder / "tools").string() + "':\"$PATH\" " +
             command);
}

}  // namespace warplab::house
