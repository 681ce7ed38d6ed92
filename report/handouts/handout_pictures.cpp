#include "report/handouts/handout_pictures.hpp"

#include <fmt/format.h>

#include <sstream>
#include <string_view>

#include "common/host/bad_input.hpp"
#include "lens/json.hpp"
#include "report/charts/access_picture.hpp"
#include "report/handouts/handout_table.hpp"
#include "report/handouts/rung_rows.hpp"

namespace warplab::report {
namespace {

constexpr std::string_view accesses_mark = "<!-- accesses of ", accesses_end = " -->", picture_begin = "![",
                           link_begin = "](";

/// The request that "RUNG KIND NUMBER: CAPTION" names.
Access access_of(const RungRows& rows, const std::string& request) {
  const std::size_t colon = request.find(':');
  const std::vector<std::string> words = split(request.substr(0, colon), ' ');
  if (colon == std::string::npos || words.size() != 3)
    throw BadInput("'" + request + "' must be RUNG KIND NUMBER: CAPTION");
  const auto row = rows.find(words[0]);
  if (row == rows.end() || !row->second.lens.is_object())
    throw BadInput("the run has no counts of " + words[0]);
  std::string number;
  int found = 0;
  for (const lens::Launch& launch : lens::launches_from_json(row->second.lens))
    for (const lens::Line& line : launch.lines)
      for (const lens::RequestSample& sample : line.samples) {
        if (lens::name_of(sample.kind) != words[1] || sample.mask == 0) continue;
        number = std::to_string(++found);
        if (number == words[2]) return {request.substr(request.find_first_not_of(' ', colon + 1)), sample};
      }
  throw BadInput(fmt::format("{} has {} lines with a {}, not {}", words[0], found, words[1], words[2]));
}

std::vector<Access> accesses_of(const std::string& line, const std::string& lab,
                                const std::filesystem::path& root) {
  const std::vector<std::string> parts =
      split(line.substr(accesses_mark.size(), line.size() - accesses_mark.size() - accesses_end.size()), '|');
  if (parts.size() < 3)
    throw BadInput("the mark '" + line + "' must have a run, an input and requests, separated by |");
  const RungRows rows = rung_rows_of(root / parts[0], lab, parts[1]);
  std::vector<Access> accesses;
  for (std::size_t i = 2; i < parts.size(); ++i) accesses.push_back(access_of(rows, parts[i]));
  return accesses;
}

}  // namespace

HandoutWithPictures with_pictures(const std::string& handout, const std::string& lab,
                                  const std::filesystem::path& root) {
  HandoutWithPictures made;
  std::istringstream in(handout);
  for (std::string line, last; std::getline(in, line); last = line) {
    if (last.starts_with(accesses_mark) && last.ends_with(accesses_end)) {
      const std::size_t link = line.find(link_begin);
      if (!line.starts_with(picture_begin) || link == std::string::npos || !line.ends_with(".svg)"))
        throw BadInput("there is no picture below " + last);
      const std::vector<Access> accesses = accesses_of(last, lab, root);
      const std::string file =
          line.substr(link + link_begin.size(), line.size() - link - link_begin.size() - 1);
      made.pictures.push_back(
          {file, access_picture("What the lanes of a warp touch in lab " + lab, accesses)});
      line = std::string(picture_begin) + accesses_text(accesses) + line.substr(link);
    }
    made.text += line + "\n";
  }
  return made;
}

}  // namespace warplab::report
