// Folders that change hands between us and a sandbox's user.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <deque>
#include <memory>
#include <system_error>

#include "common/host/descriptor.hpp"
#include "grader/sandbox/sandbox.hpp"

namespace warplab {
namespace {

constexpr int deepest_folder = 64;

[[noreturn]] void throw_errno(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// Never through a link in the last step of the path.
int open_folder(int parent, const char* name) {
  return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

std::vector<std::string> names_in(int folder) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(fdopendir(openat(folder, ".", O_RDONLY | O_CLOEXEC)),
                                                   closedir);
  if (!stream) throw_errno("reading a folder");
  while (const dirent* entry = readdir(stream.get()))
    if (const std::string name = entry->d_name; name != "." && name != "..") names.push_back(name);
  return names;
}

/// Removes what is there, however deep: folders in it are moved up to `parent` before they are emptied.
void remove(int parent, const std::string& name) {
  std::deque<std::string> folders{name};
  for (unsigned number = 0; !folders.empty(); folders.pop_front()) {
    const char* const next = folders.front().c_str();
    if (unlinkat(parent, next, 0) == 0 || unlinkat(parent, next, AT_REMOVEDIR) == 0 || errno == ENOENT)
      continue;
    // A folder, as it could not be unlinked: no link is followed.
    if (fchmodat(parent, next, 0700, 0) != 0) throw_errno("removing " + name);
    const Descriptor folder(open_folder(parent, next));
    if (folder < 0) throw_errno("removing " + name);
    for (const std::string& inner : names_in(folder)) {
      if (unlinkat(folder, inner.c_str(), 0) == 0) continue;
      std::string moved;
      do moved = ".warplab-removed-" + std::to_string(number++);
      while (faccessat(parent, moved.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0);
      // Moving a folder changes its entry "..".
      if (fchmodat(folder, inner.c_str(), 0700, 0) != 0 ||
          renameat(folder, inner.c_str(), parent, moved.c_str()) != 0)
        throw_errno("removing " + name);
      folders.push_back(moved);
    }
    if (unlinkat(parent, next, AT_REMOVEDIR) != 0) throw_errno("removing " + name);
  }
}

/// Gives a folder that is open, and all in it, to a user. @param ours whether nothing may be left that is
/// neither a folder nor a plain file with one name
void give(int folder, uid_t user, gid_t group, bool ours, int depth) {
  struct stat own {};
  if (fstat(folder, &own) != 0) throw_errno("looking at a folder");
  for (const std::string& name : names_in(folder)) {
    struct stat status {};
    if (fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) throw_errno(name);
    const bool is_folder = S_ISDIR(status.st_mode);
    if (ours && (is_folder ? depth == deepest_folder : !S_ISREG(status.st_mode) || status.st_nlink != 1)) {
      remove(folder, name);
      continue;
    }
    if (is_folder) {
      if (ours && fchmodat(folder, name.c_str(), (status.st_mode & 0755) | 0700, 0) != 0) throw_errno(name);
      const Descriptor inner(open_folder(folder, name.c_str()));
      if (inner < 0) throw_errno(name);
      give(inner, user, group, ours, depth + 1);
      continue;
    }
    // A file's other name could be of any file: only we can have made one in a folder that is still ours.
    if (!ours && S_ISREG(status.st_mode) && status.st_nlink != 1) continue;
    if (fchownat(folder, name.c_str(), user, group, AT_SYMLINK_NOFOLLOW) != 0) throw_errno(name);
    if (ours && fchmodat(folder, name.c_str(), (status.st_mode & 0755) | 0600, 0) != 0) throw_errno(name);
  }
  if (fchown(folder, user, group) != 0) throw_errno("changing a folder's owner");
  if (ours && fchmod(folder, (own.st_mode & 0755) | 0700) != 0) throw_errno("closing a folder to others");
}

}  // namespace

void Sandbox::lend(const std::filesystem::path& folder) const {
  if (!user_) return;
  const Descriptor top(open_folder(AT_FDCWD, folder.c_str()));
  if (top < 0) throw_errno(folder.string());
  give(top, *user_, *user_, false, 0);
}

void Sandbox::take_back(const std::filesystem::path& folder) const {
  kill_users_processes();
  const Descriptor top(open_folder(AT_FDCWD, folder.c_str()));
  if (top < 0) throw_errno(folder.string());
  give(top, geteuid(), getegid(), true, 0);
}

}  // namespace warplab
