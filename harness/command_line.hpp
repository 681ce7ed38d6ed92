#pragma once

namespace CLI {
class App;
}

namespace warplab {

/// Parses a command line.
/// @throws BadInput in one sentence that names the word which is wrong and the option or command that was
/// meant; CLI::Success and those derived from it, such as CLI::CallForHelp, as CLI11 does
void parse_command_line(CLI::App& app, int argc, const char* const* argv);

}  // namespace warplab
