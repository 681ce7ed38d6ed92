#include "grader/marks/late_days.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grader/text/report_text.hpp"

namespace warplab {

Lateness lateness_of(std::optional<Instant> submitted, std::optional<Instant> deadline, unsigned days_left,
                     const Term& term) {
  Lateness late;
  if (!submitted || !deadline) return late;
  const auto end = *deadline + std::chrono::minutes(term.late.grace_minutes);
  // A deadline of 23:59 is the end of that minute.
  const bool whole_minute = deadline->time_since_epoch().count() % 60 == 0;
  const auto beyond = *submitted - end - std::chrono::seconds(whole_minute ? 59 : 0);
  if (beyond <= std::chrono::seconds(0)) return late;
  late.days = static_cast<unsigned>((beyond.count() - 1) / 86400) + 1;
  if (term.policy == Policy::best_before_deadline || (term.late.latest && late.days > *term.late.latest)) {
    late.is_too_late = true;
    late.kept = 0;
    return late;
  }
  late.free_days = std::min(late.days, days_left);
  late.penalised = late.days - late.free_days;
  late.kept = std::max(0.0, 1 - term.late.percent_per_day * late.penalised / 100);
  return late;
}

std::string words_for(const Lateness& late) {
  if (late.days == 0) return "";
  std::string words = counted(late.days, "day") + " late";
  if (late.is_too_late) return words + ", which is too late to count";
  if (late.free_days) words += fmt::format(", {} used", counted(late.free_days, "late day"));
  if (late.kept < 1) words += fmt::format(", {:g} % off", 100 * (1 - late.kept));
  return words;
}

}  // namespace warplab
