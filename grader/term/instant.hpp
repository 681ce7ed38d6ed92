#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace warplab {

/// A moment, to the second.
using Instant = std::chrono::sys_seconds;

/// The rules by which a place sets its clocks.
class TimeZone {
 public:
  /// @param name "UTC", an offset such as "+01:00", or a name of the tz database such as "Europe/Berlin"
  /// @throws BadInput, the rest of a sentence, if this machine does not know it
  explicit TimeZone(const std::string& name = "UTC");

  const std::string& name() const { return name_; }
  /// What to do about a time that clocks show twice, when they go back.
  enum class Twice { refuse, take_first };
  /// The moment at which clocks there show a date and time.
  /// @throws BadInput, the rest of a sentence, if they never do, or do twice and that is refused
  Instant at(std::chrono::year_month_day day, std::chrono::seconds time, Twice twice = Twice::refuse) const;
  /// "2027-03-01 23:59", with ":30" after it if seconds matter.
  std::string text(Instant instant) const;
  /// "2027-03-01 23:59:00 +0100"
  std::string text_with_offset(Instant instant) const;

 private:
  std::chrono::seconds offset_at(Instant instant) const;

  std::string name_;
  std::optional<std::chrono::minutes> offset_;  ///< of a zone that never changes its clocks
};

/// Reads "2027-03-01", which is its last minute, "2027-03-01 18:00", "2027-03-01T18:00:30", each with or
/// without "Z", "UTC", "+0100" or "+01:00" after it.
/// @param zone of a time that has none of its own
/// @throws BadInput, the rest of a sentence: "is not a time; ..."
Instant parse_instant(const std::string& text, const TimeZone& zone,
                      TimeZone::Twice twice = TimeZone::Twice::refuse);

/// As parse_instant(), for a time until which something counts: its minute belongs to it, as with deadlines.
Instant parse_last_instant(const std::string& text, const TimeZone& zone);

}  // namespace warplab
