#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warplab::lens {

/// The fields of a line of CSV.
using CsvRow = std::vector<std::string>;

/// 1,234.5 as a number; nothing for "", "-", words, and what is not finite.
std::optional<double> csv_number(std::string text);

/// A number without its fraction; 0 for nothing, and for what no count can be.
std::uint64_t csv_count(std::optional<double> number);
/// A count that is an int, INT_MAX at most.
int csv_int(std::optional<double> number);

/// Fields of a row by the names in its header; the last of several columns of one name counts.
class CsvRecord {
 public:
  CsvRecord(const CsvRow& header, const CsvRow& row);

  /// "" where there is no such field, and for "-".
  std::string text(const std::string& name) const;
  std::optional<double> value(const std::string& name) const { return csv_number(text(name)); }
  std::uint64_t count(const std::string& name) const { return csv_count(value(name)); }

 private:
  std::map<std::string, std::string> fields_;
};

}  // namespace warplab::lens
