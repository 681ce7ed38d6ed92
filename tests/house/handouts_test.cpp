// The form of handouts, and the order in which they teach.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <set>

#include "tests/common/scratch_folder.hpp"
#include "tests/common/unnamed_parts.hpp"
#include "tests/house/markdown.hpp"

namespace warplab::house {
namespace {

namespace fs = std::filesystem;

const fs::path source = WARPLAB_SOURCE_DIR;

/// One task of a handout.
struct HandoutTask {
  std::string heading;
  double points = 0, hours = 0;
  std::string text;  ///< up to the next heading
};

struct Handout {
  std::string number;  ///< "07"
  fs::path path;
  std::string text;
  std::vector<HandoutTask> tasks;
};

double hours_of(const std::string& number, const std::string& unit) {
  return std::stod(number) * (unit == "minutes" ? 1.0 / 60 : 1);
}

std::vector<HandoutTask> tasks_of(const std::string& text) {
  static const std::regex heading(
      R"(\n### \d+\. .*\((\d+) points, about ([\d.]+) (hours?|minutes), ((?:★){1,3})\)\n)");
  std::vector<HandoutTask> tasks;
  for (std::sregex_iterator at(text.begin(), text.end(), heading), end; at != end; ++at) {
    const std::size_t begin = static_cast<std::size_t>(at->position()) + 1;
    const std::size_t next = text.find("\n##", begin + 3);
    tasks.push_back({at->str().substr(1, at->length() - 2), std::stod((*at)[1]), hours_of((*at)[2], (*at)[3]),
                     text.substr(begin, next - begin)});
  }
  return tasks;
}

std::vector<Handout> handouts() {
  std::vector<Handout> all;
  for (const auto& entry : fs::directory_iterator(source / "labs")) {
    const fs::path path = entry.path() / "README.md";
    if (!fs::exists(path)) continue;
    const std::string text = content_of(path);
    all.push_back({entry.path().filename().string().substr(0, 2), path, text, tasks_of(text)});
  }
  std::ranges::sort(all, {}, &Handout::number);
  return all;
}

std::size_t count_of(const std::string& text, const std::regex& what) {
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), what), std::sregex_iterator()));
}

/// The steps of the course: each lab's number, the labs that it needs, and its hours.
struct Step {
  std::string lab;
  std::vector<std::string> needs;
  double hours;
};

std::vector<Step> steps() {
  static const std::regex row(R"(\| \d+ \| \[(\d\d)\][^|]*\| ([^|]*) \| [^|]* \| ([\d.]+) \|)");
  const std::string text = content_of(source / "docs/course.md");
  std::vector<Step> all;
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
    Step step{(*at)[1], {}, std::stod((*at)[3])};
    const std::string needs = (*at)[2];
    static const std::regex number(R"(\d\d)");
    for (std::sregex_iterator one(needs.begin(), needs.end(), number); one != end; ++one)
      step.needs.push_back(one->str());
    all.push_back(std::move(step));
  }
  return all;
}

