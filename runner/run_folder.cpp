#include "runner/run_folder.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <string>

#include "common/bad_input.hpp"

namespace warplab::runner {
namespace {

namespace fs = std::filesystem;

/// A new hidden folder; empty if there can be none.
fs::path hidden_folder_in(const fs::path& parent) {
  std::string pattern = (parent / ".run-XXXXXX").string();
  return mkdtemp(pattern.data()) ? fs::path(pattern) : fs::path();
}

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
  std::error_code failed;
  fs::create_directories(parent, failed);
  if (!failed) gathered_ = hidden_folder_in(parent);
  if (gathered_.empty())
    throw BadInput(fmt::format("cannot write to {}, where the results would go{}", parent.string(),
                               is_named_ ? fmt::format(" (--out {})", out.string()) : ""));
  fs::permissions(gathered_, fs::perms(0755));
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  if (!gathered_.empty()) fs::remove_all(gathered_, ignored);
}

void RunFolder::publish() {
  fs::path replaced;
  if (fs::exists(destination_)) {
    replaced = hidden_folder_in(gathered_.parent_path());
    fs::rename(destination_, replaced);
  }
  fs::rename(gathered_, destination_);
  gathered_.clear();
  if (!replaced.empty()) fs::remove_all(replaced);
  if (is_named_) return;
  const fs::path latest = destination_.parent_path() / "latest";
  fs::remove(latest);
  fs::create_directory_symlink(destination_.filename(), latest);
}

}  // namespace warplab::runner
