#include "harness/problem/problem_command_line.hpp"

#include "common/io/array_file.hpp"

namespace warplab {

HostArray ProblemCommandLine::read_input(const std::string& path, std::optional<DType> dtype) const {
  return read_array(path, dtype);
}

void ProblemCommandLine::adopt_input(Case& c, const HostArray& input) const {
  if (input.shape().size() == c.size.size())
    for (std::size_t i = 0; i < c.size.size(); ++i) c.size[i].second = input.shape()[i];
  c.dtype = input.dtype();
}

void ProblemCommandLine::write_output(const std::string& path, const std::vector<HostArray>& outputs) const {
  write_array(path, outputs.at(0));
}

void ProblemCommandLine::check_output_path(const std::string& path) const { check_array_path(path); }

}  // namespace warplab
