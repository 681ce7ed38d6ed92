#include "tests/grader/submissions/hostile_entries.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>

namespace warplab {
namespace {

namespace fs = std::filesystem;

const std::string place = "labs/02_vector_add/vector_add_one_per_thread.cu";
const std::string task = "vector_add/one_per_thread";

/// Writes an archive entry by entry; nothing is too odd for it.
class ArchiveMaker {
 public:
  enum class Format { zip, tar_gz };
  ArchiveMaker(const fs::path& file, Format format) : archive_(archive_write_new()) {
    if (format == Format::zip) {
      archive_write_set_format_zip(archive_);
    } else {
      archive_write_set_format_pax_restricted(archive_);
      archive_write_add_filter_gzip(archive_);
    }
    check(archive_write_open_filename(archive_, file.c_str()));
  }
  ~ArchiveMaker() {
    archive_write_close(archive_);
    archive_write_free(archive_);
  }
  ArchiveMaker(const ArchiveMaker&) = delete;
  ArchiveMaker& operator=(const ArchiveMaker&) = delete;

  void file(const std::string& path, const std::string& content) {
    add(path, AE_IFREG, static_cast<la_int64_t>(content.size()), {});
    archive_write_data(archive_, content.data(), content.size());
  }
  /// A file of many equal bytes.
  void wide_file(const std::string& path, std::uint64_t bytes) {
    add(path, AE_IFREG, static_cast<la_int64_t>(bytes), {});
    const std::string part(1 << 20, ' ');
    for (std::uint64_t left = bytes; left > 0; left -= std::min<std::uint64_t>(left, part.size()))
      archive_write_data(archive_, part.data(), std::min<std::uint64_t>(left, part.size()));
  }
  void link(const std::string& path, const std::string& to, bool hard) {
    add(path, AE_IFLNK, 0, [&](archive_entry* entry) {
      hard ? archive_entry_set_hardlink(entry, to.c_str()) : archive_entry_set_symlink(entry, to.c_str());
    });
  }
  void special(const std::string& path, unsigned kind) {
    add(path, kind, 0, [](archive_entry* entry) {
      archive_entry_set_rdevmajor(entry, 1);
      archive_entry_set_rdevminor(entry, 5);
    });
  }

 private:
  void add(const std::string& path, unsigned kind, la_int64_t bytes,
           const std::function<void(archive_entry*)>& set) {
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, path.c_str());
    archive_entry_set_filetype(entry, kind);
    archive_entry_set_perm(entry, 0777);
    archive_entry_set_size(entry, bytes);
    if (set) set(entry);
    const int result = archive_write_header(archive_, entry);
    archive_entry_free(entry);
    if (result < ARCHIVE_WARN) throw std::runtime_error(archive_error_string(archive_));
  }
  void check(int result) {
    if (result != ARCHIVE_OK) throw std::runtime_error(archive_error_string(archive_));
  }
  archive* archive_;
};

class Maker {
 public:
  Maker(const fs::path& submissions, const std::string& solution, const fs::path& secret)
      : submissions_(submissions), solution_(solution), secret_(secret) {}

  std::vector<HostileEntry> made;

  void make_all() {
    make_links();
    make_paths();
    make_bombs();
    make_names();
    make_empty_ones();
  }

 private:
  using Format = ArchiveMaker::Format;

  /// An entry that gives no points: its task has no file.
  fs::path none(const std::string& name, const std::string& what, const std::string& topic,
                const std::string& says) {
    return add(name, what, topic, says, {"missing"}, 0);
  }
  fs::path add(const std::string& name, const std::string& what, const std::string& topic,
               const std::string& says, std::vector<std::string> statuses, double points) {
    Exploit exploit;
    exploit.name = name;
    exploit.what = what;
    exploit.covers = {topic};
    exploit.task = task;
    exploit.statuses = std::move(statuses);
    exploit.max_points = points;
    exploit.says = says;
    made.push_back({name, exploit});
    return submissions_ / name;
  }
  fs::path folder_for(const fs::path& entry) {
    fs::create_directories((entry / place).parent_path());
    return entry / place;
  }

