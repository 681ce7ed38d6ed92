#include "grader/people/entry_name.hpp"

#include <array>
#include <charconv>
#include <regex>
#include <string_view>

#include "grader/people/plain_words.hpp"

namespace warplab {
namespace {

std::uint64_t whole_number(const std::string& digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

}  // namespace

EntryName entry_name(const std::string& name) {
  static const std::regex moodle(R"((.+)_(\d+)_assign(?:submission|feedback)_[a-z]+_?.*)");
  static const std::regex blackboard(R"((.+)_attempt_(\d{4}-\d\d-\d\d)-(\d\d)-(\d\d)-(\d\d)(?:[_.].*)?)");
  static const std::regex canvas(R"(([^_].*?)_(LATE_)?(\d+)_(\d+)_.+)");
  static const std::regex gradescope(R"(submission_(\d+))");
  std::smatch part;
  EntryName read;
  read.who = name;
  if (name.size() > 400) return read;  // std::regex recurses
  if (std::regex_match(name, part, moodle)) {
    read.platform = EntryName::Platform::moodle;
    read.who = part[1], read.number = part[2];
  } else if (std::regex_match(name, part, blackboard)) {
    read.platform = EntryName::Platform::blackboard;
    read.who = part[1];
    read.submitted = part[2].str() + " " + part[3].str() + ":" + part[4].str() + ":" + part[5].str();
  } else if (std::regex_match(name, part, gradescope)) {
    read.platform = EntryName::Platform::gradescope;
    read.number = part[1], read.order = whole_number(part[1]);
  } else if (std::regex_match(name, part, canvas)) {
    read.platform = EntryName::Platform::canvas;
    read.who = part[1], read.late = part[2].matched, read.number = part[3];
    read.order = whole_number(part[4]);
  }
  return read;
}

std::string without_archive_ending(const std::string& name) {
  constexpr std::array<std::string_view, 11> endings = {
      ".tar.gz", ".tar.xz", ".tar.zst", ".tar.bz2", ".zip", ".tar", ".tgz", ".txz", ".tzst", ".gz", ".git"};
  const std::string lower = lower_case(name);
  for (const std::string_view ending : endings)
    if (lower.ends_with(ending) && lower.size() > ending.size())
      return name.substr(0, name.size() - ending.size());
  return name;
}

std::string without_version(const std::string& name) {
  static const std::regex version(R"((.*[^-_ ])(?:[-_ ]\d{1,3}| ?\(\d{1,3}\)))");
  std::smatch part;
  return name.size() < 400 && std::regex_match(name, part, version) ? part[1].str() : name;
}

bool is_platform_receipt(const std::string& file) {
  static const std::regex blackboard(R"(.+_attempt_\d{4}(?:-\d\d){5}\.txt)");
  return file == "submission_metadata.yml" || (file.size() < 400 && std::regex_match(file, blackboard));
}

}  // namespace warplab
