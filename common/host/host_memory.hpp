#pragma once

#include <fstream>
#include <limits>
#include <string>

namespace warplab {

/// Host memory that can be had without swapping, in bytes; infinite where the system does not say.
inline double available_host_bytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key;) {
    double kibibytes = 0;
    if (key == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace warplab
