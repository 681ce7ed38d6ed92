// warplab-cc: makes a program of CUDA C++ files that runs on this CPU, and beside it what the lens needs to
// count (PROGRAM.lens.so). The flags are those that this build compiles its own kernels with.
#include <cstdio>
#include <exception>

#include "emulator/driver/arguments.hpp"
#include "emulator/driver/build.hpp"
#include "emulator/driver/commands.hpp"
#include "emulator/driver/explain.hpp"
#include "emulator/driver/nvcc_identity.hpp"

namespace {

constexpr const char* help = R"(Usage: warplab-cc FILE.cu... [-o PROGRAM]
       warplab-cc --explain FILE.cu...

Makes a program of CUDA C++ files, which runs on this CPU. WARPLAB_LENS=1 ./PROGRAM also counts, line by line, what
its kernels do to memory, and looks for mistakes.

  -o PROGRAM           the program (a.out); what the lens needs becomes PROGRAM.lens.so
  -c, -dc              an object of each source (-o names it, -odir its folder); link them with warplab-cc
  -lib, -shared        an archive, a shared library
  -E, -M, -MD, -MF     the preprocessor's output, and what a source depends on
  -O0 ... -O3, -g      for the program; the lens's counts do not depend on them
  -std=c++17, c++20    the standard: C++17 as for nvcc
  -I -D -U -include    for the preprocessor, also as --include-path and the like
  --cuda-path FOLDER   the CUDA Toolkit whose headers of Thrust and CUB are used, if the program includes them
  --default-stream     per-thread: every host thread has a default stream of its own
  -L -l -Wl, .o .a     for the linker
  -W -f -m -Xcompiler  for g++
  --explain            say what the sources use that the emulator does not have
  -v                   show the commands

Files are .cu and, without kernels, .cpp, .cc, .cxx and .c; with -x cu all hold CUDA. What nvcc is told about a
GPU (-arch, -gencode, -lineinfo, -rdc, -Xptxas, -maxrregcount and the like) is passed over: kernels are compiled
for this CPU, and device code of several files is always linked. So are -lcudart and -lcudadevrt.
Exit codes: 0 all well, 1 the compiler found errors, 2 bad input, 4 a fault of warplab's own.
)";

int run(const std::vector<std::string>& words) {
  using namespace warplab::driver;
  // CMake asks so, and gives the name of no file.
  const bool asks_who = !words.empty() && words[0] == "-v";
  if (asks_who) std::fputs(identity_text().c_str(), stderr);
  const Arguments arguments = parse(words);
  if (arguments.verbose && !asks_who) std::fputs(identity_text().c_str(), stderr);
  if (arguments.help) return std::fputs(help, stdout), 0;
  if (arguments.version) return std::fputs(version_text().c_str(), stdout), 0;
  if (arguments.explain) return explain(arguments) ? 0 : 1;
  build(arguments);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace warplab::driver;
  catch_signals();
  try {
    return run({argv + 1, argv + argc});
  } catch (const BadArguments& error) {
    std::fprintf(stderr, "warplab-cc: %s\n", error.what());
    return 2;
  } catch (const Failed&) {
    return 1;
  } catch (const Interrupted& interrupted) {
    return 128 + interrupted.signal;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warplab-cc: %s\n", error.what());
    return 4;
  }
}
