#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace warplab::house {

/// A folder whose sources are one library of the build, and the folders whose headers it may include.
struct Room {
  std::string folder;                 ///< "grader/text"
  std::set<std::string> may_include;  ///< itself among them
};

/// Reads rooms.txt of a build tree: per line a room, then the folders that it may include.
std::vector<Room> read_rooms(const std::filesystem::path& file);

/// Per include by quotes that leads into a folder which its room may not include, a sentence.
std::vector<std::string> forbidden_includes(const std::filesystem::path& root,
                                            const std::vector<Room>& rooms);

/// Circles of headers that include each other, "a.hpp -> b.hpp -> a.hpp"; each circle once. Headers are all
/// files but sources, also those without an extension, as CUDA's <cuda/barrier>.
/// @param folders where headers are, with all that is below, from the root
/// @param searched where an include is looked for besides the including file's folder, from the root
std::vector<std::string> include_circles(const std::filesystem::path& root,
                                         const std::vector<std::filesystem::path>& folders,
                                         const std::vector<std::filesystem::path>& searched);

/// Rooms without a CMakeLists.txt, or without a README.md of 8 to 25 lines.
std::vector<std::string> undescribed_rooms(const std::filesystem::path& root, const std::vector<Room>& rooms);

/// Files that the README.md of a room does not name, of rooms whose README.md lists files in a table.
/// X_part.cpp, which has no header, is named by X.
std::vector<std::string> unlisted_files(const std::filesystem::path& root, const std::vector<Room>& rooms);

/// Types that a header defines at namespace scope without a doc comment above. A specialisation needs none:
/// its template has one.
std::vector<std::string> undocumented_types(const std::filesystem::path& root,
                                            const std::vector<Room>& rooms);
/// Those that the text of one header defines, by name.
std::vector<std::string> undocumented_types_in(const std::string& text);

/// What headers declare, by qualified name ("warplab::report::escaped"), with the headers that do.
struct Declarations {
  std::set<std::string> namespaces;
  std::map<std::string, std::set<std::filesystem::path>> functions;  ///< at namespace scope
  std::map<std::string, std::set<std::filesystem::path>> classes;    ///< defined with a body
};
Declarations declarations_in(const std::filesystem::path& root, const std::vector<Room>& rooms);
/// Adds what the text of one header declares.
void add_declarations(const std::string& text, const std::filesystem::path& header, Declarations& to);

/// A function with external linkage that a source defines.
struct Definition {
  std::filesystem::path source;  ///< from the tree's root
  std::string name;              ///< "warplab::Page::text"
};
std::vector<Definition> definitions_in(const std::filesystem::path& root, const std::vector<Room>& rooms);
/// Adds what the text of one source defines outside classes and unnamed namespaces.
void add_definitions(const std::string& text, const std::filesystem::path& source,
                     std::vector<Definition>& to);

/// Functions that a header declares and a source defines whose name does not begin with the header's:
/// X.cpp and X_part.cpp define what X.hpp declares.
std::vector<std::string> misplaced_definitions(const std::vector<Definition>& definitions,
                                               const Declarations& declarations);

}  // namespace warplab::house
