// Every number with a unit, every count of what a kernel does (34 barriers, eight loads), and every number
// above 999, in a document or an answer key is computed, looked up in a committed result, or has its source.
//
// numbers.txt has a line for each: DOCUMENT | NUMBER UNIT | KIND SOURCE, where the
// unit may be absent. Numbers as words count from two on, where what follows is counted: "one" is mostly the
// article, and shapes (two dimensions, a block of eight rows) are what an example supposes. The kinds:
//
//     = EXPRESSION     arithmetic; [RUN|LAB|RUNG|INPUT|MEMBER] is a member of a committed measurement, and
//                      [FILE|CASE|LAUNCH|METRIC] what Nsight Compute counted of one launch, from 0
//     ~ EXPRESSION     the same, within 5 %
//     published LAB    the figure is in LAB's published.json
//     hardware SOURCE  a property of a GPU or of CUDA, and where NVIDIA gives it
//     given            what an exercise or an example supposes
//     rule FILE        a constant of ours, which FILE has too: as it is, as a share of 1, or in a smaller
//     unit measured WHERE   on a GPU, not kept as a result
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "tests/common/scratch_folder.hpp"
#include "tests/house/arithmetic.hpp"
#include "tests/house/markdown.hpp"

namespace warplab::house {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const fs::path source = WARPLAB_SOURCE_DIR;

/// A number with its unit, as a document has it.
struct Claim {
  std::string document, text;
  int line = 0;
};

/// Handouts, answer keys, guides and the two pages that lead there. lens-parity.md, lens-bounds.md,
/// public-programs.md and published-bugs.md are generated.
bool is_checked(const fs::path& document) {
  static const std::regex read(R"((labs/(\d\d_\w+/)?|docs/[\w-]+)?(README|answer_key)?\.md)");
  const std::string name = document.lexically_relative(source).generic_string();
  return std::regex_match(name, read) && !name.starts_with("docs/lens-") &&
         name != "docs/public-programs.md" && name != "docs/published-bugs.md";
}

const std::vector<std::string> number_words = {"two",   "three", "four", "five",   "six",    "seven",
                                               "eight", "nine",  "ten",  "eleven", "twelve", "thirteen"};

/// A number of a text, with its unit, and where it begins.
struct Figure {
  std::string text;
  std::size_t begin = 0;
};

/// The figures of a unit, and those that share one: 89.8 and 72.8 of "89.8 and 72.8 ms". A number after what
/// `no_figure` matches is left out.
std::vector<Figure> figures_in(const std::string& line, const std::regex& figure,
                               const std::regex& no_figure) {
  // In "2, 5 and 15 launches" a comma shares too; in "n = 90, 181 evaluations" it ends a clause.
  static const std::regex last_but_one(
      R"((?:^|[^\w.`^,/-])(\d+(?:,\d{3})*(?:\.\d+)?)(?: and| or| to| against) $)"),
      earlier(R"((?:^|[^\w.`^,/-])(\d+(?:,\d{3})*(?:\.\d+)?), $)");
  std::vector<Figure> figures;
  for (std::sregex_iterator at(line.begin(), line.end(), figure), end; at != end; ++at) {
    std::size_t begin = static_cast<std::size_t>(at->position(1));
    std::string before = line.substr(0, begin);
    if (std::regex_search(before, no_figure)) continue;
    const std::string unit = std::regex_replace((*at)[2].str(), std::regex(" of"), "");
    figures.push_back({(*at)[1].str() + " " + unit, begin});
    const std::regex* sharing = &last_but_one;
    for (std::smatch shared; std::regex_search(before, shared, *sharing); sharing = &earlier) {
      begin = static_cast<std::size_t>(shared.position(1));
      const std::string number = shared[1];
      before = before.substr(0, begin);
      if (std::regex_search(before, no_figure)) break;
      figures.push_back({number + " " + unit, begin});
    }
  }
  return figures;
}

std::vector<Figure> with_units_in(const std::string& line) {
  static const std::regex with_unit(
      R"((?:^|[^\w.`^,-])(\d[\d,]*(?:\.\d+)?(?:e\d+)?) ?)"
      R"((GB/s|TB/s|[GTP]FLOP/s|[mun]s|[kMG]Hz|%|times|(?:micro)?seconds|[KMGT]i?B|instructions|cycles)(?!\w))"),
      never("a^");
  return figures_in(line, with_unit, never);
}

/// Counts of what happens or is there, as "eight wavefronts" or "8 + 32 sectors". Left out are verbs ("thread
/// 5 loads") and the ends of formulas ("2n + 1 launches").
std::vector<Figure> counts_in(const std::string& line) {
  static const std::regex count(
      R"((?:^|[^\w.`^,/-])((?:\d+ \+ )*\d+(?:,\d{3})*(?:\.\d+)?(?:e\d+)?|)"
      R"(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen) )"
      R"((?:(?:global|shared|float|fp32|wasted|idle|neighbouring|whole|more|fewer|different|single|other|)"
      R"(warp-wide|bulk|asynchronous|atomic) )?)"
      R"((sectors?|wavefronts?|requests?|transactions?|loads|stores|reads of|calls of|barriers?|launches|)"
      R"(mutants?|registers?|warps|atomic operations?|atomics|(?:bank )?conflicts?|additions?|products?|)"
      R"(multiply-adds?|sums|evaluations?|operations?|roundings?|comparisons?|shuffles|fences|cores|)"
      R"(multiprocessors?|conversions|divisions|transfers|bytes?|instructions|cycles)(?![\w-]))",
      std::regex::icase),
      no_count(
          R"((\b(thread|lane|warp|block|task|lab|step|rung|k|row|column)s?|[\w)] [+*/]|\w -|^\| \d[^|]*) *$)",
          std::regex::icase);
  std::vector<Figure> counts = figures_in(line, count, no_count);
  for (Figure& one : counts)
    std::ranges::transform(one.text, one.text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return counts;
}

std::vector<std::string> texts_of(const std::vector<Figure>& figures) {
  std::vector<std::string> texts;
  for (const Figure& one : figures) texts.push_back(one.text);
  return texts;
}

/// The numbers of one line of a document.
std::vector<std::string> numbers_in(const std::string& line) {
  static const std::regex large(R"((?:^|[^\w.`^,-])(\d{1,3}(?:,\d{3})+)(?![\w.,]\w))");
  std::vector<std::string> numbers;
  std::set<std::size_t> begins;
  std::string rest = line;
  const auto add_all = [&](const std::vector<Figure>& figures) {
    for (const Figure& one : figures)
      if (begins.insert(one.begin).second) numbers.push_back(one.text);
  };
  add_all(with_units_in(line));
  std::vector<Figure> counts = counts_in(line);
  // A large number is looked up without what it counts.
  std::erase_if(counts, [](const Figure& one) { return one.text.find(',') != std::string::npos; });
  add_all(counts);
  for (std::sregex_iterator at(line.begin(), line.end(), large), end; at != end; ++at)
    if (!begins.contains(static_cast<std::size_t>(at->position(1)))) numbers.push_back((*at)[1]);
  return numbers;
}

/// What a number at the end of a line counts: the first two words of the next one, or "".
std::string unit_after_break(const std::string& line, const std::string& next) {
  static const std::regex number(
      R"(( |^)(\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$)", std::regex::icase),
      words(R"(^ *([a-zA-Z%/-]+( [a-zA-Z-]+)?))");
  std::smatch found;
  if (!std::regex_search(line, number) || !std::regex_search(next, found, words)) return "";
  return " " + found[1].str();
}

std::vector<Claim> claims_of(const fs::path& path) {
  std::vector<Claim> claims;
  const std::string name = path.lexically_relative(source).generic_string();
  const std::vector<std::string> lines = read_document(path).lines;
  bool in_code = false, in_table = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string line = lines[i];
    if (line.starts_with("```")) in_code = !in_code;
    if (line.starts_with("<!-- rungs of ")) in_table = true;
    if (line.empty()) in_table = false;
    if (in_code || in_table || line.starts_with("    ") || line.starts_with("Measured: ")) continue;
    // The text of a picture that the lens draws is made with it, and a test compares both.
    if (line.starts_with("<!-- accesses of ") || line.ends_with("-accesses.svg)")) continue;
    // Its first column has numbers of sections.
    if (name == "docs/published.md" && line.starts_with("| ")) line.erase(0, line.find('|', 1));
    if (i + 1 < lines.size()) line += unit_after_break(line, lines[i + 1]);
    for (const std::string& text : numbers_in(line)) claims.push_back({name, text, static_cast<int>(i) + 1});
  }
  return claims;
}

const std::vector<Claim>& all_claims() {
  static const std::vector<Claim> claims = [] {
    std::vector<Claim> all;
    for (const fs::path& path : document_paths()) {
      if (!is_checked(path)) continue;
      const std::vector<Claim> more = claims_of(path);
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }();
  return claims;
}

/// A line of numbers.txt.
struct Source {
  std::string document, text, kind, rest;
  int line = 0;
};

std::vector<Source> sources() {
  std::vector<Source> all;
  std::ifstream in(source / "tests/house/numbers.txt");
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t first = line.find(" | "), second = line.find(" | ", first + 3);
    if (second == std::string::npos) {
      ADD_FAILURE() << "numbers.txt:" << number << " is not DOCUMENT | NUMBER UNIT | KIND SOURCE";
      continue;
    }
    const std::string how = line.substr(second + 3);
    const std::size_t space = std::min(how.find(' '), how.size());
    all.push_back({line.substr(0, first), line.substr(first + 3, second - first - 3), how.substr(0, space),
                   how.substr(std::min(space + 1, how.size())), number});
  }
  return all;
}

/// The parts of "a | b", without blanks around them.
std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);)
    parts.push_back(std::regex_replace(part, std::regex("^ +| +$"), ""));
  return parts;
}

