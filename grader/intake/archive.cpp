#include "grader/intake/archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include "common/host/bad_input.hpp"
#include "grader/text/printable.hpp"

#ifdef WARPLAB_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#endif

namespace warplab {

#ifndef WARPLAB_LIBARCHIVE

namespace {
constexpr const char* without =
    "this warplab was built without libarchive, so it knows no archives; install libarchive-dev";
}

void read_archive(std::string_view, SubmissionReader&) { throw NotAvailable(without); }
std::string archive_of(const std::map<std::string, std::string>&) { throw NotAvailable(without); }
std::string zip_of(const std::map<std::string, ZipFile>&) { throw NotAvailable(without); }

#else

namespace {

using Archive = std::unique_ptr<archive, int (*)(archive*)>;

/// libarchive converts names by the thread's locale; in "C" it would lose those that are not ASCII.
class Utf8Locale {
 public:
  Utf8Locale() : utf8_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)), before_(uselocale(utf8_)) {}
  ~Utf8Locale() {
    uselocale(before_);
    if (utf8_) freelocale(utf8_);
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

 private:
  locale_t utf8_, before_;
};

[[noreturn]] void refuse(archive* a) {
  const char* why = archive_error_string(a);
  const std::string words = why ? shown_line(why, 120) : "no more is known";
  if (words.find("Unrecognized archive format") != std::string::npos)
    throw BadInput("it is not an archive, or a damaged one; hand in a folder, a .zip or a .tar.gz");
  // To be asked only when a format has begun to read: libarchive 3.6 crashes before.
  if (archive_format(a) != 0 && archive_read_has_encrypted_entries(a) > 0)
    throw BadInput("it is encrypted; hand it in without a password");
  throw BadInput("the archive is truncated or damaged (" + words + ")");
}

SubmissionReader::Kind kind_of(archive_entry* entry) {
  if (archive_entry_hardlink(entry) || archive_entry_hardlink_utf8(entry))
    return SubmissionReader::Kind::hard_link;
  switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
      return SubmissionReader::Kind::file;
    case AE_IFDIR:
      return SubmissionReader::Kind::folder;
    case AE_IFLNK:
      return SubmissionReader::Kind::symbolic_link;
    case 0:
      return SubmissionReader::Kind::file;  // zip does not always say
    default:
      return SubmissionReader::Kind::special;
  }
}

std::string name_of(archive_entry* entry) {
  if (const char* name = archive_entry_pathname(entry)) return name;
  if (const char* name = archive_entry_pathname_utf8(entry)) return name;
  return "";
}

/// Counts what comes out of one archive.
struct Unpacking {
  SubmissionReader& reader;
  std::uint64_t archive_bytes, unpacked = 0;

  void count(std::uint64_t bytes) {
    unpacked += bytes;
    reader.count_unpacked(bytes, unpacked, archive_bytes);
  }

  std::string content(archive* a) {
    const std::uint64_t most = reader.max_bytes() + 1;
    std::string content;
    char buffer[16 * 1024];
    while (content.size() < most) {
      const std::size_t room = std::min<std::uint64_t>(sizeof buffer, most - content.size());
      const la_ssize_t read = archive_read_data(a, buffer, room);
      if (read < 0) refuse(a);
      if (read == 0) break;
      count(static_cast<std::uint64_t>(read));
      content.append(buffer, static_cast<std::size_t>(read));
    }
    return content;
  }

  /// Goes over the rest of an entry. A zip has a directory and need not unpack it; a tar must.
  void skip(archive* a) {
    if ((archive_format(a) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP) {
      if (archive_read_data_skip(a) < ARCHIVE_WARN) refuse(a);
      return;
    }
    const void* block;
    std::size_t bytes;
    la_int64_t offset;
    for (int result; (result = archive_read_data_block(a, &block, &bytes, &offset)) != ARCHIVE_EOF;) {
      if (result < ARCHIVE_WARN) refuse(a);
      count(bytes);
    }
  }
};

}  // namespace

