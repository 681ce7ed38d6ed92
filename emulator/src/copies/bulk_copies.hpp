#pragma once

#include <cstddef>

#include "emulator/src/copies/asynchronous_work.hpp"

namespace warplab::emulator {

/// Code of the call that returns there: what it returns to may be another line.
inline const void* caller_code(const void* returns_to) {
  return static_cast<const std::byte*>(returns_to) - 1;
}

/// Takes note of a store that the calling thread issues, once it has been checked.
void add_bulk_store(AsynchronousWork::BulkStore store);

}  // namespace warplab::emulator
