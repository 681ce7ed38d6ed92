#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace warplab {

/// Parses a command line.
/// @throws BadInput in one sentence that names the word which is wrong and the option or command that was
/// meant; CLI::Success and those derived from it, such as CLI::CallForHelp, as CLI11 does
void parse_command_line(CLI::App& app, int argc, const char* const* argv);

/// Checks of the option `flag`: a whole number in [low, high], or one of these words. What is wrong is
/// refused as by parse_number() and parse_choice(), with BadInput.
CLI::Validator whole_number(const std::string& flag, std::int64_t low, std::int64_t high);
CLI::Validator one_of(const std::string& flag, const std::vector<const char*>& choices);

}  // namespace warplab
