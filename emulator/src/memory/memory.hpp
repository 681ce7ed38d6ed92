#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace warplab::emulator {

/// What kind of memory an address belongs to, as the emulated device sees it.
enum class Space { device, managed, pinned, symbol, host };

/// The space of an address; `Space::host` for every address that the emulator did not hand out.
Space space_of(const void* address);

/// One sentence about an address for a report: "12 bytes past the end of a 4096-byte cudaMalloc (number 3)",
/// "a null pointer", "host memory". Async-signal-safe it is not: call it outside the signal handler.
std::string describe_address(const void* address);

/// Device memory is closed to the host (PROT_NONE) while no kernel or copy runs, so that host code which
/// dereferences a device pointer faults. `open_for_device` opens the allocation around `address` to the
/// running device work and reports whether it had been closed: the fault handler calls it when device code
/// touches a closed allocation and, where it returns true, retries the access. Async-signal-safe and callable
/// from any thread.
bool open_for_device(const void* address) noexcept;

/// Whether `address` lies in an allocation that only the device may touch (whether
/// closed or open). Async-signal-safe.
bool is_device_only(const void* address) noexcept;

/// The device whose memory the kernel that runs touches at `address` without peer access; -1 if it may.
int owner_without_access(const void* address) noexcept;

/// Lets kernels of a device touch an allocation of another device, whatever its peer access, or no longer.
/// Small allocations may share memory, and then also who may touch it.
void let_device_touch(const void* address, int device, bool allowed);

/// While it lives, kernels of one device run: of several devices, they find the memory of the others closed.
class WorkingDevice {
 public:
  explicit WorkingDevice(int device);
  ~WorkingDevice();
  WorkingDevice(const WorkingDevice&) = delete;
  WorkingDevice& operator=(const WorkingDevice&) = delete;
};

/// Closes everything that `open_for_device` opened. Called when the device becomes idle.
void close_device_memory();

/// Verifies the guard zones of all allocations after `kernel` ran. On a touched zone prints one report that
/// names kernel, allocation and offset, repairs the zone and returns cudaErrorIllegalAddress.
cudaError_t check_guard_zones(const char* kernel);

/// The value that fresh device and shared memory is filled with: a NaN as half, bfloat16, float and double,
/// and an improbable integer.
inline constexpr unsigned poison_word = 0xFFFBFFFBu;

/// Fills memory with the poison pattern.
void poison(void* begin, std::size_t bytes);

/// Makes a `__device__` or `__constant__` variable known, so that its address is taken for device memory.
/// @param read_only it is const, and lies where nothing can be written
void register_symbol(const void* address, std::size_t bytes, const char* name, bool constant,
                     bool read_only = false);
/// Notes that the host may use the address of the symbol there like one from cudaMalloc.
void give_symbol_address(const void* address);

/// What has been allocated and not freed, in the order of allocation: leaks, at the end of a program.
struct LiveAllocation {
  const void* address;
  std::size_t bytes;
  Space space;
  unsigned long long number;  ///< counts calls that allocate, from 1
  std::string function;       ///< for reports: "cudaMalloc"
  const void* caller;         ///< where the program called it: the code after the call, or null
  bool is_registered;         ///< host memory of the program's own, from cudaHostRegister
};
std::vector<LiveAllocation> live_allocations();

struct Region;

/// Who asked for memory, and may free it.
enum class Asker { host, kernel };

/// A piece of memory that the emulator handed out, or knows of.
struct Allocation {
  char* data = nullptr;
  std::size_t bytes = 0;
  Space space = Space::host;
  unsigned long long number = 0;  ///< counts calls that allocate, from 1
  std::string function;           ///< for reports: "cudaMalloc", or "__constant__ variable filter"
  Region* region = nullptr;       ///< null for symbols and registered host memory
  const void* caller = nullptr;   ///< where the program asked for it, or null
  bool host_has_address = true;   ///< of a symbol: cudaGetSymbolAddress gave it
  bool is_constant = false;       ///< of a symbol: it is a __constant__ variable
  bool read_only = false;         ///< of a symbol: it is const, and lies where nothing can be written
  std::string name = {};          ///< what its owner calls it ("input `a`"), or ""
  int device = 0;                 ///< that was current when it was allocated
  Asker asker = Asker::host;
};

/// Allocates poisoned memory of at least 1 byte, 256-byte aligned, between guard zones.
/// @return cudaErrorMemoryAllocation, explained, where the memory is not there.
cudaError_t allocate(void** pointer, std::size_t bytes, Space space, const char* function,
                     const void* caller = nullptr, Asker asker = Asker::host);

/// Frees what `allocate` returned, if it is of the space and was asked for on the same side.
/// @return cudaErrorInvalidValue, explained, for anything else.
cudaError_t release(void* pointer, Space space, const char* function, Asker asker = Asker::host);

/// Frees all memory of a device and forgets registered host memory: the device is reset.
void release_all(int device);

/// The allocation, symbol or registered range that holds this address.
std::optional<Allocation> find_allocation(const void* address);

/// What lies nearest before and after an address that `find_allocation` does not find; freed memory is not in
/// it.
struct Neighbours {
  std::optional<Allocation> before, after;
};
Neighbours neighbours_of(const void* address);

/// The allocation or symbol that an address is in or, probably, was meant to be in.
struct LikelyTarget {
  const char* data = nullptr;
  std::size_t bytes = 0;
  std::string name;  ///< with its article: "a 4096-byte cudaMalloc (number 3)", "input `a` (4096 bytes)"
  bool freed = false;
};
std::optional<LikelyTarget> likely_target(const void* address);

/// How much of a device's memory is allocated, in bytes.
std::size_t device_memory_used(int device);

/// cudaHostRegister and its opposite.
cudaError_t register_host(void* pointer, std::size_t bytes);
cudaError_t unregister_host(void* pointer);

}  // namespace warplab::emulator
