#include "grader/sandbox/file_rules.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace warplab {
namespace {

// Those that older kernels and headers do not know.
constexpr std::uint64_t refer = 1u << 13, truncate_file = 1u << 14;
constexpr std::uint64_t scope_abstract_sockets = 1u << 0, scope_signals = 1u << 1;

constexpr std::uint64_t reading =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t everything = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;  // of the first version
constexpr std::uint64_t of_a_file =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_file;

/// What the kernel takes, as of its newest version that is used here; it takes shorter ones as well.
struct Rules {
  std::uint64_t files = 0, network = 0, scoped = 0;
};

long version() { return syscall(SYS_landlock_create_ruleset, nullptr, 0, 1 /* its version */); }

class FileRules {
 public:
  explicit FileRules(long abi) : all_(everything | (abi >= 2 ? refer : 0) | (abi >= 3 ? truncate_file : 0)) {
    const Rules rules{all_, 0, abi >= 6 ? scope_abstract_sockets | scope_signals : 0};
    const std::size_t size = abi >= 6 ? sizeof rules : abi >= 4 ? 16 : 8;
    descriptor_ = static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, size, 0));
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "restricting files");
  }
  ~FileRules() { close(descriptor_); }
  FileRules(const FileRules&) = delete;
  FileRules& operator=(const FileRules&) = delete;

  /// @return false if there is no such path
  bool allow(const std::filesystem::path& path, std::uint64_t access) const {
    const int place = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (place < 0) return false;
    struct stat status {};
    landlock_path_beneath_attr rule{};
    rule.parent_fd = place;
    rule.allowed_access = access & all_;
    if (fstat(place, &status) == 0 && !S_ISDIR(status.st_mode)) rule.allowed_access &= of_a_file;
    const long result = syscall(SYS_landlock_add_rule, descriptor_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    const int error = errno;
    close(place);
    if (result != 0) throw std::system_error(error, std::generic_category(), "allowing " + path.string());
    return true;
  }
  std::uint64_t all() const { return all_; }

  void enforce() const {
    if (syscall(SYS_landlock_restrict_self, descriptor_, 0) != 0)
      throw std::system_error(errno, std::generic_category(), "restricting files");
  }

 private:
  std::uint64_t all_;
  int descriptor_;
};

}  // namespace

bool files_can_be_restricted() { return version() >= 1; }

void restrict_files(const std::vector<std::filesystem::path>& readable,
                    const std::vector<std::filesystem::path>& writable) {
  const long abi = version();
  if (abi < 1) return;
  const FileRules rules(abi);
  // /proc for what a program asks about itself; of others' processes permissions hide all but names.
  for (const char* path : {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives",
                           "/etc/ld.so.cache", "/proc", "/sys/devices/system", "/sys/fs/cgroup"})
    rules.allow(path, reading);
  for (const char* path : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"})
    rules.allow(path, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_file);
  const auto missing = [](const std::filesystem::path& path) {
    return std::system_error(errno, std::generic_category(), path.string());
  };
  for (const auto& path : readable)
    if (!rules.allow(path, reading)) throw missing(path);
  for (const auto& path : writable)
    if (!rules.allow(path, rules.all())) throw missing(path);
  rules.enforce();
}

}  // namespace warplab