/// The line of a text that begins with these words, or "".
std::string line_with(const std::string& words, const std::string& text) {
  const std::size_t at = text.find("\n" + words);
  return at == std::string::npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

TEST(Handouts, EveryTaskHasItsFourLabelledLinesAndThreeHints) {
  for (const Handout& handout : handouts()) {
    const std::size_t begin = handout.text.find("\n## Tasks"), end = handout.text.find("\n## ", begin + 1);
    ASSERT_NE(begin, std::string::npos) << handout.path;
    EXPECT_EQ(handout.tasks.size(),
              count_of(handout.text.substr(begin, end - begin), std::regex(R"(\n### \d+\. )")))
        << handout.path << ": a heading of a task is '### N. Title (P points, about H hours, ★)'";
    EXPECT_GE(handout.tasks.size(), 3u) << handout.path;
    for (const HandoutTask& task : handout.tasks) {
      std::size_t at = 0;
      for (const char* label :
           {"- **You write:** ", "- **You get:** ", "- **Must hold:** ", "- **Check with:** "}) {
        at = task.text.find(label, at);
        ASSERT_NE(at, std::string::npos) << handout.path << ": " << task.heading << " has no " << label;
      }
      EXPECT_NE(task.text.find("Example"), std::string::npos) << handout.path << ": " << task.heading;
      // A blank line on either side, or Markdown leaves what is between the tags as it is.
      for (const char* hint : {"1", "2", "3"}) {
        const std::string head = std::string("<details><summary>Hint ") + hint + "</summary>\n\n";
        const std::size_t at_hint = task.text.find(head), closed = task.text.find("</details>", at_hint);
        ASSERT_NE(at_hint, std::string::npos)
            << handout.path << ": " << task.heading << " lacks hint " << hint;
        EXPECT_EQ(task.text.substr(closed - 2, 2), "\n\n") << handout.path << ": " << task.heading;
        EXPECT_EQ(task.text.find("<code>"), std::string::npos) << handout.path << ": " << task.heading;
      }
      EXPECT_EQ(task.text[task.heading.size()], '\n') << handout.path << ": " << task.heading;
      EXPECT_EQ(task.text[task.heading.size() + 1], '\n') << handout.path << ": " << task.heading;
    }
  }
  EXPECT_GE(handouts().size(), 14u);
}

// A point is worth the same time wherever a student earns it: six minutes. Tasks beyond the points, which
// have 0, are not in a lab's hours.
TEST(Handouts, PointsAreTenPerHour) {
  for (const Handout& handout : handouts()) {
    double hours = 0, points = 0;
    for (const HandoutTask& task : handout.tasks) {
      hours += task.points > 0 ? task.hours : 0;
      points += task.points;
    }
    for (const HandoutTask& task : handout.tasks) {
      if (task.points == 0) continue;
      EXPECT_NEAR(task.points, 10 * task.hours, 0.5) << handout.path << ": " << task.heading;
    }
    static const std::regex stated(R"(\bAbout\s+([\d.]+)\s+hours?\.)"),
        sum(R"(\n## Tasks \((\d+) points\)\n)");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(handout.text, found, stated)) << handout.path;
    EXPECT_NEAR(std::stod(found[1]), hours, 0.5) << handout.path << ": the sum of its tasks' hours";
    ASSERT_TRUE(std::regex_search(handout.text, found, sum)) << handout.path;
    EXPECT_EQ(std::stod(found[1]), points) << handout.path << ": the sum of its tasks' points";
    const std::string entry = "| [" + handout.path.parent_path().filename().string() + "](";
    const std::string line = line_with(entry, content_of(source / "labs/README.md"));
    EXPECT_NE(line.find(" | " + found[1].str() + " | "), std::string::npos)
        << "labs/README.md: lab " << handout.number << " has " << found[1] << " points";
  }
}

TEST(Handouts, NeedOnlyWhatTheCourseTeachesBefore) {
  std::map<std::string, double> hours;
  for (const Step& step : steps()) {
    for (const std::string& need : step.needs)
      EXPECT_TRUE(hours.contains(need)) << "docs/course.md: lab " << step.lab << " needs " << need;
    hours[step.lab] = step.hours;
  }
  for (const Handout& handout : handouts()) {
    const std::vector<Step> all = steps();
    const auto mine = std::ranges::find(all, handout.number, &Step::lab);
    ASSERT_NE(mine, all.end()) << "docs/course.md has no lab " << handout.number;
    static const std::regex stated(R"(\bAbout\s+([\d.]+)\s+hours?\.)"), lab(R"(\blabs? (\d\d))");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(handout.text, found, stated)) << handout.path;
    EXPECT_EQ(std::stod(found[1]), mine->hours) << handout.path;
    const std::size_t begin = handout.text.find("**Before you start:**");
    ASSERT_NE(begin, std::string::npos) << handout.path;
    const std::string before = handout.text.substr(begin, handout.text.find("\n\n", begin) - begin);
    for (std::sregex_iterator at(before.begin(), before.end(), lab), end; at != end; ++at)
      EXPECT_TRUE(std::ranges::find(all.begin(), mine, (*at)[1].str(), &Step::lab) != mine)
          << handout.path << " needs lab " << (*at)[1] << ", which comes later";
  }
}

