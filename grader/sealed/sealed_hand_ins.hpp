#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/predict/sealed_answers.hpp"

namespace warplab {

/// A file of sealed answers in a submission, or what may have been one.
struct SealedHandIn {
  std::string entry;                     ///< the submission's name as handed in, printable: "jdoe.zip"
  std::string place;                     ///< "jdoe.zip/predictions/transpose.json"
  std::optional<SealedAnswers> answers;  ///< or none
  std::string problem;                   ///< why there are none; or ""
};

/// What a class handed in.
struct SealedHandIns {
  std::vector<SealedHandIn> all;     ///< at least one per entry, in the order of entries
  std::vector<std::string> remarks;  ///< sentences on files that could not be read
};

/// Finds the sealed answers of one kind in a folder that has an entry per student: a folder, an archive or a
/// file. Entries are read as read_files() does, so none of them ends it. Of files with equal answers in one
/// entry the first is taken.
/// @throws BadInput if the folder cannot be read, or no entry has sealed answers
SealedHandIns sealed_hand_ins(const std::filesystem::path& folder, SealedKind kind);

}  // namespace warplab
