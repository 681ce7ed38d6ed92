#include "grader/data/measured_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "common/host/bad_input.hpp"
#include "report/results/run_file.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr const char* header =
    "run,device,rung,role,size,dtype,params,median_ms,mad_ms,gb_per_s,gflop_per_s,fraction,h2d_ms,d2h_ms,"
    "registers,shared_bytes,occupancy";
constexpr std::size_t texts = 7;  // columns that are texts, before the numbers

/// The numbers of a row after its median, in the order of the header.
constexpr std::optional<double> MeasuredRow::*numbers[] = {
    &MeasuredRow::mad_ms,    &MeasuredRow::gb_per_s,     &MeasuredRow::gflop_per_s,
    &MeasuredRow::fraction,  &MeasuredRow::h2d_ms,       &MeasuredRow::d2h_ms,
    &MeasuredRow::registers, &MeasuredRow::shared_bytes, &MeasuredRow::occupancy};

void set_kernel(MeasuredRow& row, const report::Json& kernels) {
  for (const report::Json& kernel : kernels) {
    const auto registers = report::number_at(kernel, {"registers"});
    if (!registers || *registers <= row.registers.value_or(0)) continue;
    row.registers = registers;
    row.shared_bytes = report::number_at(kernel, {"shared_bytes"});
    row.occupancy = report::number_at(kernel, {"occupancy"});
  }
}

MeasuredRow row_of(const report::Run& run, const report::Row& measured) {
  MeasuredRow row;
  row.run = run.name;
  row.device = measured.device;
  row.rung = measured.rung;
  row.role = measured.role;
  row.size = measured.size_text();
  row.dtype = measured.dtype;
  row.params = measured.params;
  row.median_ms = measured.time_ms->median;
  row.mad_ms = measured.time_ms->mad;
  row.gb_per_s = measured.gb_per_s;
  row.gflop_per_s = measured.gflop_per_s;
  if (measured.light) row.fraction = measured.light->fraction;
  row.h2d_ms = measured.h2d_ms;
  row.d2h_ms = measured.d2h_ms;
  set_kernel(row, measured.kernels);
  return row;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c == '\n' ? ' ' : c);
  return out + "\"";
}

std::string params_cell(const MeasuredRow& row) {
  std::string cell;
  for (const auto& [name, value] : row.params) cell += (cell.empty() ? "" : ";") + name + "=" + value;
  return cell;
}

/// The cells of a line of CSV.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool in_quotes = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool is_double = line[i] == '"' && in_quotes && i + 1 < line.size() && line[i + 1] == '"';
    if (line[i] == '"' && !is_double)
      in_quotes = !in_quotes;
    else if (line[i] == ',' && !in_quotes)
      cells.emplace_back();
    else
      cells.back() += line[i];
    i += is_double;
  }
  return cells;
}

std::optional<double> number_in(const std::string& cell) {
  if (cell.empty()) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size())
    throw BadInput("'" + cell + "' in a table of measurements is not a number");
  return value;
}

std::vector<std::pair<std::string, std::string>> params_in(const std::string& cell) {
  std::vector<std::pair<std::string, std::string>> params;
  std::istringstream in(cell);
  for (std::string one; std::getline(in, one, ';');) {
    const std::size_t equal = std::min(one.find('='), one.size());
    params.emplace_back(one.substr(0, equal), one.substr(std::min(equal + 1, one.size())));
  }
  return params;
}

}  // namespace

std::string MeasuredRow::params_text() const {
  std::string text;
  for (const auto& [name, value] : params) text += (text.empty() ? "" : ", ") + name + " " + value;
  return text;
}

std::vector<MeasuredRow> measured_rows(const fs::path& results, const std::string& lab) {
  std::vector<fs::path> folders;
  if (fs::is_directory(results))
    for (const auto& entry : fs::directory_iterator(results))
      if (fs::exists(entry.path() / "results.json")) folders.push_back(entry.path());
  std::ranges::sort(folders);
  std::vector<MeasuredRow> rows;
  for (const fs::path& folder : folders) {
    const report::Run run = report::read_run(folder);
    for (const report::Row& row : run.rows)
      if (row.lab == lab && row.backend == "cuda" && row.time_ms && row.is_rung())
        rows.push_back(row_of(run, row));
  }
  return rows;
}

std::string to_csv(const std::vector<MeasuredRow>& rows) {
  std::string csv = std::string(header) + "\n";
  for (const MeasuredRow& row : rows) {
    for (const std::string& text :
         {row.run, row.device, row.rung, row.role, row.size, row.dtype, params_cell(row)})
      csv += quoted(text) + ",";
    csv += fmt::format("{:.6g}", row.median_ms);
    for (const auto member : numbers) csv += row.*member ? fmt::format(",{:.6g}", *(row.*member)) : ",";
    csv += "\n";
  }
  return csv;
}

std::vector<MeasuredRow> from_csv(const std::string& csv) {
  std::istringstream in(csv);
  std::string line;
  if (!std::getline(in, line) || line != header) throw BadInput("this is not a table of measurements");
  std::vector<MeasuredRow> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != texts + 1 + std::size(numbers))
      throw BadInput("a line of a table of measurements has too few cells: " + line);
    MeasuredRow row;
    std::size_t cell = 0;
    for (std::string MeasuredRow::*const text : {&MeasuredRow::run, &MeasuredRow::device, &MeasuredRow::rung,
                                                 &MeasuredRow::role, &MeasuredRow::size, &MeasuredRow::dtype})
      row.*text = cells[cell++];
    row.params = params_in(cells[cell]);
    row.median_ms = number_in(cells[texts]).value_or(0);
    for (std::size_t i = 0; i < std::size(numbers); ++i) row.*numbers[i] = number_in(cells[texts + 1 + i]);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace warplab
