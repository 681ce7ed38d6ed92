#include "grader/check/pasted.hpp"

#include <algorithm>

#include "grader/release/solution_regions.hpp"
#include "grader/text/identifiers.hpp"

namespace warplab {
namespace {

FileTexts files_of(const Lab& lab, const Task& of, const Task& as) {
  FileTexts files;
  files[as.file] =
      renamed(with_solutions(bytes_of_file(lab.folder / of.file), of.file), {{of.launcher, as.launcher}});
  for (const std::string& header : as.headers) {
    const bool is_written = std::ranges::find(of.headers, header) != of.headers.end();
    const std::string text = bytes_of_file(lab.folder / header);
    files[header] = is_written ? with_solutions(text, header) : without_solutions(text, header);
  }
  return files;
}

}  // namespace

std::vector<Pasted> pasted_solutions(const Lab& lab) {
  std::vector<Pasted> all;
  for (std::size_t later = 1; later < lab.tasks.size(); ++later)
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      const Task &of = lab.tasks[earlier], &as = lab.tasks[later];
      if (of.file != as.file) all.push_back({&of, &as, files_of(lab, of, as)});
    }
  return all;
}

}  // namespace warplab
