#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/host/case.hpp"
#include "common/host/host_array.hpp"

namespace warplab {

/// A flag that a lab's program has beside the common ones.
struct LabOption {
  std::string name;  ///< "border": the flag is --border
  std::string help;
  bool takes_value = true;
};

/// Arrays that take the place of a case's inputs, by their index.
using Replacements = std::map<std::size_t, HostArray>;

/// Something of a case that people look at.
struct Picture {
  std::string name;  ///< "mean-clamp-750x499": the file's name, without its ending
  HostArray image;   ///< uint8, (height, width, channels)
};

/// What a lab's program takes and writes that others do not. A lab that has something to say here derives its
/// problem from this as well, and returns itself as its command_line(). Only programs use it; the grader does
/// not.
class ProblemCommandLine {
 public:
  virtual ~ProblemCommandLine() = default;

  /// The lab's own flags, and what they make of a case. `given` holds those on the command line, by name;
  /// an array that a flag names goes into `inputs`. @throws BadInput naming the flag, its value and what is
  /// accepted
  virtual std::vector<LabOption> lab_options() const { return {}; }
  virtual void configure(Case&, const std::map<std::string, std::string>& /*given*/,
                         Replacements& /*inputs*/) const {}

  /// What --input and --output take, for --help.
  virtual std::string input_help() const { return "A .npy or .csv file in place of the first input"; }
  virtual std::string output_help() const {
    return "Write the first output of the last rung to this .npy or .csv file";
  }
  /// Reads what --input names: the first input. @param dtype what --dtype asks for. @throws BadInput
  virtual HostArray read_input(const std::string& path, std::optional<DType> dtype) const;
  /// Gives the case the size and type of an array that was read; the size where it has as many dimensions.
  virtual void adopt_input(Case& c, const HostArray& input) const;
  /// Writes what --output asks for. @throws BadInput
  virtual void write_output(const std::string& path, const std::vector<HostArray>& outputs) const;
  /// Whether write_output knows that kind of file. @throws BadInput if not
  virtual void check_output_path(const std::string& path) const;
  /// The pictures of a verified case, for --pictures.
  virtual std::vector<Picture> pictures(const Case&, const std::vector<HostArray>& /*inputs*/,
                                        const std::vector<HostArray>& /*outputs*/) const {
    return {};
  }
};

}  // namespace warplab
