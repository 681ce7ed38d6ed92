#pragma once

namespace warplab::emulator {

/// Says what reports call the allocation that holds an address: "input `a`", in place of "4096-byte
/// cudaMalloc (number 3)". Does nothing for an address that the emulator did not hand out.
void name_memory(const void* address, const char* name);

}  // namespace warplab::emulator