/// Whether a measurement is of the input "SIZE TYPE[, PARAMETER VALUE]...".
bool is_of(const Json& m, const std::string& input) {
  const std::vector<std::string> parts = parts_of(input, ',');
  std::string size;
  for (const auto& [name, extent] : m.at("size").items()) size += (size.empty() ? "" : "x") + extent.dump();
  if (size + " " + m.at("dtype").get<std::string>() != parts.at(0)) return false;
  return std::all_of(parts.begin() + 1, parts.end(), [&](const std::string& condition) {
    const std::size_t space = condition.find(' ');
    const Json value = m.at("params").value(condition.substr(0, space), Json());
    const std::string wanted = condition.substr(space + 1);
    return value.is_string() ? value == wanted : value.is_number() && value == std::stod(wanted);
  });
}

/// A committed file, or a run's results.json. Each has megabytes, so each is read once.
const Json& committed(const std::string& name) {
  const fs::path file = name.ends_with(".json") ? source / name : source / name / "results.json";
  static std::map<fs::path, Json> read;
  if (!read.contains(file)) read[file] = Json::parse(std::ifstream(file));
  return read[file];
}

double member_of(const std::string& name) {
  const std::vector<std::string> parts = parts_of(name, '|');
  if (parts.size() == 4)
    return committed(parts[0]).at("cases").at(parts[1]).at(std::stoul(parts[2])).at("metrics").at(parts[3]);
  if (parts.size() != 5)
    throw std::invalid_argument("[" + name + "] is not RUN|LAB|RUNG|INPUT|MEMBER or FILE|CASE|LAUNCH|METRIC");
  for (const Json& m : committed(parts[0]).at("measurements"))
    if (m.at("lab") == parts[1] && m.at("rung") == parts[2] && is_of(m, parts[3]))
      return m.at(Json::json_pointer(parts[4])).get<double>();
  throw std::invalid_argument(parts[0] + " has no " + parts[2] + " at " + parts[3]);
}

