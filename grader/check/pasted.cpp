#include "grader/check/pasted.hpp"

#include <algorithm>
#include <cctype>

#include "grader/release/solution_regions.hpp"

namespace warplab {
namespace {

bool is_part_of_a_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

FileTexts files_of(const Lab& lab, const Task& of, const Task& as) {
  FileTexts files;
  files[as.file] = with_word_renamed(with_solutions(bytes_of_file(lab.folder / of.file), of.file),
                                     of.launcher, as.launcher);
  for (const std::string& header : as.headers) {
    const bool is_written = std::ranges::find(of.headers, header) != of.headers.end();
    const std::string text = bytes_of_file(lab.folder / header);
    files[header] = is_written ? with_solutions(text, header) : without_solutions(text, header);
  }
  return files;
}

}  // namespace

std::string with_word_renamed(const std::string& text, const std::string& from, const std::string& to) {
  std::string renamed;
  std::size_t done = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1)) {
    const std::size_t end = at + from.size();
    const bool is_whole = (at == 0 || !is_part_of_a_word(text[at - 1])) &&
                          (end == text.size() || !is_part_of_a_word(text[end]));
    if (!is_whole || at < done) continue;
    renamed.append(text, done, at - done) += to;
    done = end;
  }
  return renamed.append(text, done);
}

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
