#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "report/results/run_file.hpp"

namespace warplab::report {

/// A figure of a published table, by its name in "published" of a measurement, which ends with its unit.
struct PublishedFigure {
  std::string name;
  std::string label;  ///< whose: "Titan X"
  std::string of;     ///< what of ours is beside it: kernel, transfers or cpu
};

/// A row of a table of devices.
struct PublishedProperty {
  std::string name;
  std::string printed;  ///< its name in what the lab's program prints
  std::vector<std::string> values;
};

/// What a lab's published.json says of a table: its title, its figures, and what the difference teaches.
struct PublishedTable {
  std::string table, title, lesson;
  std::vector<PublishedFigure> figures;
  std::optional<double> elements;  ///< of the published input, where rows may have run a smaller one
  std::vector<std::string> columns;
  std::vector<PublishedProperty> properties;
};

/// Labs in the order of their folders, then those that only the runs know.
std::vector<std::string> labs_in_order(const std::filesystem::path& labs, const std::vector<Run>& runs);

/// The tables of labs/NN_LAB/published.json; none where the lab has no such file.
/// @throws BadInput if the file is broken
std::vector<PublishedTable> published_tables(const std::filesystem::path& labs, const std::string& lab);

/// A figure of a row's "published" in ms, from the unit at its name's end (_ns, _us, _ms, _s).
std::optional<double> published_ms(const Row& row, const std::string& name);

/// What is beside a figure of that kind: the kernel's median, both transfers, or one core; in ms.
std::optional<double> measured_ms(const Row& row, const std::string& of);

/// What a lab's program printed of the first device, "Multiprocessor count" by name, or "".
std::string printed_property(const Run& run, const std::string& lab, const std::string& name);

}  // namespace warplab::report
