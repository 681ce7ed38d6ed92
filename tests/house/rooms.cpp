#include "tests/house/rooms.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>

#include "tests/common/scratch_folder.hpp"

namespace warplab::house {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& folder, const std::set<std::string>& kinds) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (kinds.contains(entry.path().extension())) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// Files of the tree that `file` includes, from the tree's root.
/// @param searched where they are looked for besides the file's own folder; only there for those in <>
std::vector<fs::path> includes_of(const fs::path& root, const fs::path& file,
                                  const std::vector<fs::path>& searched) {
  static const std::regex include("^\\s*#\\s*include\\s*([\"<])([^\">]+)[\">]");
  std::vector<fs::path> found;
  std::ifstream in(file);
  std::smatch match;
  for (std::string line; std::getline(in, line);) {
    if (!std::regex_search(line, match, include)) continue;
    std::vector<fs::path> places;
    if (match[1] == "\"") places.push_back(file.parent_path() / match[2].str());
    for (const fs::path& folder : searched) places.push_back(root / folder / match[2].str());
    const auto place = std::ranges::find_if(places, [](const fs::path& p) { return fs::is_regular_file(p); });
    if (place != places.end()) found.push_back(place->lexically_normal().lexically_relative(root));
  }
  return found;
}

std::string joined(const std::set<fs::path>& paths) {
  std::string text;
  for (const fs::path& path : paths) text += (text.empty() ? "" : " and ") + path.generic_string();
  return text;
}

/// C++ without comments, directives, attributes and the contents of literals.
std::string bare_code(const std::string& text) {
  static const std::regex noise(
      R"(//[^\n]*|/\*[^]*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'|)"
      R"((?:^|\n)[ \t]*#(?:\\\n|[^\n])*|\[\[[^]*?\]\]|__attribute__\s*\(\([^]*?\)\))");
  return std::regex_replace(text, noise, " ");
}

/// `text` without the parts between `open` and `close`, nested ones too.
std::string without_nested(const std::string& text, char open, char close) {
  std::string left;
  int depth = 0;
  for (const char c : text) {
    if (c == open) ++depth;
    if (depth == 0) left += c;
    if (c == close && depth > 0) --depth;
  }
  return left;
}

/// Follows the scopes of a file, and tells a visitor what is in namespaces that have names.
class CodeReader {
 public:
  struct Visitor {
    std::function<void(const std::string& scope)> opened_namespace = [](const std::string&) {};
    std::function<void(const std::string& name)> defined_class = [](const std::string&) {};
    std::function<void(const std::string& name)> declared_function = [](const std::string&) {};
    std::function<void(const std::string& name)> defined_function = [](const std::string&) {};
  };
  explicit CodeReader(Visitor visitor) : visitor_(std::move(visitor)) {}

  void read(const std::string& code) {
    int parentheses = 0, braces_inside = 0;
    for (const char c : code) {
      if (c == '(') ++parentheses;
      if (c == ')') --parentheses;
      if (parentheses > 0 && (c == '{' || c == '}')) braces_inside += c == '{' ? 1 : -1;
      if (parentheses > 0 || braces_inside > 0 || (c != '{' && c != '}' && c != ';'))
        statement_ += c;
      else
        end_statement(c);
    }
  }

 private:
  enum class Kind { space, other };
  struct Scope {
    Kind kind;
    std::string name;
  };

  void end_statement(char end) {
    // Without template parameters and arguments. Only functions' bodies hold comparisons.
    const std::string text = without_nested(statement_, '<', '>');
    statement_.clear();
    if (end == '{')
      open(text);
    else if (end == '}' && !scopes_.empty())
      scopes_.pop_back();
    else if (end == ';' && at_namespace_scope())
      note_declaration(text);
  }

  bool at_namespace_scope() const {
    return std::ranges::all_of(scopes_, [](const Scope& scope) { return scope.kind == Kind::space; });
  }

  std::string qualified(const std::string& name) const {
    std::string text;
    for (const Scope& scope : scopes_)
      if (!scope.name.empty()) text += scope.name + "::";
    return text + name;
  }

  void open(const std::string& text) {
    static const std::regex space(R"(\bnamespace\s+(\w[\w:]*)\s*$)"), language(R"(^\s*extern\s*$)"),
        type(R"(^\s*(?:template\s*)?(?:class|struct|union)\s+(?:alignas\s*\([^)]*\)\s*)?(\w+))");
    std::smatch found;
    Scope scope{Kind::other, ""};
    if (at_namespace_scope()) {
      if (std::regex_search(text, found, space))
        scope = {Kind::space, found[1]};
      else if (std::regex_search(text, language))
        scope.kind = Kind::space;
      else if (std::regex_search(text, found, type))
        visitor_.defined_class(qualified(found[1]));
      else if (const std::string name = function_in(text); !name.empty())
        visitor_.defined_function(qualified(name));
    }
    scopes_.push_back(scope);
    if (scope.kind != Kind::space) return;
    const std::string all = qualified("");
    for (std::size_t at = all.find("::"); at != std::string::npos; at = all.find("::", at + 2))
      visitor_.opened_namespace(all.substr(0, at));
  }

