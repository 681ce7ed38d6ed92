#include "grader/people/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "common/host/bad_input.hpp"
#include "common/host/close_match.hpp"
#include "grader/people/plain_words.hpp"
#include "grader/text/printable.hpp"
#include "grader/text/report_text.hpp"
#include "grader/text/source_tree.hpp"
#include "grader/text/text_lines.hpp"

namespace warplab {
namespace {

/// The fields of a line, or of several where a field in quotes holds line ends.
struct Fields {
  std::size_t line = 0;
  std::vector<std::string> fields;
  bool is_empty() const {
    return std::ranges::all_of(fields, [](const std::string& field) { return trimmed(field).empty(); });
  }
};

/// Goes over a table row by row.
class FieldReader {
 public:
  FieldReader(std::string_view text, const std::string& place) : text_(text), place_(place) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
    const std::string_view header = text_.substr(0, text_.find('\n'));
    if (header.find(',') == std::string_view::npos && header.find(';') != std::string_view::npos)
      separator_ = ';';
  }

  /// @return whether there was another row
  bool next(Fields& row) {
    row = {line_, {}};
    if (at_ >= text_.size()) return false;
    for (bool more = true; more;) more = take_field(row);
    return true;
  }

 private:
  /// @return whether another field of the row follows
  bool take_field(Fields& row) {
    std::string field;
    const std::size_t quote = text_.find_first_not_of(" \t", at_);
    if (quote != std::string_view::npos && text_[quote] == '"') {
      at_ = quote + 1;
      take_quoted(field, row.line);
    } else {
      const std::size_t end = std::min(text_.find_first_of(std::string{separator_, '\n'}, at_), text_.size());
      field = text_.substr(at_, end - at_);
      at_ = end;
    }
    row.fields.push_back(std::string(trimmed(field)));
    if (at_ >= text_.size()) return false;
    const bool more = text_[at_] == separator_;
    line_ += !more;
    ++at_;
    return more;
  }

  void take_quoted(std::string& field, std::size_t line) {
    for (; at_ < text_.size(); ++at_) {
      line_ += text_[at_] == '\n';
      if (text_[at_] != '"') {
        field += text_[at_];
      } else if (text_.substr(at_ + 1, 1) == "\"") {
        field += text_[++at_];
      } else {
        at_ = std::min(text_.find_first_not_of(" \t\r", at_ + 1), text_.size());
        if (at_ == text_.size() || text_[at_] == separator_ || text_[at_] == '\n') return;
        throw BadInput(
            fmt::format("{}:{}: text follows a closing quote; a quote within a field is written "
                        "twice",
                        place_, line_));
      }
    }
    throw BadInput(fmt::format("{}:{}: a quote is not closed", place_, line));
  }

  std::string_view text_;
  const std::string& place_;
  char separator_ = ',';
  std::size_t at_ = 0, line_ = 1;
};

/// The names of the columns. @throws BadInput
std::vector<std::string> header_of(const Fields& row, const std::string& place, const CsvColumns& columns) {
  std::vector<std::string> known = columns.required, names;
  known.insert(known.end(), columns.optional.begin(), columns.optional.end());
  const auto fail = [&](const std::string& what) {
    throw BadInput(fmt::format("{}:{}: {}", place, row.line, what));
  };
  for (const std::string& field : row.fields) {
    std::string name = lower_case(field);
    std::ranges::replace(name, ' ', '_');
    if (std::ranges::find(known, name) == known.end())
      fail(fmt::format("unknown column '{}'{}; known columns: {}", shown_line(field, 80),
                       did_you_mean(name, known), fmt::join(known, ", ")));
    if (std::ranges::find(names, name) != names.end())
      fail(fmt::format("the column '{}' is there twice", name));
    names.push_back(name);
  }
  for (const std::string& name : columns.required)
    if (std::ranges::find(names, name) == names.end())
      fail(fmt::format("the column '{}' is missing; the first line names the columns", name));
  return names;
}

template <class T>
bool parse_number(const std::string& text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

const std::string& CsvRow::operator[](const std::string& column) const {
  static const std::string empty;
  const auto field = fields_.find(column);
  return field == fields_.end() ? empty : field->second;
}

const std::string& CsvRow::required(const std::string& column) const {
  const std::string& field = (*this)[column];
  if (field.empty()) fail(fmt::format("'{}' is empty", column));
  return field;
}

unsigned CsvRow::count(const std::string& column, unsigned fallback) const {
  const std::string& field = (*this)[column];
  unsigned value = fallback;
  if (!field.empty() && (!parse_number(field, value) || value > 1000))
    fail(fmt::format("'{}' is '{}'; it takes a whole number from 0 to 1000", column, field));
  return value;
}

double CsvRow::points(const std::string& column) const {
  const std::string& field = required(column);
  double value = 0;
  if (!parse_number(field, value) || !(value >= 0) || !std::isfinite(value))
    fail(fmt::format("'{}' is '{}'; it takes a number from 0, such as 7.5", column, field));
  return value;
}

void CsvRow::fail(const std::string& what) const { throw BadInput(place_ + ": " + what); }

std::vector<CsvRow> csv_rows_of(std::string_view text, const std::string& place, const CsvColumns& columns) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    throw BadInput(place + ":1: the table is UTF-16; save it as CSV in UTF-8");
  FieldReader reader(text, place);
  Fields row;
  do
    if (!reader.next(row)) throw BadInput(place + ":1: the table is empty; its first line names the columns");
  while (row.is_empty());
  const std::vector<std::string> names = header_of(row, place, columns);
  std::vector<CsvRow> rows;
  while (reader.next(row)) {
    if (row.is_empty()) continue;
    const std::string where = fmt::format("{}:{}", place, row.line);
    if (row.fields.size() != names.size())
      throw BadInput(fmt::format("{}: the row has {}, and the header {}", where,
                                 counted(row.fields.size(), "field"), names.size()));
    std::map<std::string, std::string> fields;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (valid_utf8(row.fields[i]) != row.fields[i])
        throw BadInput(fmt::format("{}: '{}' is not UTF-8; save the table as CSV in UTF-8", where, names[i]));
      fields[names[i]] = row.fields[i];
    }
    rows.emplace_back(where, std::move(fields));
  }
  return rows;
}

std::vector<CsvRow> read_csv_rows(const std::filesystem::path& file, const CsvColumns& columns) {
  return csv_rows_of(bytes_of_file(file), file.string(), columns);
}

}  // namespace warplab
