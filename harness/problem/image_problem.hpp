#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/border.hpp"
#include "harness/problem/problem.hpp"
#include "harness/problem/problem_command_line.hpp"

namespace warplab {

/// What the labs on images have in common. Images are uint8 or float, (height, width, channels), with 1 to 4
/// channels; a case has the sizes "width" and "height" and the parameters "channels" and "border".
class ImageProblem : public Problem, public ProblemCommandLine {
 public:
  const ProblemCommandLine& command_line() const override { return *this; }
  std::vector<std::string> size_names() const override { return {"width", "height"}; }
  std::string input_help() const override;
  std::string output_help() const override;

  /// An image file as uint8, or float if that is asked for; or a .npy file of shape (height, width) or
  /// (height, width, channels). @throws BadInput
  HostArray read_input(const std::string& path, std::optional<DType> dtype) const override;
  /// For float also sets the parameter "brightest": the largest magnitude, on which rounding errors hang.
  void adopt_input(Case& c, const HostArray& input) const override;
  /// An image file, or a .npy or .csv file. @throws BadInput
  void write_output(const std::string& path, const std::vector<HostArray>& outputs) const override;
  void check_output_path(const std::string& path) const override;

 protected:
  /// Of a pixel, at most.
  virtual int max_channels() const { return 4; }

  /// Above this many pixels an image is for timing, not for looking at: it is noise, and no picture is made.
  static constexpr std::int64_t max_pixels_looked_at = 4 << 20;

  static LabOption border_option() {
    return {"border", "Beyond the edge: untouched, clamp, zero or reflect"};
  }
  /// What --channels makes of the built-in picture. @throws BadInput where a given image has others
  void configure_channels(Case& c, const std::map<std::string, std::string>& given,
                          const Replacements& inputs) const;
  static void configure_border(Case& c, const std::map<std::string, std::string>& given);
  static void set_border(Case& c, Border border);
  static Border border_of(const Case& c);
  /// What an output holds before a call with Border::untouched: `level` where the filter's neighbourhood is
  /// not whole, since nothing may be written there, and poison elsewhere.
  static HostArray untouched_output(DType dtype, const std::vector<std::int64_t>& shape, std::int64_t radius,
                                    unsigned char level);
};

/// A parameter of a case that must be a whole number in [low, high]. @throws std::invalid_argument naming it
int whole_parameter(const char* name, double value, int low, int high);

/// uint8 as float, 0 to 255.
HostArray to_float(const HostArray& bytes);
/// Rounded to the nearest and saturated; uint8 as it is.
HostArray to_bytes(const HostArray& image);

}  // namespace warplab
