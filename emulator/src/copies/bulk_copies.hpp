#pragma once

#include "emulator/src/copies/asynchronous_work.hpp"

namespace warplab::emulator {

/// Takes note of a store that the calling thread issues, once it has been checked.
void add_bulk_store(AsynchronousWork::BulkStore store);

}  // namespace warplab::emulator
