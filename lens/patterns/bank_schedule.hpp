#pragma once

#include <vector>

#include "lens/report.hpp"

namespace warplab::lens {

/// A word of shared memory that a bank delivers, or takes, in one wavefront, and the lanes that share it.
struct BankService {
  unsigned wavefront = 0, bank = 0;
  std::vector<unsigned> lanes;
  bool waited = false;  ///< for another word of the same bank
};

/// When each lane of a request to shared memory is served.
struct BankSchedule {
  std::vector<BankService> services;
  unsigned wavefronts = 0;
};

/// Lanes with 8 bytes go in halves of the warp and those with 16 in quarters; two such parts go together
/// where they can and the request's cost says that they did.
BankSchedule schedule_banks(const RequestSample& sample);

}  // namespace warplab::lens
