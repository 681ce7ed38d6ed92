#pragma once

#include <string>

namespace warplab::emulator {

struct Worker;

/// Lets the threads of a block go on that wait for `key`, also those of another block of the cluster.
void wake_waiters(Worker& worker, const void* key);

/// What a phase barrier lacks at which threads wait for ever: " (1 of 4 arrivals is missing)", or "".
std::string explain_wait(const void* barrier, int parity);

}  // namespace warplab::emulator
