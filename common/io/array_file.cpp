#include "common/io/array_file.hpp"

#include "common/host/bad_input.hpp"
#include "common/io/csv.hpp"
#include "common/io/npy.hpp"

namespace warplab {

void check_array_path(const std::filesystem::path& path) {
  if (path.extension() != ".npy" && path.extension() != ".csv")
    throw BadInput(path.string() + ": the name must end in .npy or .csv");
}

HostArray read_array(const std::filesystem::path& path, std::optional<DType> dtype) {
  check_array_path(path);
  if (path.extension() == ".csv") return read_csv(path, dtype.value_or(DType::f64));
  HostArray array = read_npy(path);
  if (dtype && array.dtype() != *dtype)
    throw BadInput(path.string() + " holds " + std::string(name_of(array.dtype())) + ", but --dtype is " +
                   std::string(name_of(*dtype)));
  return array;
}

void write_array(const std::filesystem::path& path, const HostArray& array) {
  check_array_path(path);
  if (path.extension() == ".csv")
    write_csv(path, array);
  else
    write_npy(path, array);
}

}  // namespace warplab