/// "3,352 GB/s" as 3352, "8 + 32 sectors" as 40, "eight loads" as 8, and what half of the last digit is
/// worth.
std::pair<double, double> printed(const std::string& text) {
  if (const std::size_t plus = text.find(" + "); plus != std::string::npos)
    return {std::stod(text) + printed(text.substr(plus + 3)).first, 0.5};
  const auto word = std::ranges::find(number_words, text.substr(0, text.find(' ')));
  if (word != number_words.end()) return {static_cast<double>(word - number_words.begin()) + 2, 0.5};
  std::string digits = text.substr(0, text.find(' '));
  std::erase(digits, ',');
  const std::size_t exponent = digits.find('e'), point = digits.find('.');
  const std::string mantissa = digits.substr(0, exponent);
  const double scale =
      exponent == std::string::npos ? 1 : std::pow(10, std::stoi(digits.substr(exponent + 1)));
  const int decimals = point == std::string::npos ? 0 : static_cast<int>(mantissa.size() - point - 1);
  return {std::stod(digits), 0.5 * std::pow(10, -decimals) * scale};
}

/// Whether a lab's published tables have a number that rounds to this one.
std::string fault_of_published(const Source& one) {
  static const std::regex number(R"((?:\b|x)(\d+(?:\.\d+)?)(?=\b|x))");  // those of 64x32 too
  const auto [printed_number, half] = printed(one.text);
  for (const auto& entry : fs::directory_iterator(source / "labs")) {
    if (!entry.path().filename().string().ends_with("_" + one.rest)) continue;
    const std::string text = content_of(entry.path() / "published.json");
    for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at)
      if (std::abs(std::stod((*at)[1]) - printed_number) <= half * 1.000001) return "";
    return "the lab's published.json does not have it";
  }
  return "there is no lab " + one.rest;
}

