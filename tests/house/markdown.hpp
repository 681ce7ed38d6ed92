#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace warplab::house {

/// A block of code between fences, or an indented one, whose language is then empty.
struct CodeBlock {
  int line;  ///< of its first line of code
  std::string language;
  std::vector<std::string> lines;
};

struct Link {
  int line;
  std::string target;  ///< as written: a path, a #anchor, both, or an address
};

/// What the tests ask of a document in Markdown.
struct Document {
  std::filesystem::path path;
  std::vector<std::string> lines;
  std::vector<CodeBlock> blocks;
  std::vector<Link> links;        ///< [text](target) and src="target", outside of code
  std::set<std::string> anchors;  ///< of its headings, named as GitHub names them
};

Document read_document(const std::filesystem::path& path);

/// Every document of the tree for readers: README.md, and those in labs, docs, cluster and .github.
std::vector<std::filesystem::path> document_paths();

/// A command that a document shows, and what it says that the command prints.
struct ShownCommand {
  int line;
  std::string text;
  std::vector<std::string> output;  ///< empty: nothing is said
};

/// The commands of a block: each line of an `sh` block; what follows "$ " in a `console` block, with the
/// output below it. A backslash at the end joins lines; comments are left out.
std::vector<ShownCommand> commands_of(const CodeBlock& block);

/// Whether `actual` is what `shown` says: line by line, but "..." on a line of its own stands for any lines,
/// and "..." inside a line for any text, and any number of blanks equals any other.
bool matches(const std::vector<std::string>& shown, const std::vector<std::string>& actual);

std::vector<std::string> lines_of(const std::string& text);

}  // namespace warplab::house