/// The hours of "02, 03" or "08 tasks 5 to 7", of tasks with points.
double hours_of_tasks(const std::string& cell, const std::vector<Handout>& all) {
  static const std::regex part(R"((\d\d)(?: tasks (\d+) to (\d+))?)");
  double hours = 0;
  for (std::sregex_iterator at(cell.begin(), cell.end(), part), end; at != end; ++at) {
    const auto handout = std::ranges::find(all, (*at)[1].str(), &Handout::number);
    if (handout == all.end()) throw std::invalid_argument("no lab " + (*at)[1].str());
    const std::size_t tasks = handout->tasks.size(), first = (*at)[2].matched ? std::stoul((*at)[2]) : 1,
                      last = (*at)[3].matched ? std::stoul((*at)[3]) : tasks;
    for (std::size_t i = first; i <= last; ++i)
      if (handout->tasks.at(i - 1).points > 0) hours += handout->tasks.at(i - 1).hours;
  }
  return hours;
}

TEST(Handouts, WeeksOfATermHaveTheHoursOfTheirTasks) {
  static const std::regex row(R"(\n\| (\d+) \| (\d\d[^|\[]*) \| [^|]+ \| [^|]+ \| ([^|]+) \| ([\d.]+) \|)");
  const std::string text = content_of(source / "docs/course.md");
  const std::vector<Handout> all = handouts();
  std::vector<int> weeks;
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
    weeks.push_back(std::stoi((*at)[1]));
    EXPECT_NEAR(std::stod((*at)[4]), hours_of_tasks((*at)[2], all), 1e-9) << at->str();
    EXPECT_EQ((*at)[3], (*at)[2]) << at->str();
  }
  EXPECT_EQ(weeks, (std::vector<int>{1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
}

TEST(Handouts, ReadingsOfATermAreHeadings) {
  std::map<std::string, fs::path> documents = {{"glossary", source / "docs/glossary.md"},
                                               {"the lens", source / "docs/lens.md"},
                                               {"student guide", source / "docs/student-guide.md"}};
  for (const Handout& handout : handouts()) documents["handout " + handout.number] = handout.path;
  static const std::regex reading(R"((handout \d\d|glossary|the lens|student guide), (\*[^*|]+\*)?)");
  const std::string text = content_of(source / "docs/course.md");
  int readings = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), reading), end; at != end; ++at, ++readings) {
    const std::string marked = (*at)[2];
    ASSERT_GT(marked.size(), 2u) << at->str() << at->suffix().str().substr(0, 40) << ": of which heading?";
    const std::string heading = marked.substr(1, marked.size() - 2);
    EXPECT_NE(content_of(documents.at((*at)[1])).find("# " + heading), std::string::npos)
        << "docs/course.md: " << at->str() << " is not there";
  }
  EXPECT_GE(readings, 15);
}

// Sections of the primer build on each other in their order.
TEST(Handouts, ReadingsTakeThePrimerFromItsBeginningToItsEnd) {
  static const std::regex row(R"(\n\| (\d+) \| [^|]+ \| primer, sections (\d+) to (\d+);)"),
      section(R"(\n## \d+\. )");
  const std::string text = content_of(source / "docs/course.md");
  const std::size_t sections = count_of(content_of(source / "docs/primer.md"), section);
  std::size_t read = 0, terms = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
    if ((*at)[1] == "1") read = 0, ++terms;
    EXPECT_EQ(std::stoul((*at)[2]), read + 1) << at->str();
    read = std::stoul((*at)[3]);
    if ((*at)[1] != "1") {
      EXPECT_EQ(read, sections) << at->str();
    }
  }
  EXPECT_EQ(terms, 2u);
}

