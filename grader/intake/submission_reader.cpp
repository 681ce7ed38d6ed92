#include "grader/intake/submission_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "common/host/bad_input.hpp"
#include "grader/people/entry_name.hpp"
#include "grader/text/printable.hpp"

namespace warplab {
namespace {

/// Whether a name is that of an archive of a kind that is not read.
bool is_other_archive_name(const std::string& name) {
  const std::string lower = in_lower_case(name);
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{".7z", ".rar", ".tar.lz", ".tar.lzma", ".tar.z"},
      [&](std::string_view ending) { return lower.ends_with(ending); });
}

std::string mebibytes(std::uint64_t bytes) {
  return bytes >> 20 ? fmt::format("{} MiB", bytes >> 20) : fmt::format("{} bytes", bytes);
}

/// A file's name in lower case, without what browsers and learning platforms add to it: "a (1).cu", "A.CU".
std::string plain_name(const std::string& name) {
  std::string plain = in_lower_case(name);
  const std::size_t dot = plain.rfind('.'), open = plain.rfind('(', dot);
  if (dot == std::string::npos || open == std::string::npos || dot < 2 || plain[dot - 1] != ')') return plain;
  const std::string number = plain.substr(open + 1, dot - open - 2);
  if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) return plain;
  std::string stem = plain.substr(0, open);
  stem.erase(stem.find_last_not_of(' ') + 1);
  return stem + plain.substr(dot);
}

/// The name that is asked for and meant by a file's; "" if none is.
std::string meant_name(const std::string& name, const std::set<std::string>& names) {
  if (names.contains(name)) return name;
  const std::string plain = plain_name(name);
  for (const std::string& known : names) {
    if (in_lower_case(known) == plain) return known;
    if (known.starts_with('*') && plain.ends_with(known.substr(1))) return name;
  }
  return "";
}

}  // namespace

std::string in_lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return text;
}

bool is_junk(const std::string& name) {
  return name == "__MACOSX" || name == ".git" || name == ".gitignore" || name == ".DS_Store" ||
         name == "Thumbs.db" || name == "desktop.ini" || name.starts_with("._");
}

std::string path_text(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& component : path) text += (text.empty() ? "" : "/") + shown_line(component, 80);
  return text;
}

std::string place_text(const SubmissionFile& file) {
  std::vector<std::string> path = file.path;
  if (!file.handed_in_as.empty()) path.back() = file.handed_in_as;
  std::string text = path_text(path);
  for (std::size_t i = file.archives.size(); i-- > 0;) text += " in " + file.archives[i];
  return text;
}

SubmissionReader::Use SubmissionReader::classify(std::string_view path, Kind kind, std::uint64_t bytes) {
  use_ = Use::skip;
  if (++entries_ > limits_.entries)
    throw BadInput(
        fmt::format("it holds more than {} files; hand in only the files of the tasks", limits_.entries));
  const auto skip = [&](const char* why) {
    note(fmt::format("{} was ignored: it {}", shown_line(path, 160), why));
    return Use::skip;
  };
  path_.clear();
  bool climbs = false;
  const bool absolute =
      (!path.empty() && (path[0] == '/' || path[0] == '\\')) || (path.size() > 1 && path[1] == ':');
  for (std::size_t i = 0; i <= path.size();) {
    const std::size_t end = std::min(path.find_first_of("/\\", i), path.size());
    const std::string_view component = path.substr(i, end - i);
    climbs |= component == "..";
    if (!component.empty() && component != ".") path_.emplace_back(component);
    i = end + 1;
  }
  if (path_.empty() || std::any_of(path_.begin(), path_.end(), is_junk)) return Use::skip;
  if (kind == Kind::folder && !climbs && !absolute) return Use::skip;
  if (absolute) return skip("has an absolute path");
  if (climbs) return skip("has a path that leaves its folder");
  if (kind == Kind::symbolic_link) return skip("is a symbolic link");
  if (kind == Kind::hard_link) return skip("is a hard link");
  if (kind == Kind::special) return skip("is a device, a pipe or a socket");
  const std::string meant = meant_name(path_.back(), names_);
  const bool wanted = !meant.empty();
  handed_in_as_.clear();
  if (wanted && meant != path_.back()) {
    note(fmt::format("{} was taken for {}: give it this name", shown_line(path, 160), meant));
    handed_in_as_ = std::exchange(path_.back(), meant);
  }
  if (!wanted && is_other_archive_name(path_.back()))
    return skip("is an archive that is not read; hand in a .zip or a .tar.gz");
  if (!wanted && !is_archive_name(plain_name(path_.back()))) return Use::skip;
  if (path_.size() > limits_.depth) return skip("lies too deep");
  use_ = wanted ? Use::file : Use::archive;
  if (bytes > max_bytes()) {
    use_ = Use::skip;
    return skip(
        fmt::format("is larger than {}", mebibytes(wanted ? limits_.file_bytes : limits_.archive_bytes))
            .c_str());
  }
  return use_;
}

std::uint64_t SubmissionReader::max_bytes() const {
  return use_ == Use::archive ? std::min(limits_.archive_bytes, limits_.kept_bytes) : limits_.file_bytes;
}

void SubmissionReader::keep(std::string content) {
  if (content.size() > max_bytes()) {
    note(fmt::format("{} was ignored: it is larger than {}", path_text(path_), mebibytes(max_bytes())));
    return;
  }
  kept_ += content.size();
  if (kept_ > limits_.kept_bytes)
    throw BadInput(
        fmt::format("its files of tasks and archives hold more than {}", mebibytes(limits_.kept_bytes)));
  (use_ == Use::archive ? archives : files).push_back({path_, std::move(content), handed_in_as_, within_});
}

void SubmissionReader::enter(const SubmissionFile& archive) {
  within_ = archive.archives;
  within_.push_back(path_text(archive.path));
}

void SubmissionReader::count_unpacked(std::uint64_t bytes, std::uint64_t unpacked_of_archive,
                                      std::uint64_t archive_bytes) {
  unpacked_ += bytes;
  if (unpacked_ > limits_.unpacked_bytes)
    throw BadInput(fmt::format("it unpacks to more than {}", mebibytes(limits_.unpacked_bytes)));
  if (unpacked_of_archive > limits_.free_bytes && unpacked_of_archive / limits_.ratio > archive_bytes)
    throw BadInput(fmt::format("it unpacks to more than {} times its size", limits_.ratio));
}

void SubmissionReader::note(const std::string& sentence) {
  if (std::find(notes_.begin(), notes_.end(), sentence) != notes_.end()) return;
  if (notes_.size() < limits_.notes)
    notes_.push_back(sentence);
  else
    ++unnoted_;
}

std::vector<std::string> SubmissionReader::notes() const {
  std::vector<std::string> all = notes_;
  if (unnoted_) all.push_back(fmt::format("and {} more of the kind", unnoted_));
  return all;
}

}  // namespace warplab
