#pragma once

#include <sys/stat.h>

#include <cstdlib>
#include <string>

#include "tests/common/scratch_folder.hpp"

namespace warplab {

/// A shell script under a program's name, first in PATH while this lives.
class StandIn {
 public:
  /// @param body sees its own folder as $folder
  StandIn(const std::string& program, const std::string& body) : path_(std::getenv("PATH")) {
    chmod(folder_.write(program, "#!/bin/sh\nfolder=" + folder_.path().string() + "\n" + body).c_str(), 0755);
    setenv("PATH", (folder_.path().string() + ":" + path_).c_str(), 1);
  }
  ~StandIn() { setenv("PATH", path_.c_str(), 1); }
  StandIn(const StandIn&) = delete;
  std::string wrote(const char* name) const { return content_of(folder_ / name); }

 private:
  ScratchFolder folder_;
  std::string path_;
};

}  // namespace warplab
