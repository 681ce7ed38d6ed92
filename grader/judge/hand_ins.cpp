#include "grader/judge/hand_ins.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace warplab {
namespace {

std::map<std::string, double> points_by_lab(const SubmissionRecord& record) {
  std::map<std::string, double> points;
  for (const TaskRecord& task : record.tasks) points[task.lab] += task.score;
  return points;
}

/// Replaces the tasks of a lab by those of another record.
void take_lab(const std::string& lab, const SubmissionRecord& from, SubmissionRecord& record) {
  for (TaskRecord& task : record.tasks)
    if (task.lab == lab)
      for (const TaskRecord& other : from.tasks)
        if (other.lab == lab && other.id == task.id) task = other;
}

}  // namespace

std::vector<SubmissionRecord> hand_ins_of(const SubmissionRecord& record) {
  std::vector<SubmissionRecord> all = record.earlier;
  all.push_back(record);
  all.back().earlier.clear();
  return all;
}

SubmissionRecord record_of(std::vector<SubmissionRecord> hand_ins) {
  SubmissionRecord last = std::move(hand_ins.back());
  hand_ins.pop_back();
  last.earlier = std::move(hand_ins);
  return last;
}

SubmissionRecord best_of(const SubmissionRecord& record) {
  std::vector<SubmissionRecord> last_first = hand_ins_of(record);
  std::reverse(last_first.begin(), last_first.end());
  SubmissionRecord best = *std::ranges::max_element(last_first, {}, &SubmissionRecord::score);
  std::map<std::string, const SubmissionRecord*> sources;
  std::map<std::string, double> most;
  for (const SubmissionRecord& one : last_first)
    for (const auto& [lab, points] : points_by_lab(one)) {
      const auto [known, is_new] = most.emplace(lab, points);
      if (is_new || points > known->second + 1e-9) known->second = points, sources[lab] = &one;
    }
  for (const auto& [lab, source] : sources) {
    take_lab(lab, *source, best);
    if (source != &last_first.front())
      best.notes.push_back(lab + " counts as it was handed in before, when it had more points");
  }
  return best;
}

}  // namespace warplab
