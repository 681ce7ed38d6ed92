#include "harness/rung/rung_request.hpp"

#include <cuda_runtime_api.h>

#include <stdexcept>

namespace warplab {

const char* name_of(RungStatus status) {
  switch (status) {
    case RungStatus::ok:
      return "ok";
    case RungStatus::todo:
      return "todo";
    case RungStatus::refused:
      return "refused";
    case RungStatus::failed:
      return "failed";
    case RungStatus::not_built:
      return "not_built";
    case RungStatus::unavailable:
      break;
  }
  return "unavailable";
}

std::optional<RungStatus> find_status(std::string_view name) {
  for (RungStatus status : {RungStatus::ok, RungStatus::todo, RungStatus::refused, RungStatus::failed,
                            RungStatus::not_built, RungStatus::unavailable})
    if (name == name_of(status)) return status;
  return std::nullopt;
}

RungStatus parse_status(const std::string& name) {
  if (const std::optional<RungStatus> status = find_status(name)) return *status;
  throw std::invalid_argument("'" + name + "' is not a status");
}

std::string name_of_cuda_error(int number) {
  constexpr int highest = 1023;  // no error has it: CUDA names it as all that it does not know
  if (number <= 0 || number > highest) return "";
  static const std::string unknown = cudaGetErrorName(static_cast<cudaError_t>(highest));
  const std::string name = cudaGetErrorName(static_cast<cudaError_t>(number));
  return name == unknown ? "" : name;
}

std::vector<ArrayView> views_of(std::vector<HostArray>& arrays) {
  std::vector<ArrayView> views;
  for (HostArray& array : arrays) views.push_back({array.dtype(), array.count(), array.bytes().data()});
  return views;
}

std::vector<ArrayView> views_of(const std::vector<HostArray>& arrays) {
  std::vector<ArrayView> views;
  for (const HostArray& array : arrays)
    views.push_back({array.dtype(), array.count(), const_cast<std::byte*>(array.bytes().data())});
  return views;
}

}  // namespace warplab
