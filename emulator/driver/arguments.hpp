#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace warplab::driver {

/// A command line that cannot be followed: one sentence.
struct BadArguments : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The command line of warplab-cc.
struct Arguments {
  bool help = false, verbose = false;
  std::vector<std::string> sources;     ///< .cu, .cpp, .cc, .cxx
  std::vector<std::string> objects;     ///< .o, .a, .so, -l, -L and -Wl,: in their order
  std::vector<std::string> preprocess;  ///< -I, -D, -U, -include, -isystem
  std::vector<std::string>
      compile;  ///< -O, -g, -W, -Xcompiler: for the program, not for the lens's build of it
  std::string output = "a.out";
};

/// Reads the arguments after the program's name. @throws BadArguments
Arguments parse(const std::vector<std::string>& words);

}  // namespace warplab::driver