  void note_declaration(const std::string& text) {
    const std::string name = function_in(text);
    if (name.empty()) return;
    if (text.find("= default") != std::string::npos)
      visitor_.defined_function(qualified(name));
    else
      visitor_.declared_function(qualified(name));
  }

  /// The function that a statement declares or defines, with its class; "" for anything else.
  static std::string function_in(const std::string& text) {
    static const std::regex function(
        R"(((?:\w+\s*::\s*)*(?:operator\s*[^\s\w(]+|operator\s*\(\)|~?\w+))\s*\()"),
        other(R"(^\s*(using|typedef|static_assert|static)\b)");
    std::smatch found;
    if (!std::regex_search(text, found, function) || std::regex_search(text, other)) return "";
    const std::string before = found.prefix(), name = found[1];
    if (before.find('=') != std::string::npos) return "";  // a variable and its value
    // Only constructors and destructors have nothing before them; otherwise it is a macro.
    if (std::regex_match(before, std::regex("\\s*")) && name.find("::") == std::string::npos) return "";
    return std::regex_replace(name, std::regex("\\s+"), "");
  }

  Visitor visitor_;
  std::vector<Scope> scopes_;
  std::string statement_;
};

/// The headers that declare `name`, or define the class of which it is a member.
const std::set<fs::path>* headers_of(const std::string& name, const Declarations& declarations) {
  std::size_t inner = 0;  // behind the namespaces
  for (std::size_t at = name.find("::");
       at != std::string::npos && declarations.namespaces.contains(name.substr(0, at));
       at = name.find("::", at + 2))
    inner = at + 2;
  const std::size_t member = name.find("::", inner);
  const auto& known = member == std::string::npos ? declarations.functions : declarations.classes;
  const auto found = known.find(name.substr(0, member));
  return found == known.end() ? nullptr : &found->second;
}

}  // namespace

std::vector<Room> read_rooms(const fs::path& file) {
  std::vector<Room> rooms;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    Room room;
    if (!(words >> room.folder)) continue;
    room.may_include.insert(room.folder);
    for (std::string folder; words >> folder;) room.may_include.insert(folder);
    rooms.push_back(std::move(room));
  }
  return rooms;
}

std::vector<std::string> forbidden_includes(const fs::path& root, const std::vector<Room>& rooms) {
  std::vector<std::string> found;
  for (const Room& room : rooms)
    for (const fs::path& file : files_of(root / room.folder, {".hpp", ".cpp", ".cu"}))
      for (const fs::path& included : includes_of(root, file, {""}))
        if (!room.may_include.contains(included.parent_path().generic_string()))
          found.push_back(file.lexically_relative(root).generic_string() + " includes " +
                          included.generic_string() + ", which " + room.folder + " may not");
  return found;
}

std::vector<std::string> include_circles(const fs::path& root, const std::vector<fs::path>& folders,
                                         const std::vector<fs::path>& searched) {
  static const std::set<fs::path> others{".cpp", ".cu", ".md", ".txt", ".json", ".py", ".sh"};
  std::vector<std::string> circles;
  std::vector<fs::path> route;
  std::set<fs::path> done;
  const std::function<void(const fs::path&)> visit = [&](const fs::path& header) {
    if (const auto begin = std::ranges::find(route, header); begin != route.end()) {
      std::string circle;
      for (auto stop = begin; stop != route.end(); ++stop) circle += stop->generic_string() + " -> ";
      circles.push_back(circle + header.generic_string());
      return;
    }
    if (!done.insert(header).second) return;
    route.push_back(header);
    for (const fs::path& included : includes_of(root, root / header, searched)) visit(included);
    route.pop_back();
  };
  std::set<fs::path> headers;
  for (const fs::path& folder : folders)
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.is_regular_file() && !others.contains(entry.path().extension()))
        headers.insert(entry.path().lexically_relative(root));
  for (const fs::path& header : headers) visit(header);
  return circles;
}

