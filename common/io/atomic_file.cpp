#include "common/io/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "common/host/bad_input.hpp"

namespace warplab {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  throw BadInput("cannot write " + path.string() + ": " + std::strerror(error));
}

/// A temporary file beside its target; removed unless it was renamed.
class Temporary {
 public:
  explicit Temporary(const std::filesystem::path& target)
      : target_(target), name_(target.string() + ".partial-" + std::to_string(getpid())) {
    if (std::filesystem::is_directory(target)) fail(target, EISDIR);
    descriptor_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail(target, errno);
  }
  ~Temporary() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!name_.empty()) unlink(name_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  void write(std::string_view content) {
    while (!content.empty()) {
      const ssize_t written = ::write(descriptor_, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(target_, errno);
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void commit() {
    if (fsync(descriptor_) != 0 && errno != EINVAL) fail(target_, errno);
    const int closed = close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail(target_, errno);
    if (rename(name_.c_str(), target_.c_str()) != 0) fail(target_, errno);
    name_.clear();
  }

 private:
  std::filesystem::path target_;
  std::string name_;
  int descriptor_ = -1;
};

}  // namespace

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  Temporary file(path);
  file.write(content);
  file.commit();
}

void check_writable(const std::filesystem::path& path) { Temporary probe(path); }

std::filesystem::path made_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw BadInput("cannot make " + folder.string() + ": " + error.message());
  return folder;
}

}  // namespace warplab
