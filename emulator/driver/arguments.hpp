#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace warplab::driver {

/// A command line that cannot be followed: one sentence.
struct BadArguments : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What is made of the sources.
enum class Step {
  program,      ///< also a shared library, with -shared
  objects,      ///< -c, -dc: an object for each source, with the lens's build of it inside
  preprocess,   ///< -E, -M, -MM
  device_link,  ///< -dlink: nothing, as an object
  archive,      ///< -lib
};

/// The command line of warplab-cc.
struct Arguments {
  bool help = false, verbose = false, version = false, explain = false;
  bool shared = false, every_source_is_cuda = false;
  bool fast_mathematics = false;  ///< a GPU would compute with fewer instructions
  Step step = Step::program;
  std::vector<std::string> sources;       ///< .cu, .cpp, .cc, .cxx, .c
  std::vector<std::string> objects;       ///< .o, .a, .so, -l, -L and -Wl,: in their order
  std::vector<std::string> preprocess;    ///< -I, -D, -U, -include, -isystem
  std::vector<std::string> compile;       ///< -O, -g, -W: for the program, not for the lens's build of it
  std::vector<std::string> host;          ///< -Xcompiler, -f, -m: as nvcc, for each of g++'s steps
  std::vector<std::string> dependencies;  ///< -MD, -MF, -MT, -M: for the preprocessor, once
  std::vector<std::string> standard;      ///< -std, and what the emulator's headers need beside it
  std::string toolkit;                    ///< --cuda-path: whose headers of CUB and Thrust are used, or ""
  std::string output;                     ///< "" for the name that nvcc would choose
  std::string output_folder;              ///< of files whose name nvcc would choose, or ""
};

/// Reads the arguments after the program's name. @throws BadArguments
Arguments parse(const std::vector<std::string>& words);

}  // namespace warplab::driver
