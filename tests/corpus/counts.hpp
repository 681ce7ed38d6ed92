#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace warplab::corpus {

/// One launch of a public program, as one side counted it. Counts that are 0 are not in the file.
struct LaunchCounts {
  std::string kernel;  ///< with its template arguments: "reduce<256>"
  long number = 1;     ///< the first launch of this kernel is 1
  std::array<unsigned, 3> grid{}, block{};
  std::map<std::string, double> metrics;  ///< by the names of tests/parity/metrics.hpp
};

/// Programs of a repository from which the lens may be improved, and those that only its result is read of.
enum class Half { learning, set_aside };

struct ProgramCounts {
  std::string program;  ///< "owner/repository/path"
  std::string arguments;
  Half half = Half::learning;
  std::vector<LaunchCounts> launches;
};

/// What one side counted.
struct Counts {
  std::map<std::string, std::string> about;  ///< device, commit, command and the like
  std::vector<ProgramCounts> programs;
};

/// @throws std::runtime_error with the file and what is wrong in it
Counts read_counts(const std::filesystem::path& file);
void write_counts(const std::filesystem::path& file, const Counts& counts);

/// One number of a launch, from both sides.
struct Number {
  std::string metric;
  double hardware = 0, lens = 0;

  /// Within 2 % of the hardware's, which for small counts means: the same.
  bool agrees() const;
};

/// The numbers of a launch that are not 0 on both sides.
struct LaunchNumbers {
  std::string program, kernel;
  long number = 1;
  Half half = Half::learning;
  std::vector<Number> numbers;

  bool agrees() const;
};

/// Every launch that the hardware counted and the lens counted too.
/// @throws std::runtime_error if a program has other launches on one side than on the other
std::vector<LaunchNumbers> both_sides(const Counts& hardware, const Counts& lens);

/// Why numbers of a kernel differ.
struct Causes {
  std::map<std::string, std::string> kinds;  ///< name of a kind -> a sentence
  struct Cause {
    std::string program, kernel, kind;
    std::vector<std::string> metrics;
  };
  std::vector<Cause> causes;
};
Causes read_causes(const std::filesystem::path& file);

/// Programs that were chosen by one rule, and what both sides counted of them.
struct Choice {
  Counts hardware;
  Counts first;  ///< what the lens counted before it was changed for these programs
  Counts now;
};

/// The choices of a folder of counts, the latest first: those of its folders that have the three files.
/// @throws std::runtime_error with the file and what is wrong in it
std::vector<Choice> read_choices(const std::filesystem::path& folder);

/// docs/lens-on-public-kernels.md.
std::string counts_page(const std::vector<Choice>& choices, const Causes& causes);

}  // namespace warplab::corpus
