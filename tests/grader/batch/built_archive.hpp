#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace warplab::test {

/// An entry of an archive that a test builds; by default a file.
struct Entry {
  std::string path;
  std::string content = {};
  unsigned type = AE_IFREG;
  std::string link = {};       ///< what a symbolic link points to
  std::string hard_link = {};  ///< what a hard link names
};

/// An archive in memory, as hostile as its entries. @param format "zip", "tar", "tar.gz", "tar.xz",
/// "tar.zst", "tar.bz2", "encrypted zip" or "gzipped tar.gz"
inline std::string build_archive(const std::string& format, const std::vector<Entry>& entries) {
  std::string bytes;
  const std::unique_ptr<archive, int (*)(archive*)> owner(archive_write_new(), archive_write_free);
  archive* const a = owner.get();
  const auto must = [&](int result) {
    if (result < ARCHIVE_WARN) throw std::runtime_error(archive_error_string(a));
  };
  if (format.find("zip") != std::string::npos && format != "gzipped tar.gz") {
    must(archive_write_set_format_zip(a));
    if (format == "encrypted zip") {
      must(archive_write_set_options(a, "zip:encryption=traditional"));
      must(archive_write_set_passphrase(a, "secret"));
    }
  } else {
    must(archive_write_set_format_pax_restricted(a));
    must(archive_write_set_options(a, "hdrcharset=BINARY"));
    if (format.find(".gz") != std::string::npos) must(archive_write_add_filter_gzip(a));
    if (format == "gzipped tar.gz") must(archive_write_add_filter_gzip(a));
    if (format == "tar.xz") must(archive_write_add_filter_xz(a));
    if (format == "tar.bz2") must(archive_write_add_filter_bzip2(a));
    if (format == "tar.zst") must(archive_write_add_filter_zstd(a));
  }
  must(archive_write_set_bytes_in_last_block(a, 1));
  const auto append = [](archive*, void* to, const void* data, std::size_t count) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data), count);
    return static_cast<la_ssize_t>(count);
  };
  must(archive_write_open(a, &bytes, nullptr, append, nullptr));
  for (const Entry& entry : entries) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> e(archive_entry_new(), archive_entry_free);
    archive_entry_set_pathname(e.get(), entry.path.c_str());
    archive_entry_set_perm(e.get(), 0644);
    if (!entry.hard_link.empty())
      archive_entry_set_hardlink(e.get(), entry.hard_link.c_str());
    else
      archive_entry_set_filetype(e.get(), entry.type);
    if (!entry.link.empty()) archive_entry_set_symlink(e.get(), entry.link.c_str());
    if (entry.type == AE_IFREG)
      archive_entry_set_size(e.get(), static_cast<la_int64_t>(entry.content.size()));
    must(archive_write_header(a, e.get()));
    if (!entry.content.empty()) archive_write_data(a, entry.content.data(), entry.content.size());
  }
  must(archive_write_close(a));
  return bytes;
}

}  // namespace warplab::test