void read_archive(std::string_view bytes, SubmissionReader& reader) {
  constexpr std::string_view zip_without_entries = "PK\5\6";
  if (bytes.empty() || bytes.starts_with(zip_without_entries)) throw BadInput("the archive is empty");
  const Utf8Locale locale;
  const Archive owner(archive_read_new(), archive_read_free);
  archive* const a = owner.get();
  if (!a) throw std::bad_alloc();
  archive_read_support_format_zip_seekable(a);
  archive_read_support_format_tar(a);
  archive_read_support_filter_gzip(a);
  archive_read_support_filter_xz(a);
  archive_read_support_filter_zstd(a);
  archive_read_support_filter_bzip2(a);
  if (archive_read_open_memory(a, bytes.data(), bytes.size()) < ARCHIVE_WARN) refuse(a);
  if (archive_filter_count(a) > 2) throw BadInput("the archive is compressed more than once");

  Unpacking unpacking{reader, bytes.size()};
  archive_entry* entry = nullptr;
  for (int result; (result = archive_read_next_header(a, &entry)) != ARCHIVE_EOF;) {
    if (result < ARCHIVE_WARN) refuse(a);
    unpacking.count(512);  // what a header takes
    const auto size = archive_entry_size_is_set(entry) ? archive_entry_size(entry) : 0;
    const SubmissionReader::Use use = reader.classify(
        name_of(entry), kind_of(entry), size < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(size));
    if (use == SubmissionReader::Use::skip) {
      unpacking.skip(a);
      continue;
    }
    if (archive_entry_is_encrypted(entry)) throw BadInput("it is encrypted; hand it in without a password");
    reader.keep(unpacking.content(a));
    unpacking.skip(a);
  }
}

namespace {

/// For archive_write_open(): appends to the string that is handed along.
la_ssize_t append(archive*, void* to, const void* bytes, std::size_t count) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), count);
  return static_cast<la_ssize_t>(count);
}

/// An archive that is written into memory.
class WrittenArchive {
 public:
  WrittenArchive() : owner_(archive_write_new(), archive_write_free) {
    if (!owner_) throw std::bad_alloc();
  }
  archive* get() const { return owner_.get(); }
  void must(int result) const {
    if (result < ARCHIVE_WARN) throw std::runtime_error(archive_error_string(get()));
  }
  /// To be called when format and filters are chosen.
  void open() {
    must(archive_write_set_bytes_in_last_block(get(), 1));
    must(archive_write_open(get(), &bytes_, nullptr, append, nullptr));
  }
  void add(const std::string& name, const std::string& content, unsigned mode) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                         archive_entry_free);
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), mode);
    archive_entry_set_mtime(entry.get(), 315532800, 0);  // 1980-01-01, the first that a zip can say as well
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(content.size()));
    must(archive_write_header(get(), entry.get()));
    if (archive_write_data(get(), content.data(), content.size()) != static_cast<la_ssize_t>(content.size()))
      throw std::runtime_error(archive_error_string(get()));
  }
  std::string close() {
    must(archive_write_close(get()));
    return std::move(bytes_);
  }

 private:
  Archive owner_;
  std::string bytes_;
};

}  // namespace

std::string archive_of(const std::map<std::string, std::string>& contents) {
  const Utf8Locale locale;
  WrittenArchive out;
  // As ustar, but for names that it has no room for, such as those of long entries.
  out.must(archive_write_set_format_pax_restricted(out.get()));
  out.must(archive_write_add_filter_gzip(out.get()));
  out.must(archive_write_set_options(out.get(), "gzip:!timestamp"));
  out.open();
  for (const auto& [name, content] : contents) out.add(name, content, 0644);
  return out.close();
}

std::string zip_of(const std::map<std::string, ZipFile>& files) {
  const Utf8Locale locale;
  WrittenArchive out;
  out.must(archive_write_set_format_zip(out.get()));
  out.open();
  for (const auto& [name, file] : files) out.add(name, file.content, file.mode);
  return out.close();
}

#endif

}  // namespace warplab
