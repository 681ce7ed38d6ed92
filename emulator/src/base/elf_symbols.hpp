#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warplab::emulator {

/// A function as the symbol table of a module has it.
struct ElfFunction {
  std::uint64_t address = 0;  ///< from the module's begin on, if the module may lie anywhere
  std::size_t bytes = 0;
  std::string name;  ///< the linker's, mangled where the language mangles it
};

/// The functions that a module defines, static ones too, in the order of the symbol table that linkers leave
/// for debuggers. None where the file was stripped, is not an ELF file, or ends before what it describes.
std::vector<ElfFunction> functions_of(const std::string& path);

/// The path of a module that the dynamic linker calls `name`: that of a program may be relative to where it
/// began.
std::string path_of_module(const char* name);

}  // namespace warplab::emulator
