#include "runner/run_folder.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <string>

#include "common/host/bad_input.hpp"

namespace warplab::runner {
namespace {

namespace fs = std::filesystem;

void check_replaceable(const fs::path& out) {
  std::error_code none;
  if (!fs::exists(out, none)) return;
  if (!fs::is_directory(out, none)) throw BadInput("--out " + out.string() + " is a file; it takes a folder");
  if (access(out.c_str(), W_OK | X_OK) != 0) throw BadInput("cannot write to " + out.string() + " (--out)");
  if (!fs::is_empty(out, none) && !fs::exists(out / "results.json", none))
    throw BadInput(
        "--out " + out.string() +
        " holds something that is not a run of warplab; it takes a new folder or that of an earlier run");
}

/// @return whether there was nothing of that name, so that the folder was made
/// @throws fs::filesystem_error
bool make_new(const fs::path& folder) {
  if (mkdir(folder.c_str(), 0777) == 0) return true;
  if (errno == EEXIST) return false;
  throw fs::filesystem_error("mkdir", folder, std::error_code(errno, std::generic_category()));
}

/// Has `link` name a target, in one step: another run may do the same.
void replace_link(const fs::path& link, const fs::path& target) {
  const TemporaryFolder made(link.parent_path() / ".run-");
  fs::create_directory_symlink(target, made.path() / link.filename());
  fs::rename(made.path() / link.filename(), link);
}

}  // namespace

RunFolder::RunFolder(const fs::path& out) : destination_(out), is_named_(!out.empty()) {
  if (is_named_) check_replaceable(out);
  const fs::path parent = !is_named_ ? "results" : out.has_parent_path() ? out.parent_path() : ".";
  try {
    fs::create_directories(parent);
    gathered_.emplace(parent / ".run-");
    fs::permissions(gathered(), fs::perms(0755));
    if (!is_named_) reserve(parent);
  } catch (const fs::filesystem_error&) {
    throw BadInput(fmt::format("cannot write to {}, where the results would go{}", parent.string(),
                               is_named_ ? fmt::format(" (--out {})", out.string()) : ""));
  }
}

void RunFolder::reserve(const fs::path& parent) {
  const std::string stem = fmt::format("run-{:%Y-%m-%d}-", fmt::localtime(std::time(nullptr)));
  while (!make_new(destination_ = parent / (stem + std::to_string(number_)))) ++number_;
}

RunFolder::~RunFolder() {
  std::error_code none;
  if (!is_named_) fs::remove(destination_, none);  // only where it is empty
}

void RunFolder::publish() {
  if (!is_named_) {
    fs::rename(gathered(), destination_);
    replace_link(destination_.parent_path() / "latest", destination_.filename());
    return;
  }
  if (!fs::exists(destination_)) return fs::rename(gathered(), destination_);
  const TemporaryFolder replaced(gathered().parent_path() / ".run-");
  fs::rename(destination_, replaced.path());
  try {
    fs::rename(gathered(), destination_);
  } catch (...) {
    fs::rename(replaced.path(), destination_);
    throw;
  }
}

}  // namespace warplab::runner
