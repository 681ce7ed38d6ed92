#pragma once

#include <vector>

#include "functions.hpp"
#include "token.hpp"

namespace warplab::translator {

/// A `__syncthreads();` that is as a statement of its own in a kernel's outermost block.
struct BarrierStatement {
  int first, last;  ///< tokens of the name and of the semicolon
};

/// The barriers that cut a kernel into regions which every thread runs from start to end: then the threads
/// can be looped over region by region, with no stack for each. What a region leaves to the next is copied,
/// so a kernel qualifies only if its barriers are the only thing it waits for, all of them statements of its
/// outermost block, and nothing before the last one returns, takes the address of a variable, or declares a
/// reference, an array or an object: its variables and parameters are numbers, CUDA vectors and pointers.
/// @return empty if the kernel does not qualify.
std::vector<BarrierStatement> region_barriers(const Source& source, const DeviceCode& code,
                                              const Function& kernel);

/// Whether token `i` is in the block that opens at token `open`, not in one inside it.
bool is_outermost(const Source& source, int i, int open);

/// The barriers of a kernel that can be run as coroutines: they are all it waits for, each a statement,
/// anywhere in the body.
/// @return empty if the kernel does not qualify.
std::vector<BarrierStatement> coroutine_barriers(const Source& source, const DeviceCode& code,
                                                 const Function& kernel);

}  // namespace warplab::translator
