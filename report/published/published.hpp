#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/results/run_file.hpp"

namespace warplab::report {

/// A figure of a published table, by its name in "published" of a measurement, which ends with its unit.
struct PublishedFigure {
  std::string name;
  std::string label;  ///< whose: "Titan X"
  std::string of;     ///< what of ours is beside it: see measured_ms()
};

/// A row of a table of devices.
struct PublishedProperty {
  std::string name;
  std::string printed;  ///< its name in what the lab's program prints
  std::vector<std::string> values;
};

/// What a profiler saw of each row: a figure that the lens reads from Nsight Compute by the same name.
struct PublishedMetric {
  std::string name, label;
};

/// Rows of a table, and what is taken of them.
struct PublishedSide {
  std::string table;
  std::vector<std::string> rows;  ///< their labels; of a curve: empty for all
  std::string of = "kernel";      ///< see measured_ms()
};

/// Something that a document says of its measurements, which a run confirms or not.
struct PublishedClaim {
  std::string says;
  PublishedSide faster, than;  ///< row by row
  /// How many times as fast, where the document says so: "over 10 times", "a little".
  std::optional<double> at_least = {}, at_most = {};
};

/// A curve of a published chart: what we measured of some rows, or what was published.
struct PublishedCurve {
  std::string label;
  PublishedSide side;
  std::string published;  ///< the name of a figure; "": ours
};

/// Curves or bars of ours beside what was published.
struct PublishedChart {
  std::string title;
  std::string x;  ///< "experiment", or the parameter that varies; "": bars
  std::vector<PublishedCurve> curves;
  std::vector<std::string> groups;  ///< of bars: each curve has a row per group; empty: a group per row
};

/// A table of a lab's published.json: its title, its figures, and what it teaches.
struct PublishedTable {
  std::string table, place, title, lesson;
  std::vector<PublishedFigure> figures;
  std::vector<std::string> compare;  ///< what of ours has a column, whether published or not
  std::optional<double> elements;    ///< of the published input, where rows may have run a smaller one
  std::vector<PublishedClaim> claims;
  std::vector<PublishedChart> charts;
  std::vector<PublishedMetric> metrics;
  std::map<std::string, std::string> kernels;  ///< by row: a part of the name of the kernel that it is about
  std::vector<std::string> columns;
  std::vector<PublishedProperty> properties;
};

/// Labs in the order of their folders, then those that only the runs know.
std::vector<std::string> labs_in_order(const std::filesystem::path& labs, const std::vector<Run>& runs);

/// The tables of labs/NN_LAB/published.json; none where the lab has no such file.
/// @throws BadInput naming the file and the table that is wrong
std::vector<PublishedTable> published_tables(const std::filesystem::path& labs, const std::string& lab);

/// A text in a row's "published", or "".
std::string published_text(const Row& row, const char* key);

/// A figure of a row's "published" in ms, from the unit at its name's end (_ns, _us, _ms, _s).
std::optional<double> published_ms(const Row& row, const std::string& name);

/// What is beside a figure of that kind, in ms: "kernel" (its median), "h2d", "d2h", "transfers" (both),
/// "total" (kernel and transfers), "cpu" (one core) or "cpu_fastest" (as many cores as are fastest).
std::optional<double> measured_ms(const Row& row, const std::string& of);

/// "one CPU core" for "cpu".
std::string kind_text(const std::string& kind);

/// The elements of a row's input.
double elements_of(const Row& row);

/// The row of a table with this label, in all runs; or null.
const Row* row_of(const std::vector<Run>& runs, const std::string& lab, const std::string& table,
                  const std::string& label);

/// The rows of all runs that replay a table.
std::vector<const Row*> rows_of(const std::vector<Run>& runs, const std::string& lab,
                                const std::string& table);

/// What a lab's program printed of the first device, "Multiprocessor count" by name, or "".
std::string printed_property(const Run& run, const std::string& lab, const std::string& name);

}  // namespace warplab::report
