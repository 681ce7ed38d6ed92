#pragma once

#include <string>
#include <string_view>

namespace warplab::lens {

/// A drawing that grows downwards. Colours come from the style sheet by class, which has one set for light
/// and one for dark.
class Svg {
 public:
  void rect(double x, double y, double width, double height, std::string_view style, double radius = 0);
  void line(double x1, double y1, double x2, double y2, std::string_view style);
  /// @param anchor "start", "middle" or "end": the part of the text that is at x
  void text(double x, double y, std::string_view text, std::string_view style,
            std::string_view anchor = "start");

  /// @param data as in SVG's attribute `d`
  void path(std::string_view data, std::string_view style);

  /// Shifted down by `y`.
  void add(const Svg& drawing, double y);
  /// The whole file. @param title what a screen reader says
  std::string document(double width, double height, std::string_view title) const;
  /// The elements, for a page that has a style sheet of its own.
  const std::string& elements() const { return body_; }

 private:
  std::string body_;
};

/// Text as XML wants it; bytes that are not UTF-8, and control characters, become '?'.
std::string xml_escaped(std::string_view text);

}  // namespace warplab::lens
