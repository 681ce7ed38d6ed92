#pragma once

#include <string>

#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab::house {

/// Writes a program for bash into a folder.
void write_program(const ScratchFolder& folder, const std::string& name, const std::string& body);

/// Runs a command in the folder, with an sbatch that counts its jobs from 1 and appends what each was asked
/// for to the file `asked` there.
Outcome run_with_sbatch(const ScratchFolder& folder, const std::string& command);

}  // namespace warplab::house
