#pragma once

#include <string>
#include <vector>

namespace warplab::translator {

/// Whether the code is to run, or to be watched by the lens while it runs: as the instrumented build of a
/// module that is loaded too, or by itself.
enum class Mode { plain, lens, graded };

/// Turns a preprocessed CUDA C++ file into C++ for the emulator's runtime. Lines keep their numbers.
///
/// - a kernel becomes a function that runs one block: its body is a lambda that is run for each thread
/// - `k<<<grid, block, shared, stream>>>(x)` becomes a call that queues a launch
/// - `__shared__` variables become references into the block's shared memory
/// - `__device__` and `__constant__` variables become known to the runtime
/// - threadIdx and its kin become the running thread's in `__device__` functions
///
/// For the lens, kernels are written for one thread at a time only, and loops and branches are marked. In its
/// mode `lens`, variables are those of the module beside which this one, its instrumented build, is loaded.
///
/// @param libraries how the paths of system headers begin that hold device code, such as CUB's
/// @throws std::runtime_error with "file:line: error: ..." for what the emulator can't run.
std::string translate(std::string preprocessed, Mode mode = Mode::plain,
                      const std::vector<std::string>& libraries = {});

}  // namespace warplab::translator
