#pragma once

#include <cuda_runtime_api.h>

#include "emulator/src/streams/transfer.hpp"

namespace warplab::emulator {

/// The transfer that a copy to a variable of the device, or from one, asks for.
/// @return CUDA's error, explained, where the variable or the place in it cannot be right
cudaError_t describe_copy_to_symbol(const char* function, SymbolReference symbol, const void* from,
                                    std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                    Transfer& transfer);
cudaError_t describe_copy_from_symbol(const char* function, void* to, SymbolReference symbol,
                                      std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                      Transfer& transfer);

}  // namespace warplab::emulator