  void make_links() {
    const char* const links = "is a symbolic link|none of the files";
    ArchiveMaker(none("link_to_a_secret.tar.gz", "Its file is a link to a secret", "symlinks", links),
                 Format::tar_gz)
        .link(place, secret_, false);
    ArchiveMaker(none("hard_link_to_a_secret.tar.gz", "Its file is a hard link to a secret", "symlinks",
                      "is a hard link|none of the files"),
                 Format::tar_gz)
        .link(place, secret_, true);
    {
      ArchiveMaker archive(none("file_through_a_link.tar.gz",
                                "A folder is a link to where it is not to write", "symlinks", "."),
                           Format::tar_gz);
      archive.link("labs", secret_.parent_path(), false);
      archive.file("labs/canary", "written through a link");
      archive.link("up", "../../../../../../../../../..", false);
      archive.file("up/tmp/written_through_a_link", "written through a link");
    }
    fs::create_symlink(secret_,
                       folder_for(none("linked_file", "A link in a folder, to a secret", "symlinks", links)));
    fs::create_symlink("/dev/zero", folder_for(none("linked_device", "A link in a folder, to /dev/zero",
                                                    "symlinks", links)));
    fs::create_directory_symlink(
        fs::path(WARPLAB_SOURCE_DIR),
        none("linked_submission", "The whole submission is a link to the tree with solutions", "symlinks",
             "symbolic link"));
    const fs::path looping =
        none("linked_in_a_circle", "Folders link to each other", "symlinks", "none of the files");
    fs::create_directories(looping / "a");
    fs::create_directory_symlink("..", looping / "a/labs");
    const fs::path pipe = folder_for(none("named_pipe", "Its file is a pipe: whoever opens it waits for ever",
                                          "symlinks", "pipe|none of the files"));
    if (mkfifo(pipe.c_str(), 0666) != 0) throw std::runtime_error("no pipe can be made");
    ArchiveMaker(none("device.tar.gz", "Its file is a device", "symlinks", "device|none of the files"),
                 Format::tar_gz)
        .special(place, AE_IFCHR);
  }

  void make_paths() {
    for (const auto& [name, format] :
         {std::pair("traversal.zip", Format::zip), {"traversal.tar.gz", Format::tar_gz}}) {
      ArchiveMaker archive(none(name, "Paths that leave the folder, to files of the grader and of others",
                                "path traversal", "leaves its folder|absolute"),
                           format);
      for (const char* path :
           {"../honest/labs/02_vector_add/vector_add_one_per_thread.cu", "../../out/records/honest.json",
            "labs/../../../../../tmp/traversal", "..\\..\\windows.cu"})
        archive.file(path, "overwritten");
      archive.file("/tmp/absolute/" + place, "overwritten");
      archive.file(secret_.string(), "overwritten");
    }
    ArchiveMaker twice(add("two_of_a_name.zip",
                           "The same path twice, right and wrong, for those that check one and use the other",
                           "path traversal", ".", {"missing", "not_compiled", "refused"}, 0),
                       Format::zip);
    twice.file(place, solution_);
    twice.file(place, "#error the second of that name\n");
  }

  void make_bombs() {
    const char* const bomb = "A file of a quarter of a gigabyte in a few hundred kilobytes";
    ArchiveMaker(none("bomb.tar.gz", bomb, "zip bombs", "unpacks to more"), Format::tar_gz)
        .wide_file("filler.cu", std::uint64_t{256} << 20);
    ArchiveMaker(none("bomb.zip", bomb, "zip bombs", "larger than"), Format::zip)
        .wide_file(place, std::uint64_t{256} << 20);
    ArchiveMaker(none("large_file.tar.gz", "Its file is of 64 MiB of blanks", "huge files",
                      "larger than|unpacks to more"),
                 Format::tar_gz)
        .wide_file(place, std::uint64_t{64} << 20);
    const fs::path sparse = folder_for(
        none("sparse_file", "Its file is a terabyte that takes no space", "huge files", "larger than"));
    std::ofstream(sparse).close();
    fs::resize_file(sparse, std::uintmax_t{1} << 40);
    {
      ArchiveMaker many(none("many_files.zip", "100 001 files", "zip bombs", "more than \\d+ files|hand in"),
                        Format::zip);
      for (int i = 0; i <= 100000; ++i) many.file("f/" + std::to_string(i), "");
    }
    {
      ArchiveMaker deep(
          none("deep_folders.tar.gz", "Folders 2000 deep", "zip bombs", "too deep|none of the files"),
          Format::tar_gz);
      std::string path;
      for (int i = 0; i < 2000; ++i) path += "d/";
      deep.file(path + place, solution_);
    }
    // Archives within archives, each ten times as large.
    const fs::path nested = none("nested_archives.zip", "Archives in archives, without end", "zip bombs",
                                 "too many archives|unpacks to more|none of the files|damaged|larger");
    const fs::path inner = submissions_ / ".inner.zip";
    ArchiveMaker(inner, Format::zip).wide_file("filler", 1 << 20);
    for (int level = 0; level < 6; ++level) {
      std::ifstream in(inner, std::ios::binary);
      const std::string content(std::istreambuf_iterator<char>(in), {});
      ArchiveMaker outer(nested, Format::zip);
      for (int i = 0; i < 3; ++i) outer.file(std::to_string(i) + ".zip", content);
      outer.file("last.zip", content);
      if (level < 5) fs::rename(nested, inner);
    }
    fs::remove(inner);
    std::ofstream(none("truncated.zip", "The first bytes of an archive", "zip bombs", "."), std::ios::binary)
        << "PK\x03\x04 and no more";
    std::ofstream(none("no_archive.tar.gz", "No archive, but a name like one", "zip bombs", "."),
                  std::ios::binary)
        << std::string(100000, 'x');
  }

