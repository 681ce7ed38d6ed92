#include "tests/grader/submissions/honest_variations.hpp"

#include <algorithm>
#include <set>

#include "grader/release/solution_regions.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/submissions/exploit_file.hpp"
#include "tests/grader/submissions/transformations.hpp"

namespace warplab {

namespace fs = std::filesystem;

constexpr std::size_t max_files = 8;  // far from the ten minutes that a submission has, on a busy machine too

fs::path honest_folder() { return fs::path(WARPLAB_SOURCE_DIR) / "tests/grader/honest"; }

std::vector<HonestVariation> written_variations() {
  std::vector<HonestVariation> all;
  for (const Exploit& file : read_exploits(honest_folder()))
    all.push_back(
        {file.name, file.file, file.task.substr(0, file.task.find('/')), file.file.filename(), file.source});
  return all;
}

std::vector<HonestVariation> transformed_solutions(const Course& course) {
  std::vector<HonestVariation> all;
  std::set<fs::path> seen;  // two tasks may share a file
  for (const Lab& lab : course.labs)
    for (const Task& task : lab.tasks) {
      const fs::path file = fs::path("labs") / lab.folder.filename() / task.file;
      if (!seen.insert(file).second) continue;
      const std::string solution = with_solutions(content_of(course.root / file), file);
      std::map<fs::path, std::string> headers;
      for (const std::string& name : task.headers) {
        const fs::path header = fs::path("labs") / lab.folder.filename() / name;
        headers.emplace(header, with_solutions(content_of(course.root / header), header));
      }
      for (const Form& one : forms())
        if (std::string text = one.apply(solution); text != solution)
          all.push_back({std::string(one.name) + " of " + task.name(), file, task.lab, task.file,
                         std::move(text), headers});
    }
  return all;
}

std::vector<std::vector<HonestVariation>> as_submissions(const std::vector<HonestVariation>& variations) {
  std::vector<std::vector<HonestVariation>> all;
  for (const HonestVariation& variation : variations) {
    const auto free = std::ranges::find_if(all, [&](const std::vector<HonestVariation>& submission) {
      return submission.size() < max_files &&
             std::ranges::none_of(submission,
                                  [&](const HonestVariation& other) { return other.file == variation.file; });
    });
    (free == all.end() ? all.emplace_back() : *free).push_back(variation);
  }
  return all;
}

}  // namespace warplab