namespace {

/// The folders within one that have a page of their own.
std::vector<std::string> described_folders(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (fs::exists(entry.path() / "README.md")) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

}  // namespace

std::vector<std::string> undescribed_rooms(const fs::path& root, const std::vector<Room>& rooms) {
  std::vector<std::string> found;
  for (const auto& [folder, others] : rooms) {
    if (!fs::exists(root / folder / "CMakeLists.txt")) found.push_back(folder + " has no CMakeLists.txt");
    if (!fs::exists(root / folder / "README.md")) {
      found.push_back(folder + " has no README.md");
      continue;
    }
    const std::string text = content_of(root / folder / "README.md");
    const auto lines = std::ranges::count(text, '\n');
    if (lines < 8 || lines > 25)
      found.push_back(folder + "/README.md has " + std::to_string(lines) + " lines; it should have 8 to 25");
    for (const std::string& inner : described_folders(root / folder))
      if (!std::regex_search(text, std::regex("\\b" + inner + "\\b")))
        found.push_back(folder + "/README.md does not name " + inner);
  }
  return found;
}

std::vector<std::string> unlisted_files(const fs::path& root, const std::vector<Room>& rooms) {
  static const std::regex name("[`\\[]([\\w./]+)[`\\]]");
  std::vector<std::string> found;
  for (const auto& [folder, others] : rooms) {
    if (!fs::exists(root / folder / "README.md")) continue;
    const std::string text = content_of(root / folder / "README.md");
    if (text.find("\n| file | holds |\n") == std::string::npos) continue;
    std::set<std::string> named;
    for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at)
      named.insert(fs::path((*at)[1].str()).stem());
    const auto has_header = [&](const std::string& stem) {
      return fs::exists(root / folder / (stem + ".hpp"));
    };
    for (const fs::path& file : files_of(root / folder, {".cpp", ".hpp", ".h", ".cu", ".inc", ".S"})) {
      std::string stem = file.stem();
      while (!has_header(stem) && !named.contains(stem) && stem.find('_') != std::string::npos)
        stem.erase(stem.rfind('_'));
      if (!named.contains(stem) || (stem != file.stem() && !has_header(stem)))
        found.push_back(folder + "/README.md does not name " + file.filename().string());
    }
  }
  return found;
}

std::vector<std::string> undocumented_types_in(const std::string& text) {
  static const std::regex type(R"(^(?:template\s*<.*>\s*)?(?:class|struct|union|enum(?:\s+class)?)\s+)"
                               R"((?:\[\[.*?\]\]\s*)?(?:alignas\s*\(.*?\)\s*)?(\w[\w:]*)\s*(<?))");
  std::vector<std::string> found;
  std::istringstream lines(text);
  std::string before;  // the last line but those that only begin a template
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("template") && line.ends_with('>')) continue;
    std::smatch match;
    const bool is_definition = line.find('{') != std::string::npos || !line.ends_with(';');
    if (is_definition && std::regex_search(line, match, type) && match[2].length() == 0 &&
        !before.starts_with("///"))
      found.push_back(match[1]);
    before = line;
  }
  return found;
}

std::vector<std::string> undocumented_types(const fs::path& root, const std::vector<Room>& rooms) {
  std::vector<std::string> found;
  for (const Room& room : rooms)
    for (const fs::path& file : files_of(root / room.folder, {".hpp"}))
      for (const std::string& name : undocumented_types_in(content_of(file)))
        found.push_back(file.lexically_relative(root).generic_string() + " does not say what " + name +
                        " is");
  return found;
}

void add_declarations(const std::string& text, const fs::path& header, Declarations& to) {
  CodeReader({.opened_namespace = [&](const std::string& scope) { to.namespaces.insert(scope); },
              .defined_class = [&](const std::string& name) { to.classes[name].insert(header); },
              .declared_function = [&](const std::string& name) { to.functions[name].insert(header); }})
      .read(bare_code(text));
}

Declarations declarations_in(const fs::path& root, const std::vector<Room>& rooms) {
  Declarations all;
  for (const Room& room : rooms)
    for (const fs::path& file : files_of(root / room.folder, {".hpp"}))
      add_declarations(content_of(file), file.lexically_relative(root), all);
  return all;
}

void add_definitions(const std::string& text, const fs::path& source, std::vector<Definition>& to) {
  CodeReader({.defined_function = [&](const std::string& name) {
    to.push_back({source, name});
  }}).read(bare_code(text));
}

std::vector<Definition> definitions_in(const fs::path& root, const std::vector<Room>& rooms) {
  std::vector<Definition> all;
  for (const Room& room : rooms)
    for (const fs::path& file : files_of(root / room.folder, {".cpp", ".cu"}))
      add_definitions(content_of(file), file.lexically_relative(root), all);
  return all;
}

std::vector<std::string> misplaced_definitions(const std::vector<Definition>& definitions,
                                               const Declarations& declarations) {
  std::vector<std::string> found;
  for (const auto& [source, name] : definitions) {
    const std::set<fs::path>* headers = headers_of(name, declarations);
    const std::string stem = source.stem();
    if (!headers || std::ranges::any_of(*headers, [&](const fs::path& header) {
          return header.parent_path() == source.parent_path() &&
                 (stem == header.stem() || stem.starts_with(header.stem().string() + "_"));
        }))
      continue;
    const std::string sentence =
        source.generic_string() + " defines " + name + ", which " + joined(*headers) + " declares";
    if (std::ranges::find(found, sentence) == found.end()) found.push_back(sentence);
  }
  return found;
}

}  // namespace warplab::house
