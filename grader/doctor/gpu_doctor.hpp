#pragma once

#include <compare>
#include <filesystem>
#include <string>

#include "grader/doctor/doctor.hpp"

namespace warplab {

/// "12.4", of a toolkit, a driver or a compute capability.
struct Version {
  int major = 0, minor = 0;
  auto operator<=>(const Version&) const = default;
};
/// The first number in a text, and what follows its dot: {0, 0} if there is none.
Version version_of(const std::string& text);
std::string text_of(const Version& version);

/// Whether code built for `architectures` (CMake's: "80;90-real;100-virtual") runs on a GPU of that compute
/// capability: as it is, or compiled by the driver.
bool runs_on(const std::string& architectures, const Version& capability);

/// GPU, driver, toolkit and profiler, and whether they fit together.
Diagnosis::Part gpu_of(const Machine& machine, const std::filesystem::path& root);

}  // namespace warplab
