#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/viva/task_record.hpp"

namespace warplab {

/// A question about a line of a student's file, and what the record answers.
struct VivaQuestion {
  enum class Kind { sectors, bank, wavefronts, lanes, requests, divergence, grid, occupancy, barrier, guard };
  Kind kind = Kind::sectors;
  std::string task;  ///< "transpose/tiled"
  std::string file;
  int line = 0;        ///< 0 where it is about the launch
  std::string source;  ///< the line's text
  std::string input;   ///< what ran: "512x256 int"
  std::string text;
  std::string answer;        ///< computed; "" of a what-if that was not run yet
  std::string then_ask;      ///< what shows whether a student understands the answer
  std::string changed = {};  ///< of a what-if: the file without the part
  bool telling = true;       ///< about something that is not as cheap as it could be, or has an effect
};

/// "sectors", "what if a barrier goes": the kind as people read it.
const char* name_of(VivaQuestion::Kind kind);

/// All questions that a record answers by itself, in the order of its launches and lines.
/// @param draw chooses a lane where any would do: the same number, the same lanes
std::vector<VivaQuestion> record_questions(const RecordedTask& record, std::uint64_t draw);

/// Questions on what goes wrong without a barrier or a guard that the record came to. What answers them is
/// `changed`, judged: see viva.hpp.
std::vector<VivaQuestion> what_if_questions(const RecordedTask& record);

}  // namespace warplab