/// The lectures of docs/slides.md: a lab's number, and the text of one lecture.
std::vector<std::pair<std::string, std::string>> lectures() {
  std::vector<std::pair<std::string, std::string>> all;
  std::string lab;
  bool in_code = false;
  for (const std::string& line : read_document(source / "docs/slides.md").lines) {
    if (line.starts_with("```")) in_code = !in_code;
    if (!in_code && line.starts_with("## ")) lab = line.substr(3, 2);
    if (lab.empty()) continue;
    if (!in_code && line.starts_with("#")) all.emplace_back(lab, "");
    all.back().second += line + "\n";
  }
  // A lab of two lectures begins with its heading and the handout's link only.
  std::erase_if(all, [](const auto& one) { return one.second.find("\n1. ") == std::string::npos; });
  return all;
}

TEST(Handouts, SlidesFollowTheOrderOfTheCourse) {
  std::vector<std::string> labs, in_course;
  for (const auto& [lab, text] : lectures())
    if (labs.empty() || labs.back() != lab) labs.push_back(lab);
  for (const Step& step : steps()) in_course.push_back(step.lab);
  EXPECT_EQ(labs, in_course);
  const std::string all = content_of(source / "docs/slides.md");
  for (const Handout& handout : handouts())
    EXPECT_NE(
        all.find("\n[Handout](../labs/" + handout.path.parent_path().filename().string() + "/README.md)"),
        std::string::npos)
        << handout.path;
}

TEST(Handouts, ALectureFillsItsMinutesAndHasWhatALecturerNeeds) {
  static const std::regex slide(R"(\n\d\. \*\*[^*]+\*\* \((\d+) min\)\. )"), numbered(R"(\n\d\. )"),
      draw(R"(\*Draw\*)"), question(R"(\n- \*Ask(, [^*]+)?:\*)"), answer(R"(\*Answer:\*)");
  for (const auto& [lab, text] : lectures()) {
    int minutes = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), slide), end; at != end; ++at)
      minutes += std::stoi((*at)[1]);
    EXPECT_EQ(minutes, 45) << "docs/slides.md: lab " << lab << ": " << text.substr(0, text.find('\n'));
    EXPECT_GE(count_of(text, slide), 5u) << lab;
    EXPECT_EQ(count_of(text, slide), count_of(text, numbered)) << lab << ": a slide without minutes";
    EXPECT_GE(count_of(text, draw), 2u) << lab << ": what to draw";
    EXPECT_EQ(count_of(text, question), count_of(text, answer)) << lab << ": a question and its answer";
    for (const char* line : {"\n- *Ask:* ", "\n- *Surprise:* ", "\n- *Students get wrong:* ", "\n- *Show:*"})
      EXPECT_NE(text.find(line), std::string::npos) << "docs/slides.md: lab " << lab << line;
    EXPECT_NE(text.find("```console\n$ build/emulator/bin/"), std::string::npos)
        << lab << ": a command to show, which commands_test runs";
  }
}

// Two weeks of the course are two lectures.
TEST(Handouts, LabsOfTwoWeeksHaveTwoLectures) {
  const std::string course = content_of(source / "docs/course.md");
  std::map<std::string, int> weeks, given;
  static const std::regex row(R"(\n\| \d+ \| (\d\d(?:, \d\d)*)(?: tasks [^|]*)? \| )");
  const std::size_t twelve = course.find("\n### Twelve weeks");
  const std::string term = course.substr(twelve, course.find("\n## ", twelve) - twelve);
  for (std::sregex_iterator at(term.begin(), term.end(), row), end; at != end; ++at)
    for (std::size_t place = 0; place < static_cast<std::size_t>((*at)[1].length()); place += 4)
      ++weeks[(*at)[1].str().substr(place, 2)];
  for (const auto& [lab, text] : lectures()) ++given[lab];
  for (const auto& [lab, count] : weeks) EXPECT_EQ(given[lab], count) << "docs/slides.md: lab " << lab;
  EXPECT_EQ(weeks.size(), 10u);
}

