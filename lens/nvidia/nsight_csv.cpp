#include "lens/nvidia/nsight_csv.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>

#include "lens/merge.hpp"
#include "lens/nvidia/csv_record.hpp"

namespace warplab::lens {
namespace {

/// The lines of a text that are CSV as ncu writes it, every field in quotes; others are messages.
std::vector<CsvRow> rows_of(std::string_view text) {
  std::vector<CsvRow> rows;
  for (std::size_t i = 0; i < text.size();) {
    const bool line_starts = i == 0 || text[i - 1] == '\n';
    if (!line_starts || text[i] != '"') {
      ++i;
      continue;
    }
    CsvRow row;
    while (i < text.size() && text[i] == '"') {
      std::string field;
      for (++i; i < text.size(); ++i) {
        if (text[i] == '"' && (i + 1 == text.size() || text[i + 1] != '"')) break;
        if (text[i] == '"') ++i;  // "" is one
        field += text[i];
      }
      row.push_back(std::move(field));
      ++i;
      if (i < text.size() && text[i] == ',') ++i;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// A column of the source page that is read: Nsight Compute heads it with the metric's name, or with a label
/// where the section SourceCounters asked for it.
struct SourceMetric {
  const char *name, *label;
};

constexpr SourceMetric source_metrics[] = {
    {"inst_executed", "Instructions Executed"},
    {"thread_inst_executed", "Thread Instructions Executed"},
    {"thread_inst_executed_true", "Predicated-On Thread Instructions Executed"},
    {"smsp__branch_targets_threads_divergent", "Divergent Branches"},
    {"memory_type", "Address Space"},
    {"memory_access_type", "Access Operation"},
    {"memory_access_size_type", "Access Size"},
    {"memory_l1_wavefronts_shared", "L1 Wavefronts Shared"},
    {"memory_l1_wavefronts_shared_ideal", "L1 Wavefronts Shared Ideal"},
    {"memory_l2_theoretical_sectors_global", "L2 Theoretical Sectors Global"},
    {"memory_l2_theoretical_sectors_global_ideal", "L2 Theoretical Sectors Global Ideal"},
    {"memory_l2_theoretical_sectors_local", "L2 Theoretical Sectors Local"},
};

CsvRow by_names(CsvRow header) {
  for (std::string& column : header)
    for (const SourceMetric& metric : source_metrics)
      if (column == metric.label) column = metric.name;
  return header;
}

/// "(32, 8, 1)"
std::array<unsigned, 3> extent(const std::string& text) {
  std::array<unsigned, 3> result{1, 1, 1};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (unsigned& value : result) {
    at = std::find_if(at, end, [](char c) { return c >= '0' && c <= '9'; });
    at = std::from_chars(at, end, value).ptr;
  }
  return result;
}

/// "void k<int>(const T1 *, int)" as "k<int>".
std::string kernel_name(std::string text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
    if (text[i] == '(' && depth == 0 && text.compare(i, 11, "(anonymous ") != 0) {
      text.resize(i);
      break;
    }
  }
  if (text.starts_with("void ")) text.erase(0, 5);
  return text;
}

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// A kernel's name with template arguments, as both pages have it: one has `void a::b::k<(int)20,
/// a::b::Row>()` where the other has `void b::k<20, b::Row>()`.
std::string name_on_both_pages(const std::string& function) {
  const std::string name = kernel_name(function);
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::size_t end = name[i] == '(' ? name.find(')', i) : std::string::npos;
    const char next = end < name.size() - 1 ? name[end + 1] : '\0';
    if (std::isdigit(static_cast<unsigned char>(next)) || next == '-') {
      i = end;  // a cast
    } else if (name.compare(i, 2, "::") == 0) {
      while (!text.empty() && is_of_word(text.back())) text.pop_back();
      ++i;
    } else {
      text += name[i];
    }
  }
  return text;
}

/// Adds one machine instruction to the counts of its line. @return whether warps that it was switched off for
/// may have been counted as requests
bool add_instruction(const CsvRecord& r, Counts& counts) {
  const std::string space = r.text("memory_type"), operation = r.text("memory_access_type"),
                    code = r.text("Source");
  const std::uint64_t executed = r.count("inst_executed"), threads = r.count("thread_inst_executed"),
                      lanes = r.count("thread_inst_executed_true"),
                      bytes = lanes * r.count("memory_access_size_type") / 8;
  if (code.find("BAR.SYNC") != std::string::npos) counts.barriers += executed;
  if (code.find(" BRA ") != std::string::npos && code.find('@') != std::string::npos) {
    counts.branches.executed += executed;
    counts.branches.divergent += r.count("smsp__branch_targets_threads_divergent");
  }
  if (space.empty() || lanes == 0) return false;
  const bool store = operation == "Store",
             atomic = operation == "Atomic" || operation.empty();  // RED has no operation
  if (space == "Shared" && atomic) {
    counts.shared_atomics.requests += executed;
    counts.shared_atomics.lanes += lanes;
  } else if (space == "Shared") {
    WavefrontCounts& c = store ? counts.shared_store : counts.shared_load;
    c.requests += executed;
    c.wavefronts += r.count("memory_l1_wavefronts_shared");
    c.ideal_wavefronts += r.count("memory_l1_wavefronts_shared_ideal");
    c.lanes += lanes;
    c.bytes += bytes;
  } else if (space == "Local") {
    SectorCounts& c = store ? counts.local_store : counts.local_load;
    c.requests += executed;
    c.sectors += r.count("memory_l2_theoretical_sectors_local");
    c.ideal_sectors += ceil_div(bytes, 32);
    c.lanes += lanes;
    c.bytes += bytes;
  } else if (atomic) {
    counts.global_atomics.requests += executed;
    counts.global_atomics.sectors += r.count("memory_l2_theoretical_sectors_global");
    counts.global_atomics.lanes += lanes;
  } else {
    SectorCounts& c = store ? counts.global_store : counts.global_load;
    c.requests += executed;
    c.sectors += r.count("memory_l2_theoretical_sectors_global");
    c.ideal_sectors += r.count("memory_l2_theoretical_sectors_global_ideal");
    c.lanes += lanes;
    c.bytes += bytes;
  }
  counts.active_lanes += lanes;
  counts.warp_events += executed;
  return lanes < threads;
}

/// A machine instruction and what was counted of it.
struct Instruction {
  int line;
  std::string address;
  Counts counts;
  bool inexact;
};

/// What the source page has of one file and one kernel in a launch.
struct Section {
  std::string file, function;
  std::string kernel;  ///< the function, as both pages name it
  std::vector<Instruction> instructions;

  bool comes_after(const Section& other) const {
    return std::tie(file, function) > std::tie(other.file, other.function);
  }
};

/// The sections of a launch, or of several that are only known apart by their kernels' names.
using Listing = std::deque<Section>;

/// The page names no launch. Each has its sections by file and kernel: its own, and those that it launched.
std::vector<Listing> listings_of(std::string_view source) {
  std::vector<Listing> listings;
  std::string file;
  CsvRow header;
  int line = 0;
  for (const CsvRow& row : rows_of(source)) {
    if (row.size() == 2 && (row[0] == "File Path" || row[0] == "File Name")) {
      file = row[1];
    } else if (row.size() == 2 && row[0] == "Function Name") {
      Section section{file, row[1], name_on_both_pages(row[1]), {}};
      if (listings.empty() || !section.comes_after(listings.back().back())) listings.emplace_back();
      listings.back().push_back(std::move(section));
    } else if (!row.empty() && row[0] == "Line No") {
      header = by_names(row);
    } else if (!listings.empty() && row.size() == header.size()) {
      if (!row[0].empty()) {
        line = csv_int(csv_number(row[0]));
        continue;
      }
      const CsvRecord record(header, row);
      Instruction instruction{line, record.text("Address"), {}, false};
      if (!instruction.address.starts_with("0x")) continue;
      instruction.inexact = add_instruction(record, instruction.counts);
      listings.back().back().instructions.push_back(std::move(instruction));
    }
  }
  return listings;
}

/// Hands out what the source page has of each launch in turn.
class SourcePage {
 public:
  /// @param kernels of the launches, in order
  SourcePage(std::string_view source, std::vector<std::string> kernels)
      : kernels_(std::move(kernels)),
        listings_(listings_of(source)),
        each_has_one_(listings_.size() == kernels_.size()) {
    for (const Listing& listing : listings_)
      for (const Section& section : listing) with_lines_.insert(section.kernel);
  }

  /// Adds the lines of the next launch.
  void count_next(Launch& launch) {
    std::map<std::pair<std::string, int>, Counts> lines;
    std::set<std::string> addresses;
    for (const Section& section : sections_of_next())
      for (const Instruction& instruction : section.instructions) {
        if (!addresses.insert(instruction.address).second) continue;  // instructions come twice
        lines[{section.file, instruction.line}] += instruction.counts;
        if (instruction.inexact)
          launch.note = "a line's requests include warps for which the compiler switched the instruction off";
      }
    for (const auto& [place, counts] : lines) {
      launch.counts += counts;
      if (counts.warp_events || counts.barriers || counts.branches.executed)
        launch.lines.push_back({place.first, place.second, "", counts, {}});
    }
  }
  bool is_at_end() const { return listing_ == listings_.size(); }

 private:
  static bool has(const Listing& listing, const std::string& kernel) {
    return std::ranges::any_of(listing, [&](const Section& section) { return section.kernel == kernel; });
  }
  /// None of a kernel that was compiled without lines.
  Listing sections_of_next() {
    const std::string kernel = kernels_[launch_++];
    if (is_at_end() || (!each_has_one_ && !has(listings_[listing_], kernel))) return {};
    Listing& listing = listings_[listing_];
    Listing sections;
    while (!listing.empty() && (each_has_one_ || !is_of_launch_after(listing, kernel))) {
      sections.push_back(std::move(listing.front()));
      listing.pop_front();
    }
    if (listing.empty()) ++listing_;
    return sections;
  }
  bool is_of_launch_after(const Listing& listing, const std::string& kernel) const {
    const auto next = std::find_if(kernels_.begin() + static_cast<std::ptrdiff_t>(launch_), kernels_.end(),
                                   [&](const std::string& later) { return with_lines_.contains(later); });
    return next != kernels_.end() && *next != kernel && *next == listing.front().kernel &&
           !has(listing, kernel);
  }

  std::vector<std::string> kernels_;
  std::vector<Listing> listings_;
  std::set<std::string> with_lines_;
  bool each_has_one_;
  std::size_t launch_ = 0, listing_ = 0;
};

/// What no page of the report has.
void name_what_is_missing(Launch& launch) {
  const std::string why = "Nsight Compute counts no addresses";
  for (const char* name : {"constant", "atomics.addresses", "atomics.serial"})
    launch.not_measured[name] = why;
  launch.not_measured["shared_copy"] = "asynchronous copies are not read from Nsight Compute's pages";
  if (!launch.lines.empty()) return;
  const std::string no_lines =
      "no source lines in the report: were they asked for, and was it compiled with -lineinfo?";
  for (const char* name :
       {"global_load.ideal_sectors", "global_load.lanes", "global_load.bytes", "global_store.ideal_sectors",
        "global_store.lanes", "global_store.bytes", "shared_load", "shared_store", "local", "atomics",
        "branches", "active_lanes", "warp_events", "barriers"})
    launch.not_measured[name] = no_lines;
}

/// @param total of the launch. A line's requests may be more: warps that the instruction was switched off for
/// are in them. They may be fewer: the total has the device runtime's own, where a kernel launches others.
void set_requests(std::optional<double> total, bool has_lines, std::uint64_t& requests) {
  if (!total) return;
  const std::uint64_t whole = csv_count(total);
  requests = has_lines ? std::min(requests, whole) : whole;
}

void set_totals(const CsvRecord& r, Launch& launch) {
  const auto total = [&](const char* unit, const char* operation) {
    return r.value(std::string("l1tex__t_") + unit + "_pipe_lsu_mem_global_op_" + operation + ".sum");
  };
  const bool has_lines = !launch.lines.empty();
  set_requests(total("requests", "ld"), has_lines, launch.counts.global_load.requests);
  set_requests(total("requests", "st"), has_lines, launch.counts.global_store.requests);
  if (has_lines) return;
  launch.counts.global_load.sectors = csv_count(total("sectors", "ld"));
  launch.counts.global_store.sectors = csv_count(total("sectors", "st"));
}

Occupancy occupancy_of(const CsvRecord& r) {
  Occupancy occupancy;
  occupancy.theoretical = r.value("sm__maximum_warps_per_active_cycle_pct").value_or(0) / 100;
  for (const auto& [metric, name] : {std::pair{"warps", "threads"},
                                     {"shared_mem", "shared memory"},
                                     {"registers", "registers"},
                                     {"blocks", "blocks"}})
    if (const auto limit = r.value(std::string("launch__occupancy_limit_") + metric);
        limit && (occupancy.limited_by.empty() || *limit < occupancy.blocks_per_multiprocessor)) {
      occupancy.blocks_per_multiprocessor = csv_int(limit);
      occupancy.limited_by = name;
    }
  return occupancy;
}

std::map<std::string, double> rates_of(const CsvRecord& r) {
  std::map<std::string, double> rates;
  for (const auto& [name, metric] :
       {std::pair{"compute_throughput_percent", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
        {"memory_throughput_percent", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
        {"dram_throughput_percent", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
        {"l1_hit_percent", "l1tex__t_sector_hit_rate.pct"},
        {"l2_hit_percent", "lts__t_sector_hit_rate.pct"},
        {"achieved_occupancy_percent", "sm__warps_active.avg.pct_of_peak_sustained_active"},
        {"instructions_per_cycle", "sm__inst_executed.avg.per_cycle_active"},
        {"sm_busy_percent", "sm__instruction_throughput.avg.pct_of_peak_sustained_active"},
        {"alu_pipe_percent", "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"},
        {"lsu_pipe_percent", "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active"},
        {"l1_throughput_percent", "l1tex__throughput.avg.pct_of_peak_sustained_active"},
        {"l2_throughput_percent", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
        {"elapsed_cycles_count", "gpc__cycles_elapsed.max"},
        {"active_cycles_count", "sm__cycles_active.avg"},
        {"waves_per_sm", "launch__waves_per_multiprocessor"},
        {"divergent_branches_count", "smsp__sass_branch_targets_threads_divergent.avg"},
        {"branches_count", "smsp__inst_executed_op_branch.sum"},
        {"branch_efficiency_percent", "smsp__sass_average_branch_targets_threads_uniform.pct"},
        {"registers_per_thread", "launch__registers_per_thread"},
        {"l2_compression_percent", "lts__average_gcomp_input_sector_success_rate.pct"},
        {"l2_compression_percent", "lrc__average_ilc_input_sector_success_rate.pct"}})  // on a later GPU
    if (const auto value = r.value(metric)) rates[name] = *value;
  const auto excess = [&](const char* name, const char* all, const char* ideal) {
    const auto actual = r.value(all), least = r.value(ideal);
    if (actual && least && *actual > 0) rates[name] = 100 * (*actual - *least) / *actual;
  };
  const auto all_sectors = r.value("memory_l2_theoretical_sectors_global"),
             min_sectors = r.value("memory_l2_theoretical_sectors_global_ideal");
  if (all_sectors && min_sectors) rates["excess_sectors_count"] = *all_sectors - *min_sectors;
  if (const auto bytes = r.value("launch__shared_mem_per_block")) rates["shared_kb"] = *bytes / 1e3;
  if (const auto ns = r.value("gpu__time_duration.sum")) {
    rates["duration_s"] = *ns * 1e-9;
    const auto cycles = r.value("gpc__cycles_elapsed.max");
    if (cycles && *ns > 0) rates["clock_ghz"] = *cycles / *ns;
  }
  excess("excess_sectors_percent", "memory_l2_theoretical_sectors_global",
         "memory_l2_theoretical_sectors_global_ideal");
  excess("excess_wavefronts_percent", "memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal");
  return rates;
}

/// A row of the raw page.
struct ReportedLaunch {
  Launch launch;
  std::string ranges;  ///< as ncu writes them: 1 "<default domain>:name:none..."
};

constexpr const char* nvtx_column =
    "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg";

std::vector<ReportedLaunch> launches_of(std::string_view raw, std::string_view source) {
  const std::vector<CsvRow> rows = rows_of(raw);
  if (rows.size() < 2 || rows[0].empty() || rows[0][0] != "ID")
    throw std::runtime_error("this is not the raw page of a Nsight Compute report");
  std::vector<CsvRecord> records;  // below the header is a row of units
  for (std::size_t i = 2; i < rows.size(); ++i) records.emplace_back(rows[0], rows[i]);
  std::vector<std::string> kernels;
  for (const CsvRecord& record : records) kernels.push_back(name_on_both_pages(record.text("Kernel Name")));
  SourcePage page(source, std::move(kernels));

  std::vector<ReportedLaunch> launches;
  for (const CsvRecord& record : records) {
    Launch launch;
    launch.source = Source::nsight_compute;
    launch.kernel = kernel_name(record.text("Kernel Name"));
    launch.grid = extent(record.text("Grid Size"));
    launch.block = extent(record.text("Block Size"));
    launch.static_shared_bytes = record.count("launch__shared_mem_per_block_static");
    launch.dynamic_shared_bytes = record.count("launch__shared_mem_per_block_dynamic");
    launch.blocks = launch.blocks_recorded = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    launch.occupancy = occupancy_of(record);
    launch.rates = rates_of(record);
    page.count_next(launch);
    set_totals(record, launch);
    name_what_is_missing(launch);
    launches.push_back({std::move(launch), record.text(nvtx_column)});
  }
  if (!page.is_at_end())
    throw std::runtime_error("the two pages of the Nsight Compute report do not have the same launches");
  return launches;
}

}  // namespace

std::vector<std::string> nsight_options(NsightDepth depth) {
  std::vector<std::string> options{"--clock-control", "none", "--set", "none"};
  for (const char* section :
       {"Occupancy", "LaunchStats", "SpeedOfLight", "ComputeWorkloadAnalysis", "MemoryWorkloadAnalysis"})
    options.insert(options.end(), {"--section", section});
  if (depth == NsightDepth::lines) options.insert(options.end(), {"--import-source", "yes"});
  std::string metrics =
      "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum,"
      "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,"
      "sm__instruction_throughput.avg.pct_of_peak_sustained_active,"
      "smsp__sass_branch_targets_threads_divergent.avg,smsp__inst_executed_op_branch.sum,"
      "smsp__sass_average_branch_targets_threads_uniform.pct,"
      "memory_l2_theoretical_sectors_global,memory_l2_theoretical_sectors_global_ideal,"
      "memory_l2_theoretical_sectors_local,memory_l1_wavefronts_shared,memory_l1_wavefronts_shared_ideal";
  // Not the section SourceCounters: it also samples stalls, which takes twice the time and is not read.
  if (depth == NsightDepth::lines)
    for (const SourceMetric& metric : source_metrics) metrics += std::string(",") + metric.name;
  options.insert(options.end(), {"--metrics", metrics});
  return options;
}

std::string nsight_range(std::size_t i) { return "warplab call " + std::to_string(i); }

std::vector<std::vector<Launch>> launches_by_call(std::string_view raw, std::string_view source,
                                                  std::size_t calls) {
  std::vector<ReportedLaunch> launches = launches_of(raw, source);
  if (std::ranges::all_of(launches, [](const ReportedLaunch& one) { return one.ranges.empty(); })) {
    if (calls != 1 && !launches.empty()) return {};
    for (ReportedLaunch& one : launches) one.ranges = ":" + nsight_range(0) + ":";
  }
  std::vector<std::vector<Launch>> by_call(calls);
  for (ReportedLaunch& one : launches)
    for (std::size_t i = 0; i < calls; ++i)
      if (one.ranges.find(":" + nsight_range(i) + ":") != std::string::npos)
        by_call[i].push_back(std::move(one.launch));
  return by_call;
}

}  // namespace warplab::lens
