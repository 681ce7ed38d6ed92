#pragma once

#include <string>
#include <vector>

#include "lens/bounds/device_rates.hpp"
#include "lens/report.hpp"

namespace warplab::lens {

/// What a launch needs some time of, however well it is scheduled.
enum class Resource {
  dram,
  l2_loads,
  l2_stores,
  l1,
  one_address,
  tensor_cores,
  instructions,
  doubles,
  specials,
  block_starts,
  barriers,
  waits
};

/// "DRAM", as tables have it.
const char* name_of(Resource resource);

/// The least time that a launch can take because of one resource.
struct Bound {
  Resource resource = Resource::dram;
  double us = 0;
};

/// Lower bounds of the time of launches, one after another.
struct Bounds {
  double fixed_us = 0;      ///< of any launch, and until the first value has come from memory
  std::vector<Bound> each;  ///< the largest first; resources that nothing is asked of are left out

  /// No launch can take less: what is fixed, and the largest bound.
  double us() const { return fixed_us + (each.empty() ? 0 : each.front().us); }
  /// What sets it, or "launch" where that is most of it.
  const char* limit() const;
};

/// Of the launch, or of `launches` alike ones that were added up. L2 is taken to be full of others' data that
/// must be written back, as it is when the labs take times.
/// @pre launch.work is known
Bounds bounds_of(const Launch& launch, const DeviceRates& rates, std::uint64_t launches = 1);

/// Of a call: the launches by the host one after another, those by kernels side by side with them.
/// @return nothing where the work of a launch is not known
std::optional<Bounds> bounds_of_call(const std::vector<Launch>& launches, const DeviceRates& rates);

/// "41.6 us on an NVIDIA H100 80GB HBM3, by L1 and shared memory (launch 2.9, L1 and
/// shared memory 38.7, DRAM 4.6)"
std::string bounds_text(const Bounds& bounds, const DeviceRates& rates);

}  // namespace warplab::lens
