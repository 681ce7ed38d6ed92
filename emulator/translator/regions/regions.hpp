#pragma once

#include <optional>
#include <string>

#include "emulator/translator/code/edits.hpp"
#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/token.hpp"
#include "emulator/translator/regions/expressions.hpp"
#include "emulator/translator/regions/warp_calls.hpp"

namespace warplab::translator {

/// A kernel's body, written as loops over threads.
struct RegionBody {
  std::string condition;       ///< of the compiler: if it is false, the kernel can't be run so; or ""
  bool divides_warps = false;  ///< the kernel can be run so only where each warp lies in a row of the block
  std::string text;
};

/// The body of a kernel that its barriers cut into regions which every thread runs from start to end: then
/// the threads are looped over region by region, with no stack for each. A warp's functions cut it too. Loops
/// and branches with either in them are run by the block; a kernel qualifies only if what they depend on is
/// the same for all threads (see ThreadVariables), its barriers are all that it waits for, and nothing that a
/// region leaves to another is an object, a reference or the address of a variable.
/// @return nothing if the kernel does not qualify
std::optional<RegionBody> in_regions(const Source& source, const DeviceCode& code, const FileNames& names,
                                     const WarpCalls& calls, const Function& kernel, Edits& edits);

/// A device function, written as loops over threads: another function, for all threads of a block at once.
struct RegionFunction {
  WarpFunction call;
  std::string head;         ///< to the parenthesis of its parameters
  std::string begin, body;  ///< what its braces hold
  std::string end;          ///< after the body
};

/// The same for a device function that waits, or asks who its thread is. It qualifies if no other has its
/// name, and it takes and returns numbers, and returns where it ends.
std::optional<RegionFunction> function_in_regions(const Source& source, const DeviceCode& code,
                                                  const FileNames& names, const WarpCalls& calls,
                                                  const Function& function, Edits& edits);

/// Whether a kernel's threads can be coroutines: they wait at barriers and nowhere else, each a statement,
/// anywhere in the body.
bool can_be_coroutines(const Source& source, const DeviceCode& code, const Function& kernel);

}  // namespace warplab::translator