/// Where each concept of the glossary is taught: "primer", or a lab's number.
std::map<std::string, std::string> places_of_concepts() {
  const std::string text = content_of(source / "docs/course.md");
  const std::size_t begin = text.find("| concept | taught in |");
  std::map<std::string, std::string> places;
  static const std::regex row(R"(\| ([a-z, -]+) \| (primer|\d\d) \|)"), word("[a-z-]+");
  const std::string table = text.substr(begin);
  for (std::sregex_iterator at(table.begin(), table.end(), row), end; at != end; ++at) {
    const std::string words = (*at)[1];
    for (std::sregex_iterator one(words.begin(), words.end(), word); one != end; ++one)
      places[one->str()] = (*at)[2];
  }
  return places;
}

/// The field's own words in the glossary, as anchors.
std::set<std::string> concepts() {
  std::set<std::string> found;
  std::string part;
  for (const std::string& line : read_document(source / "docs/glossary.md").lines) {
    if (line.starts_with("## ")) part = line.substr(3);
    if (!line.starts_with("### ") || part == "warplab") continue;
    std::string anchor = line.substr(4);
    std::ranges::transform(anchor, anchor.begin(), [](unsigned char c) {
      return static_cast<char>(c == ' ' ? '-' : std::tolower(c));
    });
    found.insert(anchor);
  }
  return found;
}

/// The labs that a lab needs, and those that these need.
std::set<std::string> all_needs(const std::string& lab, const std::vector<Step>& all) {
  std::set<std::string> needs;
  const auto step = std::ranges::find(all, lab, &Step::lab);
  for (const std::string& need : step == all.end() ? std::vector<std::string>() : step->needs) {
    needs.insert(need);
    needs.merge(all_needs(need, all));
  }
  return needs;
}

TEST(Handouts, ConceptsAreTaughtInALabThatIsNeeded) {
  const std::vector<Step> all = steps();
  for (const auto& [word, place] : places_of_concepts())
    for (const Handout& handout : handouts()) {
      const std::string link = "glossary.md#" + word + ")";
      if (handout.number == place) {
        EXPECT_NE(handout.text.find(link), std::string::npos) << handout.path << " does not teach " << word;
      }
      const std::size_t tasks = handout.text.find("\n## Tasks"), end = handout.text.find("\n## ", tasks + 1);
      const bool is_used = handout.text.substr(tasks, end - tasks).find(link) != std::string::npos;
      EXPECT_TRUE(!is_used || place == "primer" || place == handout.number ||
                  all_needs(handout.number, all).contains(place))
          << handout.path << " uses " << word << ", which lab " << place << " teaches, and does not need it";
    }
}

TEST(Handouts, ConceptsAreTaughtBeforeTheyAreUsed) {
  const std::map<std::string, std::string> places = places_of_concepts();
  for (const std::string& word : concepts())
    EXPECT_TRUE(places.contains(word)) << "docs/course.md: where is " << word << " taught?";
  const std::vector<Step> all = steps();
  for (const auto& [word, place] : places) {
    EXPECT_TRUE(concepts().contains(word)) << "docs/course.md: " << word << " is not in the glossary";
    if (place == "primer") {
      EXPECT_NE(content_of(source / "docs/primer.md").find("glossary.md#" + word), std::string::npos)
          << "docs/primer.md does not teach " << word;
      continue;
    }
    const auto taught = std::ranges::find(all, place, &Step::lab);
    ASSERT_NE(taught, all.end()) << place;
    for (const Handout& handout : handouts()) {
      const std::size_t tasks = handout.text.find("\n## Tasks"), end = handout.text.find("\n## ", tasks + 1);
      const bool is_used =
          handout.text.substr(tasks, end - tasks).find("glossary.md#" + word + ")") != std::string::npos;
      const auto user = std::ranges::find(all, handout.number, &Step::lab);
      EXPECT_TRUE(!is_used || user >= taught)
          << handout.path << " uses " << word << ", which lab " << place << " teaches later";
    }
  }
}

