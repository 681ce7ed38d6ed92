#pragma once

#include <string>
#include <variant>
#include <vector>

#include "report/chart.hpp"

namespace warplab::report {

/// The charts of a page: each is given a place in its text, and all are drawn at the end, at once.
class Figures {
 public:
  /// @param below markup: the caption and the legend. @return the placeholder for the body until fill()
  std::string add(std::variant<BarChart, LineChart> chart, std::string below);

  /// The body with the drawings in their places, for broad and narrow pages. Without gnuplot the figures are
  /// left out, and the place of `notice` then holds a sentence on it.
  std::string fill(const std::string& body) const;

  /// Marks the place of the sentence on missing charts; nothing comes of it otherwise.
  static std::string notice();

 private:
  struct Figure {
    std::variant<BarChart, LineChart> chart;
    std::string below;
  };
  std::vector<Figure> figures_;
};

}  // namespace warplab::report
