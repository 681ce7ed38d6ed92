#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "common/io/temporary_folder.hpp"

namespace warplab {

/// A folder that commands of a sandbox can reach, and others can't list; removed with all that is in it.
class WorkFolder {
 public:
  /// @param use a part of its name
  /// @throws std::system_error
  explicit WorkFolder(const std::string& use);

  const std::filesystem::path& path() const { return folder_.path(); }
  /// An empty folder within it, to be lent to commands.
  std::filesystem::path renewed() const;
  /// Moves what commands built out of the reach of commands that are still to come, and of those that were:
  /// for all to read and to run. @return where it is
  std::filesystem::path kept(const std::filesystem::path& built) const;

 private:
  TemporaryFolder folder_;
};

/// Libraries that this program needs and that are none of the system's: a worker needs the same.
std::vector<std::filesystem::path> library_files();
/// Where they lie, for a worker that loads others of them by itself.
std::vector<std::filesystem::path> library_folders();
/// What the loader needs to find them, for a sandbox's environment: LD_LIBRARY_PATH, where a module set it.
/// Only its absolute paths: the others would lie in the folder that commands write to.
std::vector<std::pair<std::string, std::string>> loader_environment();

/// Where a compiler's other parts lie, if that is not among the system's: /opt/gcc for /opt/gcc/bin/g++, and
/// for a link to it.
std::vector<std::filesystem::path> toolchain_folders(const std::filesystem::path& compiler);
/// PATH of a sandbox in which a compiler is to find these programs first; nothing where the system's folders,
/// which are the usual PATH, have them all.
std::vector<std::pair<std::string, std::string>> path_to(const std::vector<std::string>& programs);

}  // namespace warplab
