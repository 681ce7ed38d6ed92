#pragma once

#include <optional>

#include "harness/rung/rung_module.hpp"
#include "harness/rung/rung_request.hpp"

namespace warplab {

/// Runs one request in this process: guarded and poisoned buffers, inputs copied in, one call, outputs copied
/// out, guard zones and inputs checked. With `measure` (where the backend has times) it then samples, and
/// ends with one more call on freshly poisoned outputs, so that the outputs handed back are those after the
/// timing. With `lens_blocks` (on the emulator) its one call is recorded. Never throws for what the rung
/// does: it becomes the reply.
RungReply run_session(const RungModule& module, const RungRequest& request);

/// Runs a rung in this process, where gdb can follow it; a crash or a hang is this process's own.
class InProcessRunner : public RungRunner {
 public:
  explicit InProcessRunner(std::filesystem::path module) : path_(std::move(module)) {}
  RungReply run(const RungRequest& request) override;

 private:
  std::filesystem::path path_;
  std::optional<RungModule> module_;
};

}  // namespace warplab
