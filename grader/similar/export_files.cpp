#include "grader/similar/export_files.hpp"

#include <fmt/format.h>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "grader/text/printable.hpp"
#include "grader/text/report_text.hpp"
#include "grader/text/shell_line.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  write_file_atomically(file, text);
}

/// @return lines of names.csv
std::string write_group(const std::vector<TakenFiles>& all, const fs::path& out, const std::string& group) {
  std::string names;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string folder = fmt::format("{}/{:04}", group, i + 1);
    for (const auto& [file, content] : all[i].files) write(out / folder / file.first / file.second, content);
    names += folder + "," + csv_field(shown_line(all[i].student)) + "\n";
  }
  return names;
}

}  // namespace

void export_files(const std::vector<TakenFiles>& class_, const std::vector<TakenFiles>& others,
                  const std::map<TaskFile, std::string>& given, const fs::path& out) {
  if (fs::exists(fs::symlink_status(out)))
    throw BadInput(out.string() + " is there already; an export takes a new folder");
  for (const auto& [file, content] : given) write(out / "base" / file.first / file.second, content);
  const std::string names =
      "folder,name\n" + write_group(class_, out, "new") + write_group(others, out, "old");
  write(out / "names.csv", names);
}

std::string commands_for(const fs::path& out, bool has_others) {
  const std::string folder = shell_quoted(out.string());
  return fmt::format(
      "  java -jar jplag.jar -l cpp -p .cu,.hpp --new {0}/new{1} --base-code {0}/base -r {0}/result\n"
      "  cd {0} && moss -l cc -d $(printf -- '-b %s ' base/*/*) new/*/*/*{2}\n",
      folder, has_others ? " --old " + folder + "/old" : "", has_others ? " old/*/*/*" : "");
}

}  // namespace warplab
