#include "runner/run_folder.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

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

}  // namespace

RunFolder::RunFolder(const fs::path& out) : destination_(out), is_named_(!out.empty()) {
  if (is_named_) {
    check_replaceable(out);
  } else {
    const std::string stem = fmt::format("results/run-{:%Y-%m-%d}-", fmt::localtime(std::time(nullptr)));
    while (fs::exists(stem + std::to_string(number_))) ++number_;
    destination_ = stem + std::to_string(number_);
  }
  const fs::path parent = destination_.has_parent_path() ? destination_.parent_path() : ".";
  try {
    fs::create_directories(parent);
    gathered_.emplace(parent / ".run-");
    fs::permissions(gathered(), fs::perms(0755));
  } catch (const fs::filesystem_error&) {
    throw BadInput(fmt::format("cannot write to {}, where the results would go{}", parent.string(),
                               is_named_ ? fmt::format(" (--out {})", out.string()) : ""));
  }
}

void RunFolder::publish() {
  if (fs::exists(destination_)) {
    const TemporaryFolder replaced(gathered().parent_path() / ".run-");
    fs::rename(destination_, replaced.path());
    try {
      fs::rename(gathered(), destination_);
    } catch (...) {
      fs::rename(replaced.path(), destination_);
      throw;
    }
  } else {
    fs::rename(gathered(), destination_);
  }
  if (is_named_) return;
  const fs::path latest = destination_.parent_path() / "latest";
  fs::remove(latest);
  fs::create_directory_symlink(destination_.filename(), latest);
}

}  // namespace warplab::runner
