#pragma once

#include <optional>
#include <string>

#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/token.hpp"
#include "emulator/translator/known_names.hpp"
#include "emulator/translator/loop_head.hpp"

namespace warplab::translator {

/// What nvcc sees of a loop's body when it decides how to unroll it, estimated from the source.
struct LoopBody {
  int instructions;  ///< of an iteration, in the compiler's language
  int machine_code;  ///< instructions of four iterations, the loop's own among them
  /// The types of variables that are constants before the loop and change with it: `decltype(a), decltype(b)`
  std::string accumulators;
};

/// @param end the last token of the body. @return nothing if the body is left early, or has loops that stay
std::optional<LoopBody> read_loop_body(const Source& source, const Function& function, const DeviceCode& code,
                                       const KnownNames& known, const LoopHead& head, int keyword, int end);

}  // namespace warplab::translator
