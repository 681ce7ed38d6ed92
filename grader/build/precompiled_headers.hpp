#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "grader/sandbox/work_folder.hpp"

namespace warplab {

/// A translated file in two parts. Where nothing but includes precedes the student's first declaration,
/// `headers` is the same for all who include the same, wherever their files lie.
struct TextBehindHeaders {
  std::string headers;  ///< complete lines
  std::string rest;     ///< the student's own text, after markers that say where it is
};
/// @param text preprocessed, with GCC's line markers
/// @param own paths of files that are not the course's own, as the markers name them
/// @param folder whose path is left out of the headers' names
TextBehindHeaders split_behind_headers(std::string_view text, const std::set<std::string>& own,
                                       const std::filesystem::path& folder);

/// Headers that come again and again, compiled once: more than a third of what compiling a student's file
/// takes. Each is known by its whole text after preprocessing, so that what a student does to one before
/// including it makes another, and the compiler's output is what it would be without. For any threads, and
/// for processes that are forked.
class PrecompiledHeaders {
 public:
  PrecompiledHeaders();

  /// What makes `compiled`, a .gch file, of `source`, in a folder that is a command's to write to.
  /// @return whether it did
  using Compile =
      std::function<bool(const std::filesystem::path& source, const std::filesystem::path& compiled)>;
  /// The header to include for this text, compiled where the text comes for the second time.
  /// @param work where `compile` may work
  /// @return empty where it is not compiled: at first, while another compiles it, where that failed,
  /// and where there are many
  std::filesystem::path find(const std::string& text, const std::filesystem::path& work,
                             const Compile& compile);
  /// Compilers must see it, and must not write to it.
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  bool begins(const std::string& digest) const;

  WorkFolder folder_;
};

}  // namespace warplab
