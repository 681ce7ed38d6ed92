#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warplab {

/// What a submission may hold. Beyond one of these it is refused; a single file that is too large, or lies
/// too deep, is left out with a note.
struct IntakeLimits {
  std::size_t entries = 100'000;                           ///< files and folders
  std::uint64_t archive_bytes = std::uint64_t{256} << 20;  ///< of an archive as handed in
  std::uint64_t unpacked_bytes = std::uint64_t{2} << 30;   ///< of all that is unpacked to get at the files
  std::uint64_t free_bytes = std::uint64_t{16} << 20;      ///< unpacked, before `ratio` is asked for
  std::uint64_t ratio = 250;                               ///< unpacked bytes for each one of an archive
  std::uint64_t kept_bytes = std::uint64_t{64} << 20;      ///< of all files that are kept
  std::uint64_t file_bytes = std::uint64_t{1} << 20;       ///< of each file of a task
  std::size_t depth = 32;                                  ///< folders, one in another
  std::size_t nesting = 2;                                 ///< archives, one in another
  std::size_t notes = 20;
};

/// A file of a submission.
struct SubmissionFile {
  std::vector<std::string> path;  ///< folders, then its name; bytes as they were handed in
  std::string content;
  std::string handed_in_as = "";  ///< its own name, if it is not the one that the task's file has
  /// The archives within the submission that it lies in, the outermost first, printable.
  std::vector<std::string> archives = {};
};

/// "labs/07_transpose/transpose_tiled.cu in work.tar.gz", printable
std::string place_text(const SubmissionFile& file);

/// ASCII letters only: names that differ in others differ.
std::string in_lower_case(std::string text);

/// "labs/07_transpose/transpose_tiled.cu", printable
std::string path_text(const std::vector<std::string>& path);

/// What systems and tools leave in folders, by its name; nobody means to hand it in.
bool is_junk(const std::string& name);

/// Goes over the entries of a submission, be it a folder or an archive, and keeps only those files whose
/// names are asked for, and archives. Keeps count of the limits.
class SubmissionReader {
 public:
  enum class Kind { file, folder, symbolic_link, hard_link, special };
  enum class Use { skip, file, archive };

  /// @param names of files that are asked for; "*.json" asks for all with that ending
  SubmissionReader(std::set<std::string> names, const IntakeLimits& limits)
      : limits_(limits), names_(std::move(names)) {}

  const IntakeLimits& limits() const { return limits_; }

  /// What to do with an entry. Counts it, and notes why it is skipped where that is worth a word.
  /// @param path as the archive has it, with slashes of either kind
  /// @param bytes its size, as far as it is known
  /// @throws BadInput if there are too many
  Use classify(std::string_view path, Kind kind, std::uint64_t bytes);

  /// The largest content of the entry that was looked at last that keep() takes; a larger one is cut one
  /// byte beyond it.
  std::uint64_t max_bytes() const;

  /// Keeps the entry that was looked at last. @throws BadInput if all that is kept is too much
  void keep(std::string content);

  /// Counts what was unpacked. @param archive_bytes the size of the archive that it comes from
  /// @throws BadInput if it is too much
  void count_unpacked(std::uint64_t bytes, std::uint64_t unpacked_of_archive, std::uint64_t archive_bytes);

  /// What is kept from now on lies in this archive of the submission.
  void enter(const SubmissionFile& archive);

  void note(const std::string& sentence);
  /// All notes; of many the first, and how many more there were.
  std::vector<std::string> notes() const;

  std::vector<SubmissionFile> files;     ///< with names that are asked for
  std::vector<SubmissionFile> archives;  ///< within the submission

 private:
  IntakeLimits limits_;
  std::set<std::string> names_;
  std::vector<std::string> notes_;
  std::size_t entries_ = 0, unnoted_ = 0;
  std::uint64_t unpacked_ = 0, kept_ = 0;
  std::vector<std::string> path_, within_;
  std::string handed_in_as_;
  Use use_ = Use::skip;
};

}  // namespace warplab
