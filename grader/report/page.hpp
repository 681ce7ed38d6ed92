#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace warplab {

/// How something went, which a page shows by a sign and a colour.
enum class Tone { plain, good, partial, bad, quiet };

/// Level 2 begins a chapter, level 3 a box within it.
struct Heading {
  int level = 2;
  std::string text;
  std::string aside = {};  ///< at the line's end: "7.5 of 10 points"
  Tone tone = Tone::plain;
};

/// A paragraph of a page, with a word before it where it has a label.
struct Paragraph {
  std::string text;
  std::string label = {};  ///< "Hint"
};

/// What is typed, or what a program said: as it is, line by line.
struct Verbatim {
  std::string text;
};

/// An entry of a list, with what belongs to it.
struct Item {
  std::string text;
  std::string aside = {};
  Tone tone = Tone::plain;
  std::vector<std::pair<std::string, std::string>> facts = {};  ///< "expected": "..."
};

/// A share of a whole.
struct Meter {
  std::string text;
  double share = 0;  ///< 0 to 1
  Tone tone = Tone::plain;
};

/// A table of a page, row by row.
struct PageTable {
  struct Cell {
    std::string text;
    bool number = false;             ///< set to the right
    std::optional<double> bar = {};  ///< 0 to 1, drawn beside the text
    /// "feedback/ada": another page that was written beside this one, without .html
    /// or .md. The text leads there.
    std::string page = {};
    /// Lowest, quarter, middle, three quarters and highest, each 0 to 1: drawn in HTML in place of the text,
    /// which then says them.
    std::optional<std::array<double, 5>> box = {};
  };
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

/// A page for people. Texts in it are plain, whoever wrote them: nothing in them becomes a mark, a tag or a
/// link of the page.
struct Page {
  using Block = std::variant<Heading, Paragraph, Verbatim, Item, Meter, PageTable>;
  std::string title;
  std::vector<Block> blocks;
};

std::string to_markdown(const Page& page);

/// One file that needs no other: for small and large screens, in light, in dark and on paper.
std::string to_html(const Page& page);

}  // namespace warplab
