#include "grader/variant/edits.hpp"

#include <fmt/format.h>

#include <regex>

#include "common/host/bad_input.hpp"
#include "grader/text/text_lines.hpp"

namespace warplab {
namespace {

/// Reads a diff line by line.
class DiffReader {
 public:
  DiffReader(std::string_view diff, const std::string& name) : lines_(lines_of(diff)), name_(name) {}

  std::vector<Edit> read() {
    while (at_ < lines_.size()) {
      const std::string_view line = lines_[at_];
      if (line.starts_with("--- "))
        read_names();
      else if (line.starts_with("@@ "))
        read_hunk();
      else if (file_.empty() || line.starts_with("diff --git ") || line.starts_with("index ") || line.empty())
        ++at_;
      else
        fail(fmt::format("'{}' belongs to no hunk", line));
    }
    if (edits_.empty()) throw BadInput(name_ + " changes nothing: it has no hunk");
    return std::move(edits_);
  }

 private:
  std::string place() const { return fmt::format("{}:{}", name_, at_ + 1); }
  [[noreturn]] void fail(const std::string& what) const { throw BadInput(place() + ": " + what); }

  /// The two lines before a file's hunks.
  void read_names() {
    const std::string_view before = lines_[at_];
    const std::string_view after = at_ + 1 < lines_.size() ? lines_[at_ + 1] : "";
    if (!before.starts_with("--- a/") || !after.starts_with("+++ b/") || before.substr(6) != after.substr(6))
      fail("a variant changes files that are there: '--- a/FILE', then '+++ b/FILE' with the same name");
    file_ = before.substr(6);
    if (file_.starts_with('/') || ("/" + file_ + "/").find("/../") != std::string::npos)
      fail("'" + file_ + "' is not a file of the tree");
    at_ += 2;
  }

  void read_hunk() {
    static const std::regex head(R"(@@ -\d+(?:,(\d{1,6}))? \+\d+(?:,(\d{1,6}))? @@.*)");
    const std::string line(lines_[at_]);
    std::smatch part;
    if (!std::regex_match(line, part, head)) fail("'" + line + "' does not begin a hunk");
    if (file_.empty()) fail("a hunk before the name of its file");
    const auto count = [&](int i) { return part[i].matched ? std::stoi(part[i]) : 1; };
    int before = count(1), after = count(2);
    Edit edit{file_, place(), "", ""};
    for (++at_; before > 0 || after > 0; ++at_) {
      if (at_ == lines_.size()) fail("the diff ends within a hunk");
      const char mark = lines_[at_].empty() ? ' ' : lines_[at_].front();  // editors cut blanks at the end
      const std::string text = std::string(lines_[at_].substr(lines_[at_].empty() ? 0 : 1)) + '\n';
      if ((mark != ' ' && mark != '-' && mark != '+') || (mark != '+' && before == 0) ||
          (mark != '-' && after == 0))
        fail("the hunk has more or fewer lines than its first line counts");
      if (mark != '+') edit.of += text, --before;
      if (mark != '-') edit.becomes += text, --after;
    }
    if (edit.of.empty()) throw BadInput(edit.place + ": a hunk needs a line of the file, to find its place");
    if (edit.of == edit.becomes) throw BadInput(edit.place + ": the hunk changes nothing");
    edits_.push_back(std::move(edit));
  }

  std::vector<std::string_view> lines_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::string file_;
  std::vector<Edit> edits_;
};

/// Where a text has some whole lines.
std::vector<std::size_t> places_of(const std::string& text, const std::string& lines) {
  std::vector<std::size_t> places;
  for (std::size_t at = text.find(lines); at != std::string::npos; at = text.find(lines, at + 1))
    if (at == 0 || text[at - 1] == '\n') places.push_back(at);
  return places;
}

}  // namespace

std::vector<Edit> edits_of(std::string_view diff, const std::string& name) {
  return DiffReader(diff, name).read();
}

std::string with_edit(std::string text, const Edit& edit) {
  const std::vector<std::size_t> places = places_of(text, edit.of);
  if (places.size() != 1)
    throw BadInput(fmt::format("{}: {} has these lines {} times, not once: {}", edit.place, edit.file,
                               places.size(), trimmed(lines_of(edit.of).front())));
  return text.replace(places.front(), edit.of.size(), edit.becomes);
}

}  // namespace warplab
