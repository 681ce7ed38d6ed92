#include "grader/intake/folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <vector>

#include "common/host/bad_input.hpp"
#include "common/host/descriptor.hpp"
#include "grader/text/printable.hpp"

namespace warplab {
namespace {

/// At most `most` bytes of a file.
std::string read_some(int file, std::uint64_t most) {
  std::string content;
  char buffer[64 * 1024];
  while (content.size() < most) {
    const ssize_t got = read(file, buffer, std::min<std::uint64_t>(sizeof buffer, most - content.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw BadInput(fmt::format("it cannot be read: {}", std::strerror(errno)));
    if (got == 0) break;
    content.append(buffer, static_cast<std::size_t>(got));
  }
  return content;
}

SubmissionReader::Kind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return SubmissionReader::Kind::file;
  if (S_ISDIR(mode)) return SubmissionReader::Kind::folder;
  return S_ISLNK(mode) ? SubmissionReader::Kind::symbolic_link : SubmissionReader::Kind::special;
}

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};
using Directory = std::unique_ptr<DIR, CloseDirectory>;

/// Null, with errno, if it is not a folder, a link to one, or closed to us.
Directory open_directory(int within, const char* name) {
  const int descriptor = openat(within, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  Directory directory(fdopendir(descriptor));
  if (!directory) close(descriptor);
  return directory;
}

class Walk {
 public:
  explicit Walk(SubmissionReader& reader) : reader_(reader) {}

  void go(DIR* directory, const std::string& place, std::size_t depth) {
    const int folder = dirfd(directory);
    for (const std::string& name : names(directory)) {
      const std::string path = place.empty() ? name : place + "/" + name;
      struct stat known = {};
      if (fstatat(folder, name.c_str(), &known, AT_SYMLINK_NOFOLLOW) != 0) continue;  // gone meanwhile
      const SubmissionReader::Kind kind = kind_of(known.st_mode);
      const SubmissionReader::Use use =
          reader_.classify(path, kind, static_cast<std::uint64_t>(known.st_size));
      if (kind == SubmissionReader::Kind::folder && !is_junk(name)) {
        const Directory inner =
            depth < reader_.limits().depth ? open_directory(folder, name.c_str()) : nullptr;
        if (inner)
          go(inner.get(), path, depth + 1);
        else
          ignore(path, depth < reader_.limits().depth ? "cannot be read" : "lies too deep");
      } else if (use != SubmissionReader::Use::skip) {
        // Not to wait for a writer, should it have become a pipe meanwhile.
        const Descriptor file(openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        struct stat opened = {};
        if (file < 0 || fstat(file, &opened) != 0 || !S_ISREG(opened.st_mode))
          ignore(path, "cannot be read");
        else
          reader_.keep(read_some(file, reader_.max_bytes() + 1));
      }
    }
  }

 private:
  std::vector<std::string> names(DIR* directory) const {
    std::vector<std::string> names;
    while (const dirent* const entry = readdir(directory)) {
      const std::string name = entry->d_name;
      if (name != "." && name != "..") names.push_back(name);
      if (names.size() > reader_.limits().entries) break;  // as many as classify() refuses
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  void ignore(const std::string& path, const char* why) {
    reader_.note(fmt::format("{} was ignored: it {}", shown_line(path, 160), why));
  }

  SubmissionReader& reader_;
};

}  // namespace

void read_folder(const std::filesystem::path& folder, SubmissionReader& reader) {
  const Directory directory = open_directory(AT_FDCWD, folder.c_str());
  if (!directory) throw BadInput(fmt::format("it cannot be read: {}", std::strerror(errno)));
  Walk(reader).go(directory.get(), "", 0);
}

std::string read_regular_file(const std::filesystem::path& path, std::uint64_t most) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file < 0) throw BadInput(fmt::format("it cannot be read: {}", std::strerror(errno)));
  struct stat opened = {};
  if (fstat(file, &opened) != 0 || !S_ISREG(opened.st_mode))
    throw BadInput("it is neither a file nor a folder");
  std::string content = read_some(file, most + 1);
  if (content.size() > most) throw BadInput(fmt::format("it is larger than {} MiB", most >> 20));
  return content;
}

}  // namespace warplab
