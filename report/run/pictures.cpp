#include "report/run/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <vector>

#include "common/io/file_content.hpp"
#include "common/io/image_file.hpp"
#include "report/charts/base64.hpp"
#include "report/html/html.hpp"

namespace warplab::report {
namespace {

namespace fs = std::filesystem;

// What a page holds of a picture: the file itself, or of a large one a smaller version.
constexpr std::uintmax_t max_bytes = 1 << 20;
constexpr std::int64_t max_pixels_a_side = 768;

struct Shown {
  fs::path file;
  std::string name;  ///< "mean-clamp"
  bool is_input = false;
};

/// "sobel-magnitude-clamp-750x499-float.png" as its name and "750x499-float"; of
/// what a lab's program names so.
std::pair<std::string, std::string> parts_of(const std::string& stem) {
  for (std::size_t dash = stem.find('-'); dash != std::string::npos; dash = stem.find('-', dash + 1)) {
    const std::size_t digit = stem.find_first_not_of("0123456789", dash + 1);
    if (digit != std::string::npos && digit > dash + 1 && stem[digit] == 'x')
      return {stem.substr(0, dash), stem.substr(dash + 1)};
  }
  return {stem, ""};
}

/// The mean of each square of `factor` x `factor` pixels; a square that the image ends in is left out.
HostArray shrunk(const HostArray& image, std::int64_t factor) {
  const std::int64_t width = image.shape()[1], channels = image.shape()[2];
  const std::int64_t rows = image.shape()[0] / factor, columns = width / factor;
  HostArray smaller(DType::u8, {rows, columns, channels});
  const auto in = image.as<std::uint8_t>();
  const auto out = smaller.as<std::uint8_t>();
  for (std::int64_t i = 0; i < rows * columns * channels; ++i) {
    const std::int64_t c = i % channels, x = i / channels % columns * factor,
                       y = i / channels / columns * factor;
    std::int64_t sum = factor * factor / 2;
    for (std::int64_t at = 0; at < factor * factor; ++at)
      sum += in[static_cast<std::size_t>(((y + at / factor) * width + x + at % factor) * channels + c)];
    out[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(sum / (factor * factor));
  }
  return smaller;
}

/// A PNG file's bytes for a page.
std::string content_for_page(const fs::path& file) {
  if (fs::file_size(file) <= max_bytes) return file_content(file);
  const HostArray image = read_image(file.string());
  const std::int64_t sides[] = {image.shape()[0], image.shape()[1]};
  const std::int64_t factor = (std::ranges::max(sides) + max_pixels_a_side - 1) / max_pixels_a_side;
  return factor == 1 || factor > std::ranges::min(sides) ? file_content(file) : png_of(shrunk(image, factor));
}

std::string figure(const Shown& shown) try {
  return fmt::format(
      "<figure><img alt=\"{0}\" src=\"{1}\"/><figcaption><b>{2}</b> {0}</figcaption></figure>\n",
      escaped(shown.name), data_uri("image/png", content_for_page(shown.file)),
      shown.is_input ? "in:" : "out:");
} catch (const std::exception&) {  // it is damaged, or gone
  return fmt::format("<figure><figcaption>{} cannot be shown</figcaption></figure>\n",
                     escaped(shown.file.filename().string()));
}

}  // namespace

std::string pictures_html(const fs::path& run_folder, const std::string& lab) {
  std::map<std::string, std::vector<Shown>> by_size;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(run_folder / "pictures", none)) {
    const std::string stem = entry.path().stem(), prefix = lab + "-";
    if (!entry.is_regular_file() || entry.path().extension() != ".png" || !stem.starts_with(prefix)) continue;
    const auto [name, size] = parts_of(stem.substr(prefix.size()));
    by_size[size].push_back({entry.path(), name, name == "scene"});
  }
  std::string html;
  for (auto& [size, pictures] : by_size) {
    std::ranges::sort(pictures, [](const Shown& a, const Shown& b) {
      return a.is_input != b.is_input ? a.is_input : a.name < b.name;
    });
    html += fmt::format("<p class=\"small soft\">{}</p>\n<div class=\"pictures\">\n", escaped(size));
    for (const Shown& shown : pictures) html += figure(shown);
    html += "</div>\n";
  }
  return html.empty() ? "" : "<h3>Pictures</h3>\n" + html;
}

}  // namespace warplab::report
