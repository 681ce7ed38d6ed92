#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/people/matching.hpp"
#include "grader/sealed/sealed_hand_ins.hpp"
#include "grader/sealed/seals.hpp"

namespace warplab {

/// What a file of sealed answers is worth, whoever it is from.
struct SealedWorth {
  std::string lab;  ///< "transpose"; "" where there is no such lab, or nothing to ask about it
  double points = 0, most = 0;
  std::string remark;  ///< for the student; or ""
};
using WorthOfSealed = std::function<SealedWorth(const SealedAnswers&)>;

/// What one file gives, and whom.
struct SealedMark {
  std::string entry;                  ///< as handed in
  std::string student;                ///< the login; "" without a roster, or where the entry fits nobody
  std::string name, given_lab, seal;  ///< as the file has them; "" for a file that cannot be read
  SealedWorth worth;
  std::string refusal;              ///< why it gives nothing: its seal, or what is wrong with it; or ""
  std::vector<std::string> doubts;  ///< for a person to look at; students do not see them
};

/// Marks each file, and compares them. In doubt is a file whose name is not that of the entry's student, and
/// one whose name or student has other answers for the lab in another file.
/// @param seals those that were handed in, or null: any counts
/// @param matcher who an entry is from, or null
/// @throws BadInput for an entry that fits two students, before anything is marked
std::vector<SealedMark> marks_of_sealed(const std::vector<SealedHandIn>& hand_ins,
                                        const WorthOfSealed& worth_of, const Seals* seals,
                                        const Matcher* matcher);

/// A row per file: entry, student, name, lab, points, of, seal, remarks.
std::string table_of(const std::vector<SealedMark>& marks);

/// The same for the class's written.csv: a row per student and lab. Of several files the first counts that is
/// not refused. A row that is in doubt has no points yet.
std::string written_rows_of(const std::vector<SealedMark>& marks, SealedKind kind);

}  // namespace warplab
