#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace warplab {

/// Days since 1970: what a test that takes long tries a part of, or draws, is another each day.
inline std::size_t today() {
  const auto now = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  return static_cast<std::size_t>(now.time_since_epoch().count());
}

/// Another seed each day, so that what is tried adds up, or the one in this variable of the environment.
inline std::uint64_t todays_seed(const char* variable) {
  const char* const given = std::getenv(variable);
  return given != nullptr ? std::strtoull(given, nullptr, 10) : today();
}

/// Whether a part has its turn today, where each has one in so many days.
inline bool is_todays(std::size_t part, std::size_t days) { return part % days == today() % days; }

}  // namespace warplab
