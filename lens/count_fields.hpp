#pragma once

#include "lens/report.hpp"

namespace warplab::lens {

// The names of what is counted, as the JSON has them, each with its member: `take(name, member)` for all.

template <class Take>
void each_field(const SectorCounts*, Take take) {
  take("requests", &SectorCounts::requests);
  take("sectors", &SectorCounts::sectors);
  take("ideal_sectors", &SectorCounts::ideal_sectors);
  take("lanes", &SectorCounts::lanes);
  take("bytes", &SectorCounts::bytes);
}

template <class Take>
void each_field(const WavefrontCounts*, Take take) {
  take("requests", &WavefrontCounts::requests);
  take("wavefronts", &WavefrontCounts::wavefronts);
  take("ideal_wavefronts", &WavefrontCounts::ideal_wavefronts);
  take("lanes", &WavefrontCounts::lanes);
  take("bytes", &WavefrontCounts::bytes);
}

template <class Take>
void each_field(const ConstantCounts*, Take take) {
  take("requests", &ConstantCounts::requests);
  take("addresses", &ConstantCounts::addresses);
  take("loaded", &ConstantCounts::loaded);
}

template <class Take>
void each_field(const AtomicCounts*, Take take) {
  take("requests", &AtomicCounts::requests);
  take("sectors", &AtomicCounts::sectors);
  take("lanes", &AtomicCounts::lanes);
  take("addresses", &AtomicCounts::addresses);
  take("serial", &AtomicCounts::serial);
}

template <class Take>
void each_field(const BranchCounts*, Take take) {
  take("executed", &BranchCounts::executed);
  take("divergent", &BranchCounts::divergent);
}

/// What has such fields.
template <class T>
concept Fields = requires(const T* counts) {
  each_field(counts, [](const char*, auto) {});
};

template <Fields T>
T& operator+=(T& sum, const T& more) {
  each_field(&sum, [&](const char*, auto member) { sum.*member += more.*member; });
  return sum;
}

}  // namespace warplab::lens
