#include "lens/bounds/device_rates.hpp"

namespace warplab::lens {

const std::vector<DeviceRates>& known_rates() {
  static const std::vector<DeviceRates> all{
#include "lens/bounds/device_rates.inc"
  };
  return all;
}

const DeviceRates* find_rates(const std::string& device) {
  for (const DeviceRates& rates : known_rates())
    if (device == rates.key || device == rates.name || device.starts_with(std::string(rates.name) + " ("))
      return &rates;
  return nullptr;
}

}  // namespace warplab::lens
