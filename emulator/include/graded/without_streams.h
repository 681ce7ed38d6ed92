#pragma once

#include "warplab_emulator/user_macros_aside.inc"

// Included first where students' files are graded. The functions that would use these are replaced by
// ones that print nothing (emulator/src/isolation/calls_output.cpp).

#include <cstdio>

#undef stdin
#undef stdout
#undef stderr
#define stdin (static_cast<std::FILE*>(nullptr))
#define stdout (static_cast<std::FILE*>(nullptr))
#define stderr (static_cast<std::FILE*>(nullptr))

#include "warplab_emulator/user_macros_back.inc"