/// Whether a file of ours has a number: 95 % also as 0.95, 64 KiB as 65536, 1.38 GHz as 1380000.
std::string fault_of_rule(const Source& one) {
  const fs::path file = source / one.rest.substr(0, one.rest.find(' '));
  if (!fs::exists(file)) return "there is no " + file.string();
  const double number = printed(one.text).first;
  std::vector<double> forms = {number};
  if (one.text.ends_with(" %")) forms.push_back(number / 100);
  if (one.text.ends_with(" KiB")) forms.push_back(number * 1024);
  if (one.text.ends_with(" MiB")) forms.push_back(number * 1024 * 1024);
  if (one.text.ends_with(" GHz")) forms.push_back(number * 1e6);
  static const std::regex figure(R"((?:^|[^\w.])(\d+(?:\.\d+)?))");
  const std::string text = std::regex_replace(content_of(file), std::regex("(\\d)'(?=\\d)"), "$1");
  for (std::sregex_iterator at(text.begin(), text.end(), figure), end; at != end; ++at)
    for (const double form : forms)
      if (std::abs(std::stod((*at)[1]) - form) <= 1e-9 * form) return "";
  return file.string() + " does not have it";
}

/// What is wrong with one source, or "".
std::string fault_of(const Source& one) {
  if (one.kind == "=" || one.kind == "~") {
    const double value = value_of_expression(one.rest, member_of);
    const auto [number, half] = printed(one.text);
    const double tolerance = one.kind == "~" ? 0.05 * std::abs(value) : half * 1.000001;
    return std::abs(value - number) <= tolerance ? "" : "it is " + std::to_string(value);
  }
  if (one.kind == "published") return fault_of_published(one);
  if (one.kind == "rule") return fault_of_rule(one);
  if (one.kind == "hardware" || one.kind == "measured") return one.rest.size() > 5 ? "" : "it has no source";
  return one.kind == "given" ? "" : "unknown kind '" + one.kind + "'";
}

TEST(Numbers, OfDocumentsEachHaveASource) {
  const std::vector<Source> known = sources();
  int claims = 0;
  for (const Claim& claim : all_claims()) {
    ++claims;
    EXPECT_TRUE(std::ranges::any_of(known,
                                    [&](const Source& one) {
                                      return one.text == claim.text &&
                                             (one.document == "*" || one.document == claim.document);
                                    }))
        << claim.document << ":" << claim.line << ": " << claim.text << " is not in tests/house/numbers.txt";
  }
  EXPECT_GT(claims, 700);
}

TEST(Numbers, AgreeWithTheirSources) {
  int computed = 0;
  for (const Source& one : sources()) {
    std::string fault;
    try {
      fault = fault_of(one);
    } catch (const std::exception& error) {
      fault = error.what();
    }
    EXPECT_EQ(fault, "") << "numbers.txt:" << one.line << ": " << one.document << ": " << one.text;
    computed += one.kind == "=" || one.kind == "~" || one.kind == "published";
  }
  EXPECT_GT(computed, 40);
}

TEST(Numbers, SourcesAreOfNumbersThatExist) {
  std::set<std::pair<std::string, std::string>> claims;
  for (const Claim& claim : all_claims()) {
    claims.emplace(claim.document, claim.text);
    claims.emplace("*", claim.text);
  }
  std::set<std::vector<std::string>> named;
  for (const Source& one : sources()) {
    EXPECT_TRUE(claims.contains({one.document, one.text}))
        << "numbers.txt:" << one.line << ": " << one.document << " has no " << one.text;
    EXPECT_TRUE(named.insert({one.document, one.text, one.kind, one.rest}).second)
        << "numbers.txt:" << one.line << " is there already";
  }
}

// A student predicts for the GPU that the question names, and is marked by the run.
TEST(Numbers, OfPredictionsAreOfTheGpuThatIsAskedAbout) {
  static const std::regex gpu(R"(fastest on an (\w+))");
  int asked = 0;
  for (const auto& lab : fs::directory_iterator(source / "labs")) {
    std::ifstream file(lab.path() / "predict.json");
    if (!file) continue;
    const Json predictions = Json::parse(file);
    for (const Json& question : predictions.at("questions")) {
      if (!question.contains("run")) continue;
      const std::string text = question.at("ask");
      std::smatch named;
      ASSERT_TRUE(std::regex_search(text, named, gpu)) << lab.path() << ": " << text;
      const fs::path run = source / question.at("run").get<std::string>() / "results.json";
      const std::string device = Json::parse(std::ifstream(run)).at("run").at("device");
      EXPECT_NE(device.find(named[1]), std::string::npos) << lab.path() << ": " << text << " " << device;
      ++asked;
    }
  }
  EXPECT_GE(asked, 12);
}

