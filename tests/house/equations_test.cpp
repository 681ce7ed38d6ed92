// Every equation of numbers in a document, such as "2 * 256 + 3 = 515", is computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "tests/common/scratch_folder.hpp"
#include "tests/house/arithmetic.hpp"
#include "tests/house/markdown.hpp"

namespace warplab::house {
namespace {

namespace fs = std::filesystem;

const fs::path source = WARPLAB_SOURCE_DIR;

/// What is left and right of an equals sign, as written, and what comes after it: "9 / 32", "28", " %".
struct Equation {
  std::string left, right, after;
};

/// "8,192", "1.5e9"
const std::string number = R"(\d[\d,]*(?:\.\d+)?(?:e\d+)?)";

long parentheses(const std::string& text, char which) { return std::ranges::count(text, which); }

/// The longest expression that a text ends with, if it has an operator and is not the end of a longer one, as
/// in "n - 2 * 3".
std::optional<std::string> expression_before(const std::string& text) {
  static const std::regex expression(R"((?:\( ?)*)" + number + "(?:[ )]*[-+*/^x][ (]*-?" + number +
                                     R"()+(?: ?\))*$)");
  constexpr std::size_t longest = 120;
  const std::string end = text.substr(text.size() - std::min(text.size(), longest));
  std::smatch found;
  if (!std::regex_search(end, found, expression)) return std::nullopt;
  std::string before = found.prefix(), all = found.str();
  while (parentheses(all, '(') > parentheses(all, ')') && all.starts_with('('))
    all.erase(0, 1), before += ' ';
  if (parentheses(all, '(') != parentheses(all, ')')) return std::nullopt;
  static const std::regex goes_on(R"([\w.,`']$|[-+*/^(] ?$| x ?$)");  // to the left
  return std::regex_search(before, goes_on) ? std::nullopt : std::optional(all);
}

/// The expression that a text begins with, if the text does not go on with an operator or a name.
std::optional<std::string> expression_after(const std::string& text) {
  static const std::regex expression("^-?" + number + "(?: ?[-+*/x] ?" + number + ")*"),
      goes_on(R"(^(?:[\w`(^]|[.,]\d|(?: [a-z])? [-+*/^x] |[-+*/^]\w))");
  std::smatch found;
  if (!std::regex_search(text, found, expression)) return std::nullopt;
  std::string all = found.str();
  while (all.ends_with(',')) all.pop_back();
  if (std::regex_search(text.substr(all.size()), goes_on)) return std::nullopt;
  return all;
}

std::vector<Equation> equations_in(const std::string& text) {
  std::vector<Equation> all;
  for (std::size_t at = 0; (at = text.find(" = ", at)) != std::string::npos; ++at) {
    const auto left = expression_before(text.substr(0, at));
    const auto right = expression_after(text.substr(at + 3));
    if (left && right) all.push_back({*left, *right, text.substr(at + 3 + right->size(), 7)});
  }
  return all;
}

/// A caret between blanks is C++'s, as in "place 5 ^ 3"; one without is a power.
std::optional<double> exclusive_or(const std::string& text) {
  static const std::regex both(R"((\d+) \^ (\d+))");
  std::smatch found;
  if (!std::regex_match(text, found, both)) return std::nullopt;
  return std::stol(found[1]) ^ std::stol(found[2]);
}

double value_of(const std::string& text) {
  if (const auto value = exclusive_or(text)) return *value;
  std::string plain = std::regex_replace(text, std::regex(" ?x ?"), " * ");
  std::erase(plain, ',');
  return value_of_expression(plain,
                             [](const std::string&) -> double { throw std::invalid_argument("a name"); });
}

/// Half of the last digit that is written: 0.05 of "9.4", 5e6 of "4.07e9".
double half_a_digit(const std::string& written) {
  static const std::regex one_number(R"(-?([\d,]+)(?:\.(\d+))?(?:e(\d+))?)");
  std::smatch found;
  if (!std::regex_match(written, found, one_number)) return 0;  // "3/4" is exact
  const double exponent = found[3].matched ? std::stod(found[3]) : 0;
  return 0.5 * std::pow(10, exponent - static_cast<double>(found[2].length()));
}

/// What a value is multiplied by where its number has this unit.
double scale_of(const std::string& after) {
  for (const auto& [unit, scale] : {std::pair{" %", 1e2}, {" GB/s", 1e-9}, {" TB/s", 1e-12}})
    if (after.starts_with(unit)) return scale;
  return 1;
}

/// What is wrong with an equation, or "".
std::string fault_of(const Equation& equation) {
  const double left = value_of(equation.left), right = value_of(equation.right),
               most = half_a_digit(equation.right) + 1e-9 * std::abs(right);
  for (const double scale : {1.0, scale_of(equation.after)})
    if (std::abs(left * scale - right) <= most) return "";
  return equation.left + " = " + equation.right + equation.after + "...: it is " + std::to_string(left);
}

/// A document's prose and cells of tables, each a text without line breaks.
std::vector<std::string> texts_of(const Document& document) {
  std::vector<std::string> texts(1);
  bool in_code = false;
  for (const std::string& line : document.lines) {
    if (line.starts_with("```")) in_code = !in_code;
    const bool is_cell = line.starts_with("|");
    if (in_code || line.empty() || is_cell || line.starts_with("```")) texts.emplace_back();
    if (in_code || line.starts_with("```")) continue;
    texts.back() += std::regex_replace(line, std::regex("^ +"), "") + " ";
    if (is_cell) texts.emplace_back();
  }
  return texts;
}

/// Handouts, answer keys and guides.
bool is_checked(const fs::path& document) {
  const std::string name = document.lexically_relative(source).generic_string();
  return name == "README.md" || name.starts_with("labs/") || name.starts_with("docs/");
}

TEST(NumbersOfEquations, AreWhatTheirExpressionsGive) {
  int equations = 0;
  for (const fs::path& path : document_paths()) {
    if (!is_checked(path)) continue;
    for (const std::string& text : texts_of(read_document(path)))
      for (const Equation& equation : equations_in(text)) {
        ++equations;
        std::string fault;
        try {
          fault = fault_of(equation);
        } catch (const std::exception& error) {
          fault = equation.left + " = " + equation.right + ": " + error.what();
        }
        EXPECT_EQ(fault, "") << path;
      }
  }
  EXPECT_GT(equations, 70);
}

std::string shown(const std::string& text) {
  std::string all;
  for (const Equation& one : equations_in(text)) all += one.left + " = " + one.right + ";";
  return all;
}

TEST(NumbersOfEquations, AreFoundInProse) {
  EXPECT_EQ(shown("(that is 2 * 256 + 3 = 515, and 6 x 7 = 42.)"), "2 * 256 + 3 = 515;6 x 7 = 42;");
  EXPECT_EQ(shown("| `tiled` | (8 * 2 + 8 * 4) / 64 = 3/4 | 1 |"), "(8 * 2 + 8 * 4) / 64 = 3/4;");
  EXPECT_EQ(shown("gx = 8 + 2 * 8 + 8 = 32; from 3/32 = 9 % on; 10^-8 x 2^24 = 0.17"),
            "8 + 2 * 8 + 8 = 32;3/32 = 9;10^-8 x 2^24 = 0.17;");
  EXPECT_EQ(shown("(6 x 64 = 384 of them)"), "6 x 64 = 384;");
  for (const char* other : {"n = 5", "n - 2 * 3 = 6", "h / 2 x 10 = 5", "max(1, 2 + 3) + 4 = 9",
                            "2 + 3 = 2 t + 16", "x2 + 3 = 5", "2 + 3 = 5n", "2 + 3 = f(5)"})
    EXPECT_EQ(shown(other), "") << other;
}

TEST(NumbersOfEquations, ThatAreWrongAreFound) {
  const auto fault = [](const std::string& text) { return fault_of(equations_in(text).at(0)); };
  for (const char* right :
       {"2 + 3 = 5", "8 / 3 = 2.7", "8 / 3 = 3", "9/32 = 28 %", "5 ^ 3 = 6", "2^24 = 16,777,216",
        "2 x 2.619e9 x 640 = 3,352 GB/s", "40 x 64 x 1.59e9 = 4.07e12", "6/8 = 3/4"})
    EXPECT_EQ(fault(right), "") << right;
  for (const char* wrong :
       {"2 + 3 = 6", "8 / 3 = 2.6", "9/32 = 27 %", "5 ^ 3 = 125", "6/8 = 2/4", "21 x 11.3 = 240"})
    EXPECT_NE(fault(wrong), "") << wrong;
}

}  // namespace
}  // namespace warplab::house
