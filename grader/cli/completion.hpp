#pragma once

#include <string>

namespace CLI {
class App;
}

namespace warplab {

/// Prints what completes the command line of a program in a shell: its subcommands, their flags, and the
/// tree's labs. It is made of the program's own definition, so that it cannot go stale.
/// @param shell bash, zsh or fish
int command_completion(const CLI::App& app, const std::string& shell);

}  // namespace warplab
