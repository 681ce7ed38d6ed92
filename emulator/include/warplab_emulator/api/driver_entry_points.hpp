#pragma once

#include "driver_types.h"

// How a program that links the runtime finds functions of the driver, of which there are those in cuda.h.

enum cudaDriverEntryPointQueryResult : int {
  cudaDriverEntryPointSuccess = 0,
  cudaDriverEntryPointSymbolNotFound = 1,
  cudaDriverEntryPointVersionNotSufficent = 2
};
inline constexpr unsigned long long cudaEnableDefault = 0, cudaEnableLegacyStream = 1,
                                    cudaEnablePerThreadDefaultStream = 2;

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** funcPtr, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* driverStatus = nullptr);
/// The function as it was in the version `cudaVersion` of CUDA, for example 12000.
cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** funcPtr, unsigned cudaVersion,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* driverStatus = nullptr);
