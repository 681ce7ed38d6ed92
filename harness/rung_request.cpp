#include "harness/rung_request.hpp"

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
    case RungStatus::unavailable:
      break;
  }
  return "unavailable";
}

RungStatus parse_status(const std::string& name) {
  for (RungStatus status :
       {RungStatus::ok, RungStatus::todo, RungStatus::refused, RungStatus::failed, RungStatus::unavailable})
    if (name == name_of(status)) return status;
  throw std::invalid_argument("'" + name + "' is not a status");
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
