#pragma once

#include <string>

#include "lens/patterns/bank_schedule.hpp"
#include "lens/report.hpp"

// What a map of the lens and a picture in a handout say of one request alike.

namespace warplab::lens {

/// Whether a request is one of shared memory.
bool is_shared(RequestKind kind);

/// "32 lanes load 4 bytes each from global memory: 5 sectors"
std::string request_text(const RequestSample& sample);

/// The class in drawings of a word that a bank delivers: "late", "shared-word" or "asked".
const char* style_of(const BankService& service);

}  // namespace warplab::lens
