#include "grader/new_lab/new_lab.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <set>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "grader/check/exercise_rules.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr int max_number = 99;

/// Words that a function or a target of the build cannot be called.
bool is_reserved(const std::string& name) {
  static const std::set<std::string> words = {
      // C++
      "alignas", "alignof", "and", "asm", "auto", "bool", "break", "case", "catch", "char", "class",
      "concept", "const", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete",
      "do", "double", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend",
      "goto", "if", "inline", "int", "long", "main", "mutable", "namespace", "new", "noexcept", "not",
      "nullptr", "operator", "or", "private", "protected", "public", "register", "requires", "return",
      "short", "signed", "sizeof", "static", "std", "struct", "switch", "template", "this", "throw", "true",
      "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile",
      "while", "xor",
      // CMake
      "all", "clean", "depend", "docs", "edit_cache", "exploits", "help", "install",
      "list_install_components", "package", "package_source", "rebuild_cache", "reference", "test",
      "warplab"};
  return words.contains(name) || name.starts_with("warplab_");
}

/// The stems and numbers that are taken.
struct Taken {
  std::set<std::string> stems;
  std::map<int, std::string> numbers;
};

Taken taken_in(const fs::path& root) {
  static const std::regex folder(R"((\d\d)_(\w+))");
  Taken taken;
  std::smatch found;
  for (const fs::directory_entry& entry : fs::directory_iterator(root / "labs"))
    if (const std::string name = entry.path().filename(); std::regex_match(name, found, folder)) {
      taken.stems.insert(found[2]);
      taken.numbers.emplace(std::stoi(found[1]), name);
    }
  return taken;
}

void check_name(const std::string& name, const Taken& taken) {
  static const std::regex fit("[a-z](_?[a-z0-9]+)*");
  if (name.size() < 2 || name.size() > 24 || !std::regex_match(name, fit))
    throw BadInput(
        "the name '" + name +
        "' cannot be a lab's: it takes 2 to 24 small letters, digits and single '_', a letter first");
  if (is_reserved(name)) throw BadInput("the name '" + name + "' is taken by the language or the build");
  if (taken.stems.contains(name)) throw BadInput("there is a lab called " + name + " already");
}

int number_of(const NewLab& lab, const Taken& taken) {
  if (lab.number == 0) {
    const int next = taken.numbers.empty() ? 1 : taken.numbers.rbegin()->first + 1;
    if (next > max_number) throw BadInput("the labs' numbers go up to 99; --number takes one that is free");
    return next;
  }
  if (lab.number < 1 || lab.number > max_number)
    throw BadInput(fmt::format("--number is {}; it takes 1 to {}", lab.number, max_number));
  if (const auto other = taken.numbers.find(lab.number); other != taken.numbers.end())
    throw BadInput(fmt::format("--number {} is that of {}", lab.number, other->second));
  return lab.number;
}

std::string title_of(const NewLab& lab) {
  std::string title = lab.title;
  if (title.empty()) {
    title = lab.name;
    std::ranges::replace(title, '_', ' ');
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  }
  if (title.size() > 60 || title.find_first_of("\"\\@|<>`\n\r\t") != std::string::npos)
    throw BadInput(
        "--title takes up to 60 characters in one line, without quotes and marks of code or Markdown");
  return title;
}

std::string filled(std::string text, const std::map<std::string, std::string>& words) {
  for (const auto& [mark, word] : words)
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += word.size())
      text.replace(at, mark.size(), word);
  return text;
}

/// Includes of a block in order, wherever the lab's name puts its header.
std::string with_sorted_includes(const std::string& text) {
  std::string sorted;
  std::vector<std::string> block;
  const auto flush = [&] {
    std::ranges::sort(block);
    for (const std::string& line : block) sorted += line;
    block.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    if (line.starts_with("#include \"")) {
      block.push_back(line);
    } else {
      flush();
      sorted += line;
    }
    at = end;
  }
  flush();
  return sorted;
}

/// "labs/folder/lab_problem.cpp.in" as it is called in a tree: "labs/13_scan/scan_problem.cpp".
fs::path place_of(const fs::path& pattern, const std::string& folder, const std::string& name) {
  fs::path place;
  for (const fs::path& part : pattern) {
    std::string word = part.string();
    if (word == "folder") word = folder;
    if (word.starts_with("lab.") || word.starts_with("lab_")) word = name + word.substr(3);
    if (word.ends_with(".in")) word.erase(word.size() - 3);
    place /= word;
  }
  return place;
}

/// Removes what was written, unless it is kept.
class Undo {
 public:
  explicit Undo(fs::path folder) : folder_(std::move(folder)) {}
  ~Undo() {
    std::error_code ignored;
    for (const fs::path& file : written_) fs::remove(file, ignored);
    if (!written_.empty()) fs::remove(folder_, ignored);
  }
  Undo(const Undo&) = delete;
  Undo& operator=(const Undo&) = delete;
  void note(const fs::path& file) { written_.push_back(file); }
  void keep() { written_.clear(); }

 private:
  fs::path folder_;
  std::vector<fs::path> written_;
};

}  // namespace

std::vector<fs::path> make_lab(const fs::path& root, const NewLab& lab) {
  const fs::path patterns = root / "grader/new_lab/templates";
  if (!fs::is_directory(patterns))
    throw BadInput(patterns.string() + " is missing: only the instructor's tree can take a new lab");
  const Taken taken = taken_in(root);
  check_name(lab.name, taken);
  const std::string number = fmt::format("{:02}", number_of(lab, taken)), folder = number + "_" + lab.name;
  const std::string suite = test_suite_of(lab.name, "");
  const std::map<std::string, std::string> words = {
      {"@lab@", lab.name},
      {"@Lab@", suite},
      {"@NN@", number},
      {"@title@", title_of(lab)},
      {"@pad@", std::string(lab.name.size(), ' ')}};  // where the arguments of a function are continued

  std::map<fs::path, std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(patterns))
    if (entry.is_regular_file())
      files[place_of(entry.path().lexically_relative(patterns), folder, lab.name)] =
          with_sorted_includes(filled(bytes_of_file(entry.path()), words));
  std::vector<fs::path> places;
  for (const auto& [place, text] : files) {
    if (fs::exists(root / place))
      throw BadInput((root / place).string() + " is there already; another name leaves it alone");
    places.push_back(place);
  }
  Undo undo(root / "labs" / folder);
  fs::create_directory(root / "labs" / folder);
  for (const auto& [place, text] : files) {
    write_file_atomically(root / place, text);
    undo.note(root / place);
  }
  undo.keep();
  return places;
}

}  // namespace warplab