/// A handout's prose, without code, tables, headings, pictures, comments, and the targets of links to pages.
std::string prose_of(const Handout& handout) {
  std::string prose;
  bool in_code = false;
  for (const std::string& line : read_document(handout.path).lines) {
    if (line.starts_with("```")) in_code = !in_code;
    if (in_code || line.starts_with("    ") || line.starts_with("|") || line.starts_with("#") ||
        line.starts_with("!") || line.starts_with("<!--"))
      continue;
    prose += std::regex_replace(line, std::regex(R"(`[^`]*`|\]\([^)#]*\))"), "") + "\n";
  }
  return prose;
}

/// Where a word of the glossary, or its plural, comes first, with what shows that it is linked; no match
/// where it does not come.
std::smatch first_use(const std::string& prose, const std::string& word) {
  const std::regex rest(R"((s|ed)?(?!\w)( conflicts?)?(\]\([^)]*#)?)", std::regex::icase);
  std::smatch found;
  const auto same = [](char a, char b) { return std::tolower(a) == b || (b == ' ' && a == '\n'); };
  for (auto at = prose.begin();; ++at) {
    at = std::search(at, prose.end(), word.begin(), word.end(), same);
    if (at == prose.end()) return {};
    const auto after = at + static_cast<std::ptrdiff_t>(word.size());
    const bool begins = at == prose.begin() || !std::isalnum(static_cast<unsigned char>(at[-1]));
    if (begins && std::regex_search(after, prose.end(), found, rest, std::regex_constants::match_continuous))
      return found;
  }
}

TEST(Handouts, WordsOfTheGlossaryAreLinkedWhereTheyComeFirst) {
  for (const Handout& handout : handouts()) {
    const std::string prose = prose_of(handout);
    for (const char* word : {"poison", "barrier", "tile", "bank", "lens", "guard zone", "request", "sector",
                             "wavefront", "race", "latency", "bandwidth"}) {
      const std::smatch found = first_use(prose, word);
      EXPECT_TRUE(found.empty() || found[3].matched)
          << handout.path << ": link '" << word << found.str() << "' to the glossary";
    }
  }
}

TEST(Handouts, FirstUsesOfWordsAreFound) {
  const std::string prose =
      "embankment, a bank of\n[guard\nzones](../x.md#guard-zone), Banks; bank conflicts";
  EXPECT_FALSE(first_use(prose, "bank")[3].matched);
  EXPECT_TRUE(first_use(prose, "guard zone")[3].matched);
  EXPECT_TRUE(first_use(prose, "wavefront").empty());
  const std::string linked = "embankments and [bank conflicts](glossary.md#bank)";
  EXPECT_TRUE(first_use(linked, "bank")[3].matched);
}

// Students cannot read the reports that the labs come from: what they found is an exercise.
TEST(Handouts, NameNoReport) {
  static const std::regex report(R"(\b[Tt]h(e|at) report'?s?\b(?! of)|\b[Rr]eport 00\d)");
  for (const Handout& handout : handouts()) {
    std::smatch found;
    EXPECT_FALSE(std::regex_search(handout.text, found, report)) << handout.path << ": " << found.str();
  }
}

TEST(Handouts, KernelsAndFoldersBesideThemNameNoReport) {
  static const std::regex report(R"([Rr]eport[ _-]0\d\d)"), text(R"(\.(cu|cuh|hpp|cpp|md|txt)$)"),
      kernel(R"(\.(cu|cuh|hpp)$)"), the_report(R"(\b[Tt]he\s+(?://+\s+)?report('s)?\b(?! of))");
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source / "labs")) {
    const std::string name = entry.path().lexically_relative(source).generic_string();
    EXPECT_FALSE(std::regex_search(name, report)) << name;
    if (!entry.is_regular_file() || !std::regex_search(name, text)) continue;
    ++files;
    std::smatch found;
    const std::string content = content_of(entry.path());
    EXPECT_FALSE(std::regex_search(content, found, report)) << name << ": " << found.str();
    if (std::regex_search(name, kernel)) {
      EXPECT_FALSE(std::regex_search(content, found, the_report)) << name << ": " << found.str();
    }
  }
  EXPECT_GT(files, 200);
}

