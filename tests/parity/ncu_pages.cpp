#include "tests/parity/ncu_pages.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "lens/nvidia/csv_record.hpp"

namespace warplab::parity {
namespace {

using lens::CsvRecord;
using lens::CsvRow;

std::vector<CsvRow> parse_csv(const std::string& text) {
  std::vector<CsvRow> rows(1);
  std::string field;
  bool quoted = false, any = false;
  const auto end_field = [&] {
    rows.back().push_back(std::move(field));
    field.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += text[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = any = true;
    } else if (c == ',') {
      end_field();
      any = true;
    } else if (c == '\n') {
      if (any || !field.empty()) end_field();
      if (!rows.back().empty()) rows.emplace_back();
      any = false;
    } else if (c != '\r') {
      field += c;
    }
  }
  if (any || !field.empty()) end_field();
  if (rows.back().empty()) rows.pop_back();
  return rows;
}

double value(const CsvRecord& record, const std::string& name) { return record.value(name).value_or(0); }

double required(const CsvRecord& record, const std::string& name) {
  const std::optional<double> value = record.value(name);
  if (!value) throw std::runtime_error("the raw page has no " + name + ": was it among the metrics?");
  return *value;
}

std::array<unsigned, 3> extent(const std::string& text) {  // "(32, 8, 1)"
  std::array<unsigned, 3> result{1, 1, 1};
  std::size_t at = 0;
  for (unsigned& value : result) {
    at = text.find_first_of("0123456789", at);
    if (at == std::string::npos) throw std::runtime_error("'" + text + "' is not an extent");
    value = static_cast<unsigned>(std::stoul(text.substr(at)));
    at = text.find_first_not_of("0123456789", at);
  }
  return result;
}

/// "@!P0   LDG.E.64 R2, [R4]" as "LDG.E.64".
std::string opcode(const std::string& instruction) {
  std::size_t begin = instruction.find_first_not_of(" \t");
  if (begin != std::string::npos && instruction[begin] == '@')
    begin = instruction.find_first_not_of(" \t", instruction.find_first_of(" \t", begin));
  if (begin == std::string::npos) return "";
  return instruction.substr(begin, instruction.find_first_of(" \t", begin) - begin);
}

/// The machine instructions of one launch.
struct Listing {
  std::string kernel;
  std::vector<CsvRecord> instructions;
};

std::vector<Listing> listings_of(const std::string& source) {
  std::vector<Listing> listings;
  CsvRow header;
  for (const CsvRow& row : parse_csv(source)) {
    if (row[0] == "Kernel Name" && row.size() >= 2) {
      listings.push_back({bare_name(row[1]), {}});
      header.clear();
    } else if (header.empty() && std::find(row.begin(), row.end(), "Source") != row.end()) {
      header = row;
    } else if (!listings.empty() && row.size() == header.size()) {
      listings.back().instructions.emplace_back(header, row);
    }
  }
  return listings;
}

void add_instruction(const CsvRecord& record, std::map<std::string, double>& metrics) {
  const std::string code = opcode(record.text("Source"));
  const double executed = value(record, "Instructions Executed");
  const auto is = [&](const char* stem) { return code.compare(0, std::string(stem).size(), stem) == 0; };
  const auto wavefronts = [&](const std::string& what) {
    metrics[what + ".wavefronts"] += value(record, "L1 Wavefronts Shared");
    metrics[what + ".ideal_wavefronts"] += value(record, "L1 Wavefronts Shared Ideal");
  };
  if (is("LDGSTS"))
    metrics["asynchronous_copies"] += executed;
  else if (is("LDG"))
    metrics["global_load.ideal_sectors"] += value(record, "L2 Theoretical Sectors Global Ideal");
  else if (is("STG"))
    metrics["global_store.ideal_sectors"] += value(record, "L2 Theoretical Sectors Global Ideal");
  else if (is("LDS"))
    wavefronts("shared_load");
  else if (is("STS"))
    wavefronts("shared_store");
  else if (is("ATOMS"))
    wavefronts("shared_atomics"), metrics["shared_atomics.requests"] += executed;
  else if (is("ATOM") || is("RED."))
    metrics["global_atomics.sectors"] += value(record, "L2 Theoretical Sectors Global");
  else if (is("REDG"))
    metrics["global_atomics.sectors"] += value(record, "L2 Theoretical Sectors Global");
  else if (is("LDC"))  // a kernel's parameters are constant memory too
    metrics[record.text("Source").find("c[0x0]") != std::string::npos ? "parameter_loads"
                                                                      : "constant.requests"] += executed;
  else if (is("LD.") || is("ST.") || code == "LD" || code == "ST")
    metrics["generic_accesses"] += executed;  // could be to any memory: such a case proves nothing
}

/// Metrics of the raw page under the lens's names.
void add_totals(const CsvRecord& raw, std::map<std::string, double>& metrics) {
  const auto l1 = [&](const std::string& what, const std::string& memory) {
    return required(raw, "l1tex__t_" + what + "_pipe_lsu_mem_" + memory + ".sum");
  };
  for (const auto& [name, memory] : {std::pair<std::string, std::string>{"global_load", "global_op_ld"},
                                     {"global_store", "global_op_st"},
                                     {"local_load", "local_op_ld"},
                                     {"local_store", "local_op_st"}}) {
    metrics[name + ".requests"] = l1("requests", memory);
    metrics[name + ".sectors"] = l1("sectors", memory);
  }
  metrics["global_atomics.requests"] = l1("requests", "global_op_atom") + l1("requests", "global_op_red");
  metrics["global.sectors"] = required(raw, "memory_l2_theoretical_sectors_global");
  metrics["global.ideal_sectors"] = required(raw, "memory_l2_theoretical_sectors_global_ideal");
  metrics["shared.wavefronts"] = value(raw, "memory_l1_wavefronts_shared");
  metrics["shared.ideal_wavefronts"] = value(raw, "memory_l1_wavefronts_shared_ideal");
  if (metrics.contains("constant.requests"))
    metrics["constant.addresses"] = required(raw, "idc__requests.sum") - metrics["parameter_loads"];
  metrics["branches.targets"] = value(raw, "smsp__sass_branch_targets.sum");
  metrics["branches.divergent"] = value(raw, "smsp__sass_branch_targets_threads_divergent.sum");
  metrics["active_lanes"] = value(raw, "smsp__thread_inst_executed_per_inst_executed.ratio");
  metrics["theoretical_occupancy_percent"] = value(raw, "sm__maximum_warps_per_active_cycle_pct");
}

}  // namespace

std::string bare_name(std::string kernel) {
  // What is in brackets is dropped: template arguments, parameters, "<unnamed>" and "(anonymous namespace)".
  std::string outside;
  int depth = 0;
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    const char c = kernel[i];
    if (c == '(' && depth == 0 && kernel.compare(i, 11, "(anonymous ") != 0)
      break;  // the parameters: all is said
    if (c == '<' || c == '(') ++depth;
    if (depth == 0) outside += c;
    if (c == '>' || c == ')') --depth;
  }
  const std::size_t begin = outside.find_last_of(" :");
  return begin == std::string::npos ? outside : outside.substr(begin + 1);
}

