#include "grader/people/entry_name.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <span>
#include <string_view>

#include "grader/people/plain_words.hpp"

namespace warplab {
namespace {

std::uint64_t whole_number(std::string_view digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

/// "Jane Doe_4711_assignsubmission_file_": who it is from, a number, a kind in small letters.
bool read_moodle(std::string_view name, EntryName& read) {
  for (std::size_t at = name.find("_assign", 1); at != std::string_view::npos;
       at = name.find("_assign", at + 1)) {
    std::string_view kind;
    for (const std::string_view word : {"_assignsubmission_", "_assignfeedback_"})
      if (name.substr(at).starts_with(word)) kind = name.substr(at + word.size());
    if (kind.empty() || kind[0] < 'a' || kind[0] > 'z') continue;
    const std::size_t before = name.find_last_not_of("0123456789", at - 1);
    if (before == std::string_view::npos || before == 0 || before + 1 == at || name[before] != '_') continue;
    read.platform = EntryName::Platform::moodle;
    read.who = name.substr(0, before), read.number = name.substr(before + 1, at - before - 1);
    return true;
  }
  return false;
}

/// Whether "2027-03-01-23-14-05" can be a time.
bool is_time(std::string_view time) {
  constexpr std::string_view shape = "0000-00-00-00-00-00";
  if (!has_shape(time, shape)) return false;
  const auto field = [&](std::size_t at) { return static_cast<unsigned>(whole_number(time.substr(at, 2))); };
  const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(whole_number(time.substr(0, 4)))),
                                        std::chrono::month(field(5)), std::chrono::day(field(8))};
  return day.ok() && field(11) < 24 && field(14) < 60 && field(17) < 60;
}

/// "Lab 7_jdoe_attempt_2027-03-01-23-14-05_x"
bool read_blackboard(std::string_view name, EntryName& read) {
  constexpr std::string_view mark = "_attempt_", shape = "0000-00-00-00-00-00";
  for (std::size_t at = name.find(mark, 1); at != std::string_view::npos; at = name.find(mark, at + 1)) {
    const std::string_view time = name.substr(at + mark.size()).substr(0, shape.size()),
                           rest = name.substr(at + mark.size() + time.size());
    if (!is_time(time) || !(rest.empty() || rest[0] == '_' || rest[0] == '.')) continue;
    read.platform = EntryName::Platform::blackboard;
    read.who = name.substr(0, at);
    read.submitted = time.substr(0, 10);
    read.submitted.append(" ").append(time.substr(11, 2));
    read.submitted.append(":").append(time.substr(14, 2)).append(":").append(time.substr(17, 2));
    return true;
  }
  return false;
}

/// "doejane_LATE_98765_1234567_x": the first place where two numbers follow.
bool read_canvas(std::string_view name, EntryName& read) {
  constexpr std::string_view late = "LATE_";
  if (name.empty() || name[0] == '_') return false;
  for (std::size_t at = name.find('_', 1); at != std::string_view::npos; at = name.find('_', at + 1)) {
    std::string_view rest = name.substr(at + 1);
    const bool is_late = rest.starts_with(late);
    if (is_late) rest.remove_prefix(late.size());
    const std::string_view user = leading_digits(rest);
    rest.remove_prefix(user.size());
    if (user.empty() || !rest.starts_with('_')) continue;
    const std::string_view file = leading_digits(rest.substr(1));
    rest.remove_prefix(1 + file.size());
    if (file.empty() || !rest.starts_with('_') || rest.size() == 1) continue;
    read.platform = EntryName::Platform::canvas;
    read.who = name.substr(0, at), read.late = is_late, read.number = user, read.order = whole_number(file);
    return true;
  }
  return false;
}

/// Canvas makes names small letters and digits. So "Lab_1_2_jdoe_attempt_..." is Blackboard's.
bool is_as_canvas_writes(std::string_view who) {
  return std::none_of(who.begin(), who.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == ' '; });
}

bool read_gradescope(std::string_view name, EntryName& read) {
  constexpr std::string_view before = "submission_";
  if (!name.starts_with(before)) return false;
  const std::string_view number = name.substr(before.size());
  if (number.empty() || leading_digits(number).size() != number.size()) return false;
  read.platform = EntryName::Platform::gradescope;
  read.number = number, read.order = whole_number(number);
  return true;
}

constexpr std::string_view archive_endings[] = {".tar.gz", ".tar.xz", ".tar.zst", ".tar.bz2", ".zip",
                                                ".tar",    ".tgz",    ".txz",     ".tzst",    ".tbz2"};
/// Those of a repository, and of an archive that a browser numbered: "work.tar(1).gz".
constexpr std::string_view other_endings[] = {".git", ".gz"};

/// The size of the ending that a name has, in whatever case, with something before it; 0 for none.
std::size_t size_of_ending(const std::string& name, std::span<const std::string_view> endings) {
  const std::string lower = lower_case(name);
  for (const std::string_view ending : endings)
    if (lower.ends_with(ending) && lower.size() > ending.size()) return ending.size();
  return 0;
}

}  // namespace

EntryName entry_name(const std::string& name) {
  EntryName read;
  read.who = name;
  if (read_gradescope(name, read)) return read;
  // What the student chose comes last, and may look like any platform's mark: the first one decides. Each of
  // these goes over the name once or twice, whatever it is.
  for (const auto reader : {read_canvas, read_moodle, read_blackboard}) {
    EntryName other;
    if (!reader(name, other)) continue;
    const bool is_first = other.who.size() < read.who.size();
    if (is_first || (read.platform == EntryName::Platform::canvas && !is_as_canvas_writes(read.who)))
      read = std::move(other);
  }
  return read;
}

bool is_archive_name(const std::string& name) { return size_of_ending(name, archive_endings) > 0; }

std::string without_archive_ending(const std::string& name) {
  if (const std::size_t size = size_of_ending(name, archive_endings))
    return name.substr(0, name.size() - size);
  return name.substr(0, name.size() - size_of_ending(name, other_endings));
}

std::string without_version(const std::string& name) {
  std::string_view rest = name;
  const auto take = [&](std::string_view one_of) {
    if (rest.empty() || one_of.find(rest.back()) == std::string_view::npos) return false;
    rest.remove_suffix(1);
    return true;
  };
  const bool in_brackets = take(")");
  std::size_t digits = 0;
  while (digits < 4 && take("0123456789")) ++digits;
  if (digits == 0 || digits > 3 || !take(in_brackets ? "(" : "-_ ")) return name;
  if (in_brackets) take(" ");
  const bool is_version =
      !rest.empty() && std::string_view("-_ ").find(rest.back()) == std::string_view::npos;
  return is_version ? std::string(rest) : name;
}

bool is_platform_receipt(const std::string& file) {
  constexpr std::string_view blackboard = "_attempt_0000-00-00-00-00-00.txt";
  return file == "submission_metadata.yml" ||
         (file.size() > blackboard.size() &&
          has_shape(std::string_view(file).substr(file.size() - blackboard.size()), blackboard));
}

}  // namespace warplab
