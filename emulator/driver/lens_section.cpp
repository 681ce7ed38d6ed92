#include "emulator/driver/lens_section.hpp"

#include <algorithm>

namespace warplab::driver {
namespace {

namespace fs = std::filesystem;

constexpr const char* section = ".warplab.lens";

/// Runs a command whose complaints nobody needs.
bool succeeds(const Command& command, const fs::path& scratch) {
  return wait_for(start(command, scratch / "section.errors"));
}

/// Takes all members out of an archive, each of several members of one name into a folder of its own.
bool extract(const std::string& archive, const fs::path& folder, const fs::path& scratch) {
  if (!succeeds({"ar", "x", "--output", folder, archive}, scratch)) return false;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  for (const std::string& name : names) {
    int count = 1;
    for (;; ++count) {
      const fs::path other = folder / (name + "." + std::to_string(count + 1));
      fs::create_directory(other);
      succeeds({"ar", "xN", std::to_string(count + 1), "--output", other, archive, name}, scratch);
      if (fs::exists(other / name)) continue;
      fs::remove(other);
      break;
    }
    // Without a number ar has written them one over the other.
    if (count > 1 && !succeeds({"ar", "xN", "1", "--output", folder, archive, name}, scratch)) return false;
  }
  return true;
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
    if (!extract(file, folder, scratch)) return {file};
    std::vector<std::string> members, objects;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file()) members.push_back(entry.path());
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

std::string library_of(const std::string& word, const std::vector<std::string>& words) {
  if (!word.starts_with("-l")) return word;
  const std::string name = word.substr(2);
  const bool is_file = name.starts_with(":");
  for (const std::string& other : words) {
    if (!other.starts_with("-L")) continue;
    const fs::path folder = other.substr(2);
    if (is_file && fs::exists(folder / name.substr(1))) return folder / name.substr(1);
    if (fs::exists(folder / ("lib" + name + ".so"))) return word;
    if (fs::exists(folder / ("lib" + name + ".a"))) return folder / ("lib" + name + ".a");
  }
  return word;
}

}  // namespace warplab::driver
