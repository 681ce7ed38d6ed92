#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "grader/course/course.hpp"
#include "harness/problem/problem.hpp"

namespace warplab {

/// Each lab's rungs in the order of its table, by the lab's stem.
using RungTables = std::map<std::string, std::vector<Rung>>;

/// Those of all problems that are linked into this program.
RungTables linked_rung_tables();

/// Which files of our tree students get. What is left out as a whole, by whatever name, is listed in
/// released_files.cpp and nowhere else.
class ReleasedFiles {
 public:
  /// @param course with the labs that students get
  /// @param files of our tree, relative to its root
  ReleasedFiles(const Course& course, const RungTables& rungs,
                const std::vector<std::filesystem::path>& files);

  bool has(const std::filesystem::path& file) const;
  /// Whether a line of a document belongs to something that is not released: the row of a table about a rung
  /// that is withheld, in its lab's handout, or about another lab.
  bool drops_line(const std::filesystem::path& document, std::string_view line) const;
  /// The rungs that students do not get, of the lab whose published tables a file has; empty for other files.
  const std::set<std::string>& withheld_rungs(const std::filesystem::path& published) const;

 private:
  std::vector<std::filesystem::path> left_out_;  // files, and folders with a / at their end
  std::map<std::filesystem::path, std::vector<std::string>> row_begins_;  // by document
  std::map<std::filesystem::path, std::set<std::string>> withheld_;       // by file of published tables
};

}  // namespace warplab
