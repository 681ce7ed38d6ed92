#include "grader/intake/pack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "grader/intake/archive.hpp"
#include "grader/intake/folder.hpp"
#include "grader/intake/submission_reader.hpp"
#include "grader/text/report_text.hpp"
#include "grader/text/tokens.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

std::string listed(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string packable(const fs::path& file) try {
  return read_regular_file(file, IntakeLimits{}.file_bytes);
} catch (const BadInput& problem) {
  throw BadInput(fmt::format("cannot pack {}: {}", file.string(), problem.what()));
}

}  // namespace

bool is_to_do(std::string_view source) {
  const std::vector<Token> tokens = tokens_of(source);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
    if (tokens[i].text == "todo" && tokens[i + 1].text == "(") return true;
  return false;
}

Packed pack(const Course& course, const fs::path& archive) {
  Packed packed;
  packed.archive = archive;
  std::map<std::string, std::string> contents;  // by place, so in a fixed order
  for (const Lab& lab : course.labs)
    for (const Task& task : lab.tasks) {
      const fs::path file = lab.folder / task.file;
      std::error_code error;
      if (!fs::exists(fs::symlink_status(file, error))) {
        packed.missing.push_back(task.name());
        continue;
      }
      for (const std::string& name : task.files())
        if (name == task.file || fs::exists(lab.folder / name))
          contents["labs/" + lab.folder.filename().string() + "/" + name] = packable(lab.folder / name);
      const std::string& content = contents["labs/" + lab.folder.filename().string() + "/" + task.file];
      (is_to_do(content) ? packed.to_do : packed.done).push_back(task.name());
    }
  if (packed.done.empty())
    throw BadInput("there is nothing to hand in: no task has been done" +
                   (packed.to_do.empty() ? std::string()
                                         : "; begin with " + packed.to_do.front() +
                                               ", and delete its call of todo() when it is written"));
  for (const auto& [name, content] : contents) packed.files.emplace_back(name, content.size());
  write_file_atomically(archive, archive_of(contents));
  return packed;
}

std::string text_of(const Packed& packed) {
  std::string text;
  text += fmt::format("{}: {}, {} done\n", packed.archive.string(), counted(packed.files.size(), "file"),
                      counted(packed.done.size(), "task"));
  for (const std::string& task : packed.done) text += fmt::format("  done: {}\n", task);
  constexpr std::size_t few = 6;
  if (packed.to_do.size() > few)
    text += fmt::format("still to do, and without points: {} more tasks, such as {}\n", packed.to_do.size(),
                        packed.to_do.front());
  else if (!packed.to_do.empty())
    text += fmt::format("still to do, and without points: {}\n", listed(packed.to_do));
  if (!packed.missing.empty()) text += fmt::format("not found: {}\n", listed(packed.missing));
  return text;
}

}  // namespace warplab
