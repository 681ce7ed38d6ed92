#include "tests/parity/metrics.hpp"

#include <nlohmann/json.hpp>

namespace warplab::parity {

using nlohmann::json;

const std::vector<std::pair<std::string, std::string>>& metrics() {
  static const std::vector<std::pair<std::string, std::string>> names = {
      {"global_load.requests", "/global_load/requests"},
      {"global_load.sectors", "/global_load/sectors"},
      {"global_load.ideal_sectors", "/global_load/ideal_sectors"},
      {"global_store.requests", "/global_store/requests"},
      {"global_store.sectors", "/global_store/sectors"},
      {"global_store.ideal_sectors", "/global_store/ideal_sectors"},
      {"shared_load.wavefronts", "/shared_load/wavefronts"},
      {"shared_load.ideal_wavefronts", "/shared_load/ideal_wavefronts"},
      {"shared_store.wavefronts", "/shared_store/wavefronts"},
      {"shared_store.ideal_wavefronts", "/shared_store/ideal_wavefronts"},
      {"shared_copy.requests", "/shared_copy/requests"},
      {"shared_copy.wavefronts", "/shared_copy/wavefronts"},
      {"shared_copy.ideal_wavefronts", "/shared_copy/ideal_wavefronts"},
      {"local_load.requests", "/local/load/requests"},
      {"local_load.sectors", "/local/load/sectors"},
      {"local_store.requests", "/local/store/requests"},
      {"local_store.sectors", "/local/store/sectors"},
      {"global_atomics.requests", "/atomics/global/requests"},
      {"global_atomics.sectors", "/atomics/global/sectors"},
      {"constant.addresses", "/constant/loaded"},
  };
  return names;
}

std::optional<double> hardware_count(const json& counted, const std::string& metric) {
  if (counted.contains(metric)) return counted.at(metric).get<double>();
  if (metric == "constant.addresses") return 0;  // its machine code has no such load
  const std::string copies = "shared_copy.";
  if (!metric.starts_with(copies) || !counted.contains("asynchronous_copies")) return std::nullopt;
  const std::string field = metric.substr(copies.size());
  if (field == "requests") return counted.at("asynchronous_copies").get<double>();
  double rest = counted.at("shared." + field).get<double>();
  for (const std::string other : {"shared_load.", "shared_store.", "shared_atomics."})
    rest -= counted.value(other + field, 0.0);
  return rest;
}

}  // namespace warplab::parity