std::vector<Recorded> read_pages(const std::string& raw, const std::string& source) {
  const std::vector<CsvRow> rows = parse_csv(raw);
  if (rows.size() < 3 || rows[0].empty() || rows[0][0] != "ID")
    throw std::runtime_error("this is not the raw page of an ncu report");
  const std::size_t launches = rows.size() - 2;  // below the header is a row of units
  const std::vector<Listing> listings = listings_of(source);
  if (listings.empty() || listings.size() % launches != 0)
    throw std::runtime_error("the pages have " + std::to_string(launches) + " launches and " +
                             std::to_string(listings.size()) + " listings");
  const std::size_t copies = listings.size() / launches;  // ncu prints each listing once or twice
  std::vector<Recorded> recorded;
  for (std::size_t i = 0; i < launches; ++i) {
    const CsvRecord record(rows[0], rows[i + 2]);
    const Listing& listing = listings[i * copies];
    Recorded launch;
    launch.full_name = record.text("Kernel Name");
    launch.kernel = bare_name(launch.full_name);
    if (launch.kernel != listing.kernel)
      throw std::runtime_error("launch " + std::to_string(i) + " is " + launch.kernel + " on one page and " +
                               listing.kernel + " on the other");
    launch.grid = extent(record.text("Grid Size"));
    launch.block = extent(record.text("Block Size"));
    for (const char* name :
         {"global_load.ideal_sectors", "global_store.ideal_sectors", "shared_load.wavefronts",
          "shared_load.ideal_wavefronts", "shared_store.wavefronts", "shared_store.ideal_wavefronts",
          "global_atomics.sectors", "parameter_loads"})
      launch.metrics[name] = 0;
    for (const CsvRecord& instruction : listing.instructions) add_instruction(instruction, launch.metrics);
    add_totals(record, launch.metrics);
    launch.metrics.erase("parameter_loads");
    recorded.push_back(std::move(launch));
  }
  return recorded;
}

}  // namespace warplab::parity
