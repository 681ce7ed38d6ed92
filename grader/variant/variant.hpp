#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/course/course.hpp"
#include "grader/course/secret.hpp"
#include "grader/variant/edits.hpp"

namespace warplab {

/// One of the ways in which a lab can differ.
struct VariantChoice {
  std::string name;                            ///< "left"
  std::string what;                            ///< "out[cols - 1 - c][r] = in[r][c]"
  std::vector<Edit> edits;                     ///< none: the lab as it is published
  std::map<std::string, std::string> renames;  ///< names, such as of launchers, and what they become
};

/// Something about a lab that can be chosen, whatever else is.
struct VariantAxis {
  std::string name;  ///< "direction"
  std::vector<VariantChoice> choices;
};

/// What `variants/variants.json` in a lab's folder offers; nothing where there is no such file:
///
///     {"lab": "transpose",
///      "axes": [{"axis": "direction",
///                "choices": [{"choice": "left", "what": "out[cols - 1 - c][r] = in[r][c]"},
///                            {"choice": "published", "what": "out[c][r] = in[r][c]"}]}]}
///
/// The edits of `left` are in `variants/direction_left.diff`; `published` has none. A choice may also have
/// `"renames": {"transpose_naive": "turn_singly"}`.
/// @throws BadInput naming the file, and the line of a diff, of what is missing, unknown or twice, for an
/// edit of a file that is not the lab's, and for a lab without an axis that always changes it
std::vector<VariantAxis> variants_of(const std::filesystem::path& root, const Lab& lab);

/// A lab's choice on an axis.
struct Chosen {
  std::string lab, axis, choice;
};

/// Choices on all axes of the course's labs, drawn by the secret.
/// @param fixed choices that are not drawn: "transpose/direction=left"
/// @throws BadInput as variants_of(), and for a fixed choice that does not exist, with the nearest name
std::vector<Chosen> chosen_by(const Course& course, const Secret& secret,
                              const std::vector<std::string>& fixed = {});

/// The files that the choices change, by their places in the tree, as they become: first all edits are made,
/// then all names changed, in every file of the lab but its adapter. There the build's names of launchers
/// arrive, and an edit maps them to the new ones.
/// @throws BadInput naming the diff's line and the file where an edit does not fit
std::map<std::string, std::string> changed_files(const Course& course, const std::vector<Chosen>& chosen);

/// How many files were written, and how many of them differ from the tree's.
struct VariantReport {
  std::size_t files = 0, changed = 0;
};

/// Writes the whole course tree with the choices made, without the folders `variants` of their labs. It is
/// whole or absent.
/// @param out a folder that is not there yet
/// @throws BadInput if it is there, or as changed_files()
VariantReport make_variant(const Course& course, const std::vector<Chosen>& chosen,
                           const std::filesystem::path& out);

}  // namespace warplab
