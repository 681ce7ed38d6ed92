#include "regret.hpp"

#include <cmath>
#include <stdexcept>

namespace warplab::acta {

double regret(const SearchTable& table, const Choices& chosen) {
  const auto found = table.find(chosen);
  if (found == table.end()) {
    std::string text;
    for (const Choice& choice : chosen)
      text += (text.empty() ? "" : ", ") + std::to_string(choice.slots) + " slots of " +
              std::to_string(choice.tile);
    throw std::invalid_argument("the search's table does not have the configuration " + text);
  }
  return found->second / best(table).second - 1;
}

double mean_regret(std::span<const double> regrets) {
  if (regrets.empty()) throw std::invalid_argument("a mean of no regrets was asked for");
  double logarithms = 0;
  for (const double regret : regrets) logarithms += std::log1p(regret);
  return std::expm1(logarithms / static_cast<double>(regrets.size()));
}

}  // namespace warplab::acta