TEST(Handouts, FoldLaddersUntilStudentsHavePredicted) {
  for (const Handout& handout : handouts())
    for (std::size_t at = 0; (at = handout.text.find("<!-- rungs of ", at)) != std::string::npos; ++at) {
      const std::size_t opened = handout.text.rfind("<details>", at),
                        closed = handout.text.rfind("</details>", at);
      EXPECT_TRUE(opened != std::string::npos && (closed == std::string::npos || opened > closed))
          << handout.path << ": a table with figures is not folded";
    }
}

TEST(Handouts, QuestionsHaveAPlaceForAnswersAndAKey) {
  int labs = 0;
  for (const Handout& handout : handouts()) {
    const fs::path folder = handout.path.parent_path();
    if (!fs::exists(folder / "answers.md")) continue;
    ++labs;
    const std::size_t begin = handout.text.find("\n## Questions"),
                      end = handout.text.find("\n## ", begin + 1);
    const std::size_t questions =
        count_of(handout.text.substr(begin, end - begin), std::regex(R"(\n\d+\. )"));
    const std::string answers = content_of(folder / "answers.md"), key = content_of(folder / "answer_key.md");
    EXPECT_EQ(count_of(answers, std::regex(R"(\n## \d+ \(at most \d+ words, \d points\))")), questions)
        << folder;
    static const std::regex entry(R"(## (\d+) \((\d) points\)\n([^#]*))"), part(R"(\n- (\d) points?)");
    std::size_t entries = 0;
    for (std::sregex_iterator at(key.begin(), key.end(), entry), none; at != none; ++at, ++entries) {
      const std::string rubric = (*at)[3];
      int points = 0;
      for (std::sregex_iterator one(rubric.begin(), rubric.end(), part); one != none; ++one)
        points += std::stoi((*one)[1]);
      EXPECT_NE(answers.find("## " + (*at)[1].str() + " (at most"), std::string::npos) << folder;
      EXPECT_NE(answers.find(" words, " + (*at)[2].str() + " points)"), std::string::npos) << folder;
      EXPECT_TRUE(points == std::stoi((*at)[2]) || rubric.find("point each") != std::string::npos)
          << folder << ": question " << (*at)[1] << ": the rubric has " << points << " points";
    }
    EXPECT_EQ(entries, questions) << folder;
  }
  EXPECT_GE(labs, 14);
}

TEST(Handouts, PicturesHaveATextAlternative) {
  int pictures = 0;
  static const std::regex picture(R"(!\[([^\]]*)\]\(([^)]*)\))");
  for (const fs::path& path : document_paths()) {
    const std::string text = content_of(path);
    for (std::sregex_iterator at(text.begin(), text.end(), picture), end; at != end; ++at) {
      EXPECT_GE((*at)[1].length(), 20) << path << ": " << (*at)[2] << " has no text alternative";
      if (!(*at)[2].str().ends_with(".svg") || (*at)[2].str().starts_with("https://")) continue;
      ++pictures;
      const std::string svg = content_of(path.parent_path() / (*at)[2].str());
      EXPECT_NE(svg.find("<title"), std::string::npos) << (*at)[2];
      EXPECT_NE(svg.find("<desc"), std::string::npos) << (*at)[2];
    }
  }
  EXPECT_GE(pictures, 8);
}

// Also of those that no document shows yet.
TEST(Handouts, DrawnPicturesHaveATitleAndADescription) {
  int pictures = 0;
  for (const auto& file : fs::recursive_directory_iterator(source / "docs")) {
    if (file.path().extension() != ".svg") continue;
    ++pictures;
    const std::string svg = content_of(file.path());
    EXPECT_EQ(unnamed_parts(svg), "") << file.path();
    EXPECT_TRUE(std::regex_search(svg, std::regex(R"(<desc[^>]*>[^<]{20})"))) << file.path();
  }
  EXPECT_GE(pictures, 20);
}

}  // namespace
}  // namespace warplab::house
