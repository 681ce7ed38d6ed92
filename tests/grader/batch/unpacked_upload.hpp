#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

namespace warplab::test {

struct UnpackedFile {
  std::string content;
  unsigned mode;
};

/// The files of a zip, by their names. @throws std::runtime_error if libarchive cannot read it
inline std::map<std::string, UnpackedFile> files_of_zip(const std::filesystem::path& zip) {
  const std::unique_ptr<archive, int (*)(archive*)> owner(archive_read_new(), archive_read_free);
  archive* const a = owner.get();
  archive_read_support_format_zip_seekable(a);
  if (archive_read_open_filename(a, zip.c_str(), 65536) != ARCHIVE_OK)
    throw std::runtime_error(archive_error_string(a));
  std::map<std::string, UnpackedFile> files;
  archive_entry* entry = nullptr;
  while (archive_read_next_header(a, &entry) == ARCHIVE_OK) {
    UnpackedFile& file = files[archive_entry_pathname(entry)];
    file.mode = archive_entry_perm(entry);
    file.content.resize(static_cast<std::size_t>(archive_entry_size(entry)));
    if (archive_read_data(a, file.content.data(), file.content.size()) !=
        static_cast<la_ssize_t>(file.content.size()))
      throw std::runtime_error("a file of the zip is cut short");
  }
  return files;
}

/// As Gradescope does: into ROOT/source, its two scripts executable, whatever modes the zip has.
inline void unpack_upload(const std::filesystem::path& zip, const std::filesystem::path& root) {
  for (const auto& [name, file] : files_of_zip(zip)) {
    const std::filesystem::path path = root / "source" / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << file.content;
  }
  for (const char* script : {"setup.sh", "run_autograder"})
    std::filesystem::permissions(root / "source" / script, std::filesystem::perms(0755));
}

}  // namespace warplab::test
