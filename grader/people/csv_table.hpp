#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warplab {

/// A row of a table, by the names of its columns.
class CsvRow {
 public:
  CsvRow(std::string place, std::map<std::string, std::string> fields)
      : place_(std::move(place)), fields_(std::move(fields)) {}

  /// A field without white space around it; "" where the table has no such column.
  const std::string& operator[](const std::string& column) const;
  /// The same. @throws BadInput with the row's place if it is empty
  const std::string& required(const std::string& column) const;
  /// A whole number of at least 0, or the fallback where the field is empty. @throws BadInput with the place
  unsigned count(const std::string& column, unsigned fallback) const;
  /// A number of at least 0. @throws BadInput with the place
  double points(const std::string& column) const;

  /// "roster.csv:7"
  const std::string& place() const { return place_; }
  /// @throws BadInput "roster.csv:7: what"
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string place_;
  std::map<std::string, std::string> fields_;
};

/// The columns that a table may have.
struct CsvColumns {
  std::vector<std::string> required;
  std::vector<std::string> optional = {};
};

/// The rows of a table (RFC 4180; semicolons are taken where the header has no comma) in UTF-8, whose first
/// line names the columns in any order and case. Empty lines are skipped.
/// @param place its file's name, for messages
/// @throws BadInput, a sentence with the line, for anything else
std::vector<CsvRow> csv_rows_of(std::string_view text, const std::string& place, const CsvColumns& columns);

/// The same of a file. @throws BadInput also if it cannot be read
std::vector<CsvRow> read_csv_rows(const std::filesystem::path& file, const CsvColumns& columns);

}  // namespace warplab
