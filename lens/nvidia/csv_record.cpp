#include "lens/nvidia/csv_record.hpp"

#include <algorithm>
#include <charconv>
#include <climits>
#include <cmath>
#include <cstddef>
#include <system_error>

namespace warplab::lens {

std::optional<double> csv_number(std::string text) {
  std::erase(text, ',');
  const char* const end = text.data() + text.size();
  double value = 0;
  const auto [last, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || last != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::uint64_t csv_count(std::optional<double> number) {
  return number && *number >= 0 && *number < 0x1p64 ? static_cast<std::uint64_t>(*number) : 0;
}

int csv_int(std::optional<double> number) {
  return static_cast<int>(std::min<std::uint64_t>(csv_count(number), INT_MAX));
}

CsvRecord::CsvRecord(const CsvRow& header, const CsvRow& row) {
  for (std::size_t i = 0; i < std::min(header.size(), row.size()); ++i) fields_[header[i]] = row[i];
}

std::string CsvRecord::text(const std::string& name) const {
  const auto found = fields_.find(name);
  return found == fields_.end() || found->second == "-" ? "" : found->second;
}

}  // namespace warplab::lens
