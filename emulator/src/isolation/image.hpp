#pragma once

#include <cstddef>
#include <cstdint>

namespace warplab::emulator::isolation {

/// What loaded modules hold at an address.
enum class Image : std::uint8_t {
  none,
  constant,  ///< read-only segments of any module
  guarded,   ///< variables of a guarded module
  linkage    ///< a guarded module's table of addresses
};

/// What lies at these bytes, all of them.
Image image_at(std::uintptr_t address, std::size_t bytes);

/// Makes the module around an address a guarded one.
void add_guarded_module(const void* inside);

}  // namespace warplab::emulator::isolation
