#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace warplab {

/// A submission in the list that Gradescope puts into its download of an assignment.
struct GradescopeEntry {
  struct Submitter {
    std::string name, sid, email;
  };
  std::vector<Submitter> submitters;
  std::string created_at;  ///< "2027-03-02 04:59:10 +0000", or ""
};

/// The submissions of submission_metadata.yml by the names of their folders: "submission_12345678". Reads the
/// lines that it needs, since nothing else in it matters here. Empty if there is no such file.
/// @throws BadInput, a sentence with the line, if no submission can be found in it
std::map<std::string, GradescopeEntry> read_gradescope_export(const std::filesystem::path& submissions);

}  // namespace warplab
