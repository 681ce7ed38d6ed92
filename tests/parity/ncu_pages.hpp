#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warplab::parity {

/// One launch as Nsight Compute counted it.
struct Recorded {
  std::string kernel;     ///< without its parameters, template arguments and namespaces
  std::string full_name;  ///< as ncu writes it
  std::array<unsigned, 3> grid{}, block{};
  std::map<std::string, double> metrics;  ///< by the lens's names, such as "global_load.sectors"
};

/// The launches of a report, in launch order.
/// @param raw `ncu --import FILE --page raw --csv --print-units base`
/// @param source `ncu --import FILE --page source --csv --print-source sass`
/// @throws std::runtime_error if these are not such pages of one report
std::vector<Recorded> read_pages(const std::string& raw, const std::string& source);

/// `name` of "void a::name<int>(float*)".
std::string bare_name(std::string kernel);

}  // namespace warplab::parity
