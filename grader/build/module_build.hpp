#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/build/module_source.hpp"
#include "grader/build/precompiled_headers.hpp"
#include "grader/guard/guard.hpp"
#include "grader/sandbox/sandbox.hpp"

namespace warplab {

/// Its outcome: a module, or why there is none.
struct ModuleBuild {
  std::filesystem::path module;  ///< rung.so, to be run by a worker; itself the instrumented build; or empty
  std::optional<Refusal> refusal;  ///< of what it contains
  std::string errors;              ///< the compiler's first lines, with names of files for paths; or ""
  std::string unproven = {};       ///< for the instructor: the rule that the machine code breaks, and where
};

/// The first lines of what a compiler said, with names for paths in these folders.
std::string shortened_errors(std::string text, const std::vector<std::string>& folders);

/// Runs a command to its end, or kills it after so many seconds.
using CommandRunner = std::function<CommandOutcome(const std::vector<std::string>& command, double wall_s)>;

/// What the commands of build_module() read beside `folder`, the compiler and the system: headers of common/
/// and the emulator, and of the build tree the files that they name. Nothing of labs/, and no other file of
/// the build tree: what was made of our solutions lies there.
std::vector<std::filesystem::path> read_by_build(const ModuleSource& source);

/// Builds a guarded module (guard.hpp) in `folder`, by commands that `run` keeps in: the preprocessor, the
/// translator, the compiler, the assembler and the linker, of this build tree. What each makes is looked at
/// before anything is loaded.
/// @param folder exists, and is the commands' to write to
/// @param headers what is found there need not be compiled again; null to compile all
/// @throws NotAvailable for another processor than x86-64, and on another backend
/// @throws std::runtime_error if the build tree lacks the lab's adapter
ModuleBuild build_module(const ModuleSource& source, const std::filesystem::path& folder,
                         const CommandRunner& run, PrecompiledHeaders* headers = nullptr);

}  // namespace warplab
