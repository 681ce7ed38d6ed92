#include "grader/course/hidden_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/host/bad_input.hpp"

namespace warplab {
namespace {

using Json = nlohmann::json;

/// A number, a multiple of `step` within two bounds, or one of several.
double drawn(const Json& from, const Secret& secret, const std::string& purpose, std::int64_t step = 1) {
  if (from.is_number()) return from.get<double>();
  const auto several = from.get<std::vector<double>>();
  if (several.empty()) throw std::invalid_argument("an empty list of sizes or parameters");
  const std::uint64_t number = secret.number(purpose);
  if (several.size() != 2) return several.at(number % several.size());
  const auto low = (static_cast<std::int64_t>(several[0]) + step - 1) / step,
             high = static_cast<std::int64_t>(several[1]) / step;
  if (several[1] < several[0]) throw std::invalid_argument("bounds that are the wrong way round");
  if (high < low) throw std::invalid_argument("bounds without a size that fits");
  return static_cast<double>(
      step * (low + static_cast<std::int64_t>(number % static_cast<std::uint64_t>(high - low + 1))));
}

/// One of several grids or blocks, of one to three numbers each; nothing where there are none.
std::optional<Extent3> drawn_extent(const Json& kind, const char* name, const Secret& secret,
                                    const std::string& purpose) {
  if (!kind.contains(name)) return {};
  const auto choices = kind.at(name).get<std::vector<std::vector<unsigned>>>();
  if (choices.empty()) throw std::invalid_argument(fmt::format("an empty list \"{}\"", name));
  const std::vector<unsigned>& chosen = choices[secret.number(purpose + " " + name) % choices.size()];
  if (chosen.empty() || chosen.size() > 3)
    throw std::invalid_argument(fmt::format("a \"{}\" that does not have one to three numbers", name));
  Extent3 extent{1, 1, 1};
  std::ranges::copy(chosen, extent.begin());
  return extent;
}

HiddenKind kind_of(const Json& json, const Problem& problem, const Rung& rung, const Secret& secret) {
  HiddenKind hidden{json.at("kind").get<std::string>(), {}, json.contains("fits")};
  const auto step = json.value("fits", std::int64_t{1});
  if (step < 1) throw std::invalid_argument("\"fits\" that is not above 0");
  std::vector<DType> dtypes = rung.dtypes;
  if (json.contains("dtypes")) {
    dtypes.clear();
    for (const Json& name : json.at("dtypes")) dtypes.push_back(parse_dtype(name.get<std::string>()).value());
    if (dtypes.empty()) throw std::invalid_argument("an empty list \"dtypes\"");
  }
  const std::string about = problem.lab() + " " + rung.name + " " + hidden.kind;
  const Json sizes = json.value("size", Json::object()), params = json.value("params", Json::object());
  const std::uint64_t first_type = secret.number(about + " type");
  for (int i = 0; i < json.value("count", 1); ++i) {
    const std::string purpose = fmt::format("{} {}", about, i);
    Case c = problem.default_case(Backend::emulator);
    c.dtype = dtypes.at((first_type + static_cast<std::uint64_t>(i)) % dtypes.size());
    c.seed = secret.number(purpose + " seed");
    for (const auto& [name, from] : sizes.items())
      c.extent(name) = static_cast<std::int64_t>(drawn(from, secret, purpose + " " + name, step));
    for (const auto& [name, from] : params.items())
      c.set_param(name, drawn(from, secret, purpose + " " + name));
    c.grid = drawn_extent(json, "grid", secret, purpose);
    c.block = drawn_extent(json, "block", secret, purpose);
    hidden.cases.push_back(problem.for_rung(c, rung));
  }
  return hidden;
}

}  // namespace

std::vector<HiddenKind> hidden_cases(const Problem& problem, const Rung& rung,
                                     const std::filesystem::path& file, const Secret& secret) {
  std::ifstream in(file);
  if (!in) throw BadInput("cannot read " + file.string());
  std::vector<HiddenKind> kinds;
  try {
    const Json json = Json::parse(in);
    if (json.at("lab") != problem.lab())
      throw std::invalid_argument("it is of the lab " + json.at("lab").dump());
    for (const Json& kind : json.at("kinds")) {
      const auto rungs = kind.value("rungs", std::vector<std::string>());
      for (const std::string& name : rungs)
        if (!problem.find_rung(name))
          throw std::invalid_argument("it names the rung " + name + ", which does not exist");
      if (!rungs.empty() && std::ranges::find(rungs, rung.name) == rungs.end()) continue;
      kinds.push_back(kind_of(kind, problem, rung, secret));
    }
  } catch (const std::exception& error) {
    throw BadInput(fmt::format("{}: {}", file.string(), error.what()));
  }
  return kinds;
}

}  // namespace warplab
