#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warplab::parity {

/// One number of a case, from both sides.
struct Row {
  std::string metric;  ///< "global_load.sectors"
  double hardware = 0;
  double lens = 0;

  bool exact() const { return hardware == lens; }
};

struct CaseResult {
  std::string name;
  std::string failure;  ///< why there is nothing to compare, or empty
  std::vector<Row> rows;

  bool exact() const;
};

/// Where the compiler legitimately changes what the source says.
struct Exception {
  std::string name;                  ///< of the case
  std::vector<std::string> metrics;  ///< that differ
  double bound = 1;                  ///< by at most this factor, up or down
  std::string reason;
};

/// Where a build has its programs, and the files of this folder.
struct Places {
  std::filesystem::path source;  ///< the project's root
  std::filesystem::path build;
};

/// What record.sh recorded: the document of the one device in tests/parity/hardware.
nlohmann::json hardware_document(const Places& places);

/// All cases, in the order of the page: the kernels by group, then the labs' rungs.
std::vector<std::string> case_names(const Places& places);

/// Cases by whether the hardware has counted them; both in the order of the page.
struct CasesByRecord {
  std::vector<std::string> recorded, missing;
};
CasesByRecord cases_by_record(const Places& places, const nlohmann::json& hardware);

/// Runs a case on the emulator, all its blocks recorded, and compares it with what the hardware counted.
CaseResult compare_case(const Places& places, const nlohmann::json& hardware, const std::string& name);

std::vector<Exception> read_exceptions(const Places& places);

/// The share of cases that are exact in every number, 0 to 1.
double exact_share(const std::vector<CaseResult>& results);

/// docs/lens-parity.md.
/// @param missing cases that the hardware has not counted
std::string page(const nlohmann::json& hardware, const std::vector<CaseResult>& results,
                 const std::vector<Exception>& exceptions, const std::vector<std::string>& missing);

}  // namespace warplab::parity
