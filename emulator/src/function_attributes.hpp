#pragma once

#include <cstddef>

namespace warplab::emulator {

/// Limits of the emulated device, those of compute capability 9.0, in bytes.
inline constexpr std::size_t shared_bytes_per_block = 48 * 1024;
inline constexpr std::size_t shared_bytes_per_block_optin = 227 * 1024;
inline constexpr std::size_t shared_bytes_per_multiprocessor = 228 * 1024;
inline constexpr std::size_t shared_bytes_reserved_per_block = 1024;

/// How much dynamic shared memory a launch of this kernel may ask for: 48 KiB, or what the program opted in
/// to with cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize).
std::size_t max_dynamic_shared_bytes(const void* kernel);

}  // namespace warplab::emulator
