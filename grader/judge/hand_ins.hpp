#pragma once

#include <vector>

#include "grader/judge/record.hpp"

namespace warplab {

/// What was handed in under one name, one record each and none with `earlier`: the last one last.
std::vector<SubmissionRecord> hand_ins_of(const SubmissionRecord& record);

/// The reverse: the last record, with those before it as `earlier`. @pre there is one
SubmissionRecord record_of(std::vector<SubmissionRecord> hand_ins);

/// What an entry has earned where no class has rules for it: of each lab the tasks of the hand-in with most
/// points, of equal ones the last. A note names each lab that is not of the last hand-in.
SubmissionRecord best_of(const SubmissionRecord& record);

}  // namespace warplab
