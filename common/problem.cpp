#include "common/problem.hpp"

#include "common/array_file.hpp"

namespace warplab {

std::map<std::string, const Problem*>& problem_registry() {
  static std::map<std::string, const Problem*> problems;
  return problems;
}

HostArray Problem::read_input(const std::string& path, std::optional<DType> dtype) const {
  return read_array(path, dtype);
}

void Problem::adopt_input(Case& c, const HostArray& input) const {
  const std::vector<std::string> names = size_names();
  if (input.shape().size() == names.size())
    for (std::size_t i = 0; i < names.size(); ++i) c.extent(names[i]) = input.shape()[i];
  c.dtype = input.dtype();
}

void Problem::write_output(const std::string& path, const std::vector<HostArray>& outputs) const {
  write_array(path, outputs.at(0));
}

void Problem::check_output_path(const std::string& path) const { check_array_path(path); }

}  // namespace warplab
