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

/// A number of a case beside the counts, from both sides.
struct Pair {
  double hardware = 0, lens = 0;

  bool operator==(const Pair&) const = default;
};

/// What depends on the machine code as much as on the source. Branches and requests are summed over the
/// launches of a case; lanes and occupancy are averages of its launches.
struct BesideTheCounts {
  Pair divergent_branches;
  Pair branches;  ///< on the hardware branch targets, in the lens branches that a warp came to
  Pair active_lanes;
  Pair occupancy_percent;
  std::optional<Pair> shared_atomics;  ///< requests, where either side has some
};

struct CaseResult {
  std::string name;
  std::string failure;  ///< why there is nothing to compare, or empty
  std::vector<Row> rows;
  BesideTheCounts beside;

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

/// Why the divergent branches of cases differ. Two kinds follow from the numbers: "predicated", where the
/// hardware came to no branch at all, and "fewer", where it has fewer divergent ones.
struct BranchReasons {
  std::map<std::string, std::string> kinds;  ///< name of a kind -> a sentence
  std::map<std::string, std::string> cases;  ///< name of another case -> its kind
};
BranchReasons read_branch_reasons(const Places& places);

/// The kind of a case whose divergent branches differ; empty where nothing explains it.
std::string branch_kind(const BranchReasons& reasons, const CaseResult& result);

/// The share of cases that are exact in every number, 0 to 1.
double exact_share(const std::vector<CaseResult>& results);

/// docs/lens-parity.md.
/// @param missing cases that the hardware has not counted
std::string page(const nlohmann::json& hardware, const std::vector<CaseResult>& results,
                 const std::vector<Exception>& exceptions, const BranchReasons& reasons,
                 const std::vector<std::string>& missing);

/// Whether both sides give the same occupancy, to the two decimals that the hardware's has.
bool occupancy_agrees(const Pair& percent);

/// The part of that page on branches, lanes, occupancy and atomics in shared memory.
std::string beside_the_counts(const std::vector<CaseResult>& results, const BranchReasons& reasons);

}  // namespace warplab::parity
