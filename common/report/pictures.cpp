#include "common/report/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "common/report/base64.hpp"
#include "common/report/html.hpp"

namespace warplab::report {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_bytes = 4 << 20;  // of one picture in a page

struct Shown {
  fs::path file;
  std::string name;  ///< "mean-clamp"
  bool is_input = false;
};

/// "sobel-magnitude-clamp-750x499-float.png" as its name and "750x499-float"; of what a lab's program names
/// so.
std::pair<std::string, std::string> parts_of(const std::string& stem) {
  for (std::size_t dash = stem.find('-'); dash != std::string::npos; dash = stem.find('-', dash + 1)) {
    const std::size_t digit = stem.find_first_not_of("0123456789", dash + 1);
    if (digit != std::string::npos && digit > dash + 1 && stem[digit] == 'x')
      return {stem.substr(0, dash), stem.substr(dash + 1)};
  }
  return {stem, ""};
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string figure(const Shown& shown) {
  std::error_code error;
  const auto bytes = fs::file_size(shown.file, error);
  if (error || bytes > most_bytes)
    return fmt::format("<figure><figcaption>{} is too large for this page</figcaption></figure>\n",
                       escaped(shown.file.filename().string()));
  return fmt::format(
      "<figure><img alt=\"{0}\" src=\"{1}\"/><figcaption><b>{2}</b> {0}</figcaption></figure>\n",
      escaped(shown.name), data_uri("image/png", read(shown.file)), shown.is_input ? "in:" : "out:");
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
