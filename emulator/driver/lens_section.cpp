#include "lens_section.hpp"

#include <algorithm>

namespace warplab::driver {
namespace {

namespace fs = std::filesystem;

constexpr const char* section = ".warplab.lens";

/// Runs a command whose complaints nobody needs.
bool succeeds(const Command& command, const fs::path& scratch) {
  return wait_for(start(command, scratch / "section.errors"));
}

}  // namespace

Command attach_lens(const fs::path& plain, const fs::path& lens, const std::string& object) {
  return {"objcopy",
          "--add-section",
          section + ("=" + lens.string()),
          "--set-section-flags",
          section + std::string("=noload,readonly,exclude"),
          plain,
          object};
}

std::vector<std::string> lens_objects_of(const std::string& file, const fs::path& scratch) {
  static int number = 0;  // of files in the scratch folder
  const std::string kind = fs::path(file).extension();
  if (kind == ".a" && fs::exists(file)) {
    const fs::path folder = scratch / ("archive" + std::to_string(number++));
    fs::create_directory(folder);
    if (!succeeds({"ar", "x", "--output", folder, file}, scratch)) return {file};
    std::vector<std::string> members, objects;
    for (const auto& entry : fs::directory_iterator(folder)) members.push_back(entry.path());
    std::sort(members.begin(), members.end());
    bool any = false;
    for (const std::string& member : members)
      for (const std::string& object : lens_objects_of(member, scratch)) {
        any |= object != member;
        objects.push_back(object);
      }
    return any ? objects : std::vector<std::string>{file};
  }
  if ((kind != ".o" && kind != ".obj") || !fs::exists(file)) return {file};
  const fs::path lens = scratch / ("section" + std::to_string(number++) + ".lens.o");
  // objcopy writes a copy of the object too; only what it takes out is wanted.
  if (!succeeds({"objcopy", "--dump-section", section + ("=" + lens.string()), file, scratch / "unused.o"},
                scratch) ||
      !fs::exists(lens))
    return {file};
  return {lens};
}

}  // namespace warplab::driver
