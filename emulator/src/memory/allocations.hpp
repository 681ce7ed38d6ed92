#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <optional>
#include <string>

#include "memory/memory.hpp"

namespace warplab::emulator {

struct Region;

/// A piece of memory that the emulator handed out, or knows of.
struct Allocation {
  char* data = nullptr;
  std::size_t bytes = 0;
  Space space = Space::host;
  unsigned long long number = 0;  ///< counts calls that allocate, from 1
  std::string function;           ///< "cudaMalloc", or "__constant__ variable filter"
  Region* region = nullptr;       ///< null for symbols and registered host memory
  const void* caller = nullptr;   ///< where the program asked for it, or null
  bool host_has_address = true;   ///< of a symbol: cudaGetSymbolAddress gave it
};

/// Allocates poisoned memory of at least 1 byte, 256-byte aligned, between guard zones.
/// @return cudaErrorMemoryAllocation, explained, where the memory is not there.
cudaError_t allocate(void** pointer, std::size_t bytes, Space space, const char* function,
                     const void* caller = nullptr);

/// Frees what `allocate` returned, if it is of the space. @return cudaErrorInvalidValue, explained, for
/// anything else.
cudaError_t release(void* pointer, Space space, const char* function);

/// Frees everything and forgets registered host memory: the device is reset.
void release_all();

/// The allocation, symbol or registered range that holds this address.
std::optional<Allocation> find_allocation(const void* address);

/// Changes whenever memory is allocated, freed or made known.
unsigned long long allocation_generation() noexcept;

/// What lies nearest before and after an address that `find_allocation` does not find; freed memory is not in
/// it.
struct Neighbours {
  std::optional<Allocation> before, after;
};
Neighbours neighbours_of(const void* address);

/// The allocation or symbol that an address is in or, probably, was meant to be in.
struct Meant {
  const char* data = nullptr;
  std::size_t bytes = 0;
  std::string name;  ///< "4096-byte cudaMalloc (number 3)", "__constant__ variable filter"
  bool freed = false;
};
std::optional<Meant> meant_by(const void* address);

/// cudaHostRegister and its opposite.
cudaError_t register_host(void* pointer, std::size_t bytes);
cudaError_t unregister_host(void* pointer);

/// Device memory: how much the device has, and how much of it is allocated, in bytes.
std::size_t device_memory_total();
std::size_t device_memory_used();

}  // namespace warplab::emulator
