#pragma once

#include <optional>
#include <string>

namespace warplab::report {

/// Three or four digits, as a table wants them: 2745, 458.8, 0.167, 0.00384.
std::string digits(double value);

/// digits(), or a dash for what was not measured.
std::string digits(const std::optional<double>& value);

/// With a prefix: 1048576 as "1.05 M", 64 as "64".
std::string quantity(double value);

/// A time in the unit that suits it: 0.00384 ms as "3.84 us".
std::string time_text(double ms);

/// 0.123 as "12.3 %".
std::string percent(double fraction);

}  // namespace warplab::report