/// The medians of a run in milliseconds, in ascending order, of these rungs at one input.
std::vector<double> medians_of(const std::string& run, const std::string& lab, const Json& rungs,
                               const std::string& input) {
  std::vector<double> medians;
  for (const Json& rung : rungs)
    medians.push_back(
        member_of(run + "|" + lab + "|" + rung.get<std::string>() + "|" + input + "|/time_ms/median"));
  std::ranges::sort(medians);
  return medians;
}

// Whoever is asked for the faster of two rungs can know it only if the times differ by more than chance.
TEST(Numbers, OfPredictionsHaveAWinnerByTwoPerCent) {
  int asked = 0;
  for (const auto& folder : fs::directory_iterator(source / "labs")) {
    std::ifstream file(folder.path() / "predict.json");
    if (!file) continue;
    const Json predictions = Json::parse(file);
    const std::string lab = predictions.at("lab");
    for (const Json& question : predictions.at("questions")) {
      if (!question.contains("choices")) continue;
      Json choices = question.at("choices");
      if (!choices.at(0).is_array()) choices = Json::array({choices});
      for (const Json& rungs : choices) {
        const std::vector<double> times = medians_of(question.at("run"), lab, rungs, question.at("input"));
        EXPECT_GT(times.at(1), 1.02 * times.at(0)) << lab << ": " << rungs;
        ++asked;
      }
    }
  }
  EXPECT_GE(asked, 30);
}

TEST(Numbers, AreFoundWithWhatTheyCount) {
  using Texts = std::vector<std::string>;
  const auto counts = [](const std::string& line) { return texts_of(counts_in(line)); };
  EXPECT_EQ(counts("Eight loads, 34 barriers and 12 mutants"),
            (Texts{"eight loads", "34 barriers", "12 mutants"}));
  EXPECT_EQ(counts("8 + 32 sectors, 1,024 wasted sectors or 4.9 requests"),
            (Texts{"8 + 32 sectors", "1,024 sectors", "4.9 requests"}));
  EXPECT_EQ(counts("16 reads of shared memory"), Texts{"16 reads"});
  EXPECT_EQ(counts("2, 5 and 15 launches"), (Texts{"15 launches", "5 launches", "2 launches"}));
  EXPECT_EQ(counts("Thread 5 of block 3 loads the taps; 2n + 1 launches, (8 + 1) / 8 wavefronts"), Texts{});
  EXPECT_EQ(counts("one launch, `4 sectors`, 128-byte stores and 8 rows"), Texts{});
  EXPECT_EQ(numbers_in("it moves 12" + unit_after_break("it moves 12", "  bytes per element")),
            Texts{"12 bytes"});
  EXPECT_EQ(unit_after_break("in blocks of 256:", "bytes are"), "");
  EXPECT_EQ(numbers_in("89.8 and 72.8 ms for 6,561 products and 7 instructions"),
            (Texts{"72.8 ms", "89.8 ms", "7 instructions", "6,561"}));
}

TEST(Numbers, AreComputedAsWritten) {
  const auto none = [](const std::string&) -> double { throw std::invalid_argument("nothing to look up"); };
  EXPECT_EQ(value_of_expression("2 + 3 * 4 ^ 2 - 10 / 4", none), 47.5);
  EXPECT_EQ(value_of_expression("-(1 - 3) * 1e3", none), 2000);
  EXPECT_EQ(value_of_expression("[a|b] / 2", [](const std::string& name) { return double(name.size()); }),
            1.5);
  EXPECT_THROW(value_of_expression("2 +", none), std::invalid_argument);
  EXPECT_THROW(value_of_expression("2 3", none), std::invalid_argument);
  EXPECT_EQ(printed("3,352 GB/s"), std::pair(3352.0, 0.5));
  EXPECT_EQ(printed("0.45 us").second, 0.005);
  EXPECT_EQ(printed("8 + 32 sectors").first, 40);
  EXPECT_EQ(printed("twelve mutants").first, 12);
  EXPECT_EQ(fault_of({"d", "3,352 GB/s", "=", "2 * 2619000e3 * 640 / 1e9"}), "");
  EXPECT_NE(fault_of({"d", "3,353 GB/s", "=", "2 * 2619000e3 * 640 / 1e9"}), "");
}

}  // namespace
}  // namespace warplab::house