  void make_names() {
    const std::vector<std::pair<std::string, std::string>> names = {
        {"na\xffme \xc0\xaf", "bytes that are not UTF-8"},
        {"=HYPERLINK(\"http:127.0.0.1\",\"100\")", "a formula for spreadsheets"},
        {"@SUM(1+1)*cmd|' C'!A0", "another formula"},
        {"<script>alert(1)<%2fscript>", "HTML"},
        {"a\nb,100,100", "a line of its own in a table"},
        {"-rf", "an option for commands"},
        {"$(touch owned)`touch owned`", "a command for a shell"},
        {"..%2f..%2frecords%2fhonest", "a path"},
        {std::string(240, 'n'), "as long as a name can be"},
        {"\xe2\x80\xae"
         "txt.tsenoh",
         "text turned around"},
        {"honest.zip", "the name of another, as an archive"},
        {"HONEST", "the name of another, in capitals"},
    };
    for (const auto& [name, what] : names) {
      const bool utf8 = name.find('\xff') == std::string::npos;
      const fs::path entry =
          none(name, "A name that is " + what, utf8 ? "hostile names" : "non-UTF-8 names", ".");
      if (name.ends_with(".zip")) {
        ArchiveMaker(entry, Format::zip).file(place + "\xff", "");
        continue;
      }
      fs::create_directories(entry);
      std::ofstream(entry / "nothing.txt") << "nothing";
    }
    ArchiveMaker(none("non_utf8_paths.tar.gz", "Paths in the archive that are not UTF-8", "non-UTF-8 names",
                      "none of the files|ignored"),
                 Format::tar_gz)
        .file("labs/02_vector_add/vector_add_\xff\xfe.cu", "");
    std::ofstream(folder_for(add("no_text", "Its file is bytes of all values, with zeros", "non-UTF-8 names",
                                 ".", {"missing", "refused", "not_compiled"}, 0)),
                  std::ios::binary)
        << std::string("\0\1\2\xff\xfe\x80 __global__ \0", 20) << std::string(1000, '\0');
  }

  void make_empty_ones() {
    fs::create_directories(none("no_files", "An empty folder", "no files", "none of the files"));
    std::ofstream(none("empty_file.zip", "An archive of no bytes", "no files", "."));
    std::ofstream(
        folder_for(add("empty_source", "Its file is empty", "no files", "is empty", {"not_compiled"}, 0)));
    std::ofstream(folder_for(add("no_launcher", "Its file has an include and nothing else", "no files",
                                 "does not define vector_add_one_per_thread\\(\\)", {"not_compiled"}, 0)))
        << "#include \"vector_add.hpp\"\n";
  }

  const fs::path submissions_;
  const std::string solution_;
  const fs::path secret_;
};

}  // namespace

std::vector<HostileEntry> make_hostile_entries(const fs::path& submissions, const std::string& solution,
                                               const fs::path& secret) {
  Maker maker(submissions, solution, secret);
  maker.make_all();
  return std::move(maker.made);
}

}  // namespace warplab
