#include "grader/term/instant.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "common/host/bad_input.hpp"

namespace warplab {
namespace {

using std::chrono::days;
using std::chrono::minutes;
using std::chrono::seconds;

/// The offset of "+0100" or "+01:00"; nothing for what is not one.
std::optional<minutes> offset_of(const std::string& text) {
  if (text == "Z" || text == "UTC" || text == "GMT") return minutes(0);
  static const std::regex form(R"(([+-])([01]\d):?([0-5]\d))");
  std::smatch part;
  if (!std::regex_match(text, part, form)) return {};
  const minutes size(std::stoi(part[2]) * 60 + std::stoi(part[3]));
  return part[1] == "-" ? -size : size;
}

/// The C library's idea of where it is, until it is destroyed. There is one per process.
class LocalZone {
 public:
  explicit LocalZone(const std::string& name) {
    if (const char* const before = getenv("TZ")) before_ = before;
    setenv("TZ", (":" + name).c_str(), 1);
    tzset();
  }
  ~LocalZone() {
    if (before_)
      setenv("TZ", before_->c_str(), 1);
    else
      unsetenv("TZ");
    tzset();
  }
  LocalZone(const LocalZone&) = delete;

 private:
  std::optional<std::string> before_;
};

std::string zone_folder() {
  const char* const folder = getenv("TZDIR");
  return folder ? folder : "/usr/share/zoneinfo";
}

/// The moment of a time as the C library finds it with or without summer time, if clocks show it then.
std::optional<Instant> moment_of(const tm& local, int summer) {
  tm asked = local;
  asked.tm_isdst = summer;
  const time_t found = mktime(&asked);
  tm shown = {};
  if (!localtime_r(&found, &shown)) return {};
  const bool same = shown.tm_year == local.tm_year && shown.tm_mon == local.tm_mon &&
                    shown.tm_mday == local.tm_mday && shown.tm_hour == local.tm_hour &&
                    shown.tm_min == local.tm_min && shown.tm_sec == local.tm_sec;
  if (!same) return {};
  return Instant(seconds(found));
}

/// "2027-03-01 23:59:30"
std::string shown(Instant local) {
  const auto day = std::chrono::floor<days>(local);
  const std::chrono::year_month_day date(day);
  const auto time = static_cast<int>((local - day).count());
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), time / 3600,
                     time / 60 % 60, time % 60);
}

}  // namespace

TimeZone::TimeZone(const std::string& name) : name_(name), offset_(offset_of(name)) {
  static const std::regex form(R"([A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*)");
  const bool is_name = name.size() < 60 && std::regex_match(name, form);
  std::error_code error;
  if (!offset_ && (!is_name || !std::filesystem::is_regular_file(zone_folder() + "/" + name, error)))
    throw BadInput(
        fmt::format("unknown time zone '{}'; it takes UTC, +01:00, or a name such as Europe/Berlin "
                    "that {} has",
                    name, zone_folder()));
}

Instant TimeZone::at(std::chrono::year_month_day day, seconds time, Twice twice) const {
  const Instant local = std::chrono::sys_days(day) + time;
  if (offset_) return local - *offset_;
  tm fields = {};
  fields.tm_year = static_cast<int>(day.year()) - 1900;
  fields.tm_mon = static_cast<int>(static_cast<unsigned>(day.month())) - 1;
  fields.tm_mday = static_cast<int>(static_cast<unsigned>(day.day()));
  const auto of_day = static_cast<int>(time.count());
  fields.tm_hour = of_day / 3600, fields.tm_min = of_day / 60 % 60, fields.tm_sec = of_day % 60;
  const LocalZone zone(name_);
  const auto winter = moment_of(fields, 0), summer = moment_of(fields, 1);
  if (!winter && !summer) throw BadInput(fmt::format("never comes in {}, where clocks go forward", name_));
  if (winter && summer && twice == Twice::take_first) return std::min(*winter, *summer);
  if (winter && summer && *winter != *summer)
    throw BadInput(
        fmt::format("comes twice in {}, where clocks go back; add the offset, such as +01:00", name_));
  return winter ? *winter : *summer;
}

seconds TimeZone::offset_at(Instant instant) const {
  if (offset_) return *offset_;
  const LocalZone zone(name_);
  const time_t moment = instant.time_since_epoch().count();
  tm local = {};
  localtime_r(&moment, &local);
  return seconds(local.tm_gmtoff);
}

std::string TimeZone::text(Instant instant) const {
  std::string text = shown(instant + offset_at(instant));
  if (text.ends_with(":00")) text.resize(text.size() - 3);
  return text;
}

std::string TimeZone::text_with_offset(Instant instant) const {
  const seconds offset = offset_at(instant);
  const auto size = std::chrono::abs(std::chrono::duration_cast<minutes>(offset)).count();
  return fmt::format("{} {}{:02}{:02}", shown(instant + offset), offset < seconds(0) ? '-' : '+', size / 60,
                     size % 60);
}

Instant parse_instant(const std::string& text, const TimeZone& zone, TimeZone::Twice twice) {
  static const std::regex form(
      R"((\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?: ?(Z|UTC|[+-]\d\d:?\d\d))?)?)");
  std::smatch part;
  if (text.size() > 60 || !std::regex_match(text, part, form))
    throw BadInput("is not a time; it takes 2027-03-01, 2027-03-01 18:00 or 2027-03-01 18:00 +0100");
  const std::chrono::year_month_day day(std::chrono::year(std::stoi(part[1])),
                                        std::chrono::month(static_cast<unsigned>(std::stoi(part[2]))),
                                        std::chrono::day(static_cast<unsigned>(std::stoi(part[3]))));
  if (!day.ok()) throw BadInput("is not a day of the calendar");
  const auto number = [&](std::size_t i, int fallback) {
    return part[i].matched ? std::stoi(part[i]) : fallback;
  };
  const int hour = number(4, 23), minute = number(5, 59), second = number(6, 0);
  if (hour > 23 || minute > 59 || second > 59) throw BadInput("is not a time of the day");
  const seconds time(hour * 3600 + minute * 60 + second);
  if (part[7].matched) {
    if (!offset_of(part[7])) throw BadInput(fmt::format("has the unknown offset '{}'", part[7].str()));
    return TimeZone(part[7]).at(day, time);
  }
  return zone.at(day, time, twice);
}

Instant parse_last_instant(const std::string& text, const TimeZone& zone) {
  const Instant read = parse_instant(text, zone);
  return read.time_since_epoch() % minutes(1) == seconds(0) ? read + seconds(59) : read;
}

}  // namespace warplab
