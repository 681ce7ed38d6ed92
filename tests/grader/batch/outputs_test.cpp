// What is made of records: gradebook, JUnit, Gradescope, feedback and the class's summary.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "grader/report/class_summary.hpp"
#include "grader/report/feedback.hpp"
#include "grader/report/gradebook.hpp"
#include "grader/report/gradescope.hpp"
#include "grader/report/junit.hpp"
#include "grader/report/outputs.hpp"
#include "grader/text/printable.hpp"
#include "grader/text/report_text.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/batch/sample_records.hpp"

namespace warplab {
namespace {

using test::hostile_record;
using test::hostile_text;
using test::sample_record;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The fields of a CSV text, by its own rules.
std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& field = rows.back().back();
    if (quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"')
      field += text[i++];
    else if (text[i] == '"')
      quoted = !quoted;
    else if (!quoted && text[i] == ',')
      rows.back().push_back("");
    else if (!quoted && text[i] == '\n')
      rows.push_back({""});
    else
      field += text[i];
  }
  EXPECT_FALSE(quoted);
  rows.pop_back();
  return rows;
}

/// Reads tags of XML or of our HTML: every one closed in order, attributes quoted, no stray marks.
/// @return "" or what is wrong
std::string faults_of_markup(const std::string& text, const std::vector<std::string>& unclosed) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 && byte != '\n' && byte != '\t') return "a control character";
    if (text[i] == '&') {
      const std::size_t end = text.find(';', i);
      if (end == std::string::npos || end > i + 7) return "a stray & at " + text.substr(i, 20);
    }
    if (text[i] != '<') continue;
    std::size_t end = i + 1;
    for (bool quoted = false; end < text.size() && (quoted || text[end] != '>'); ++end) {
      if (text[end] == '<') return "< within a tag: " + text.substr(i, 60);
      if (text[end] == '"') quoted = !quoted;
    }
    if (end >= text.size()) return "a tag that never ends";
    const std::string tag = text.substr(i + 1, end - i - 1);
    i = end;
    if (tag[0] == '!' || tag[0] == '?' || tag.back() == '/') continue;
    const std::string name = tag.substr(0, tag.find_first_of(" \n"));
    if (name == "style") i = text.find("</style>", i) - 1;
    if (name[0] == '/') {
      if (open.empty() || "/" + open.back() != name) return "</" + name + "> closes nothing";
      open.pop_back();
    } else if (std::find(unclosed.begin(), unclosed.end(), name) == unclosed.end()) {
      open.push_back(name);
    }
  }
  return open.empty() ? "" : open.back() + " is never closed";
}

std::string faults_of_html(const std::string& text) { return faults_of_markup(text, {"meta"}); }
std::string faults_of_xml(const std::string& text) { return faults_of_markup(text, {}); }

TEST(Points, ArePrintedWithoutNoiseAndNeverRoundedUp) {
  EXPECT_EQ(points_text(7.5), "7.5");
  EXPECT_EQ(points_text(10), "10");
  EXPECT_EQ(points_text(0), "0");
  EXPECT_EQ(points_text(100), "100");
  EXPECT_EQ(points_text(66.666666), "66.66");
  EXPECT_EQ(points_text(99.999), "99.99");
  EXPECT_EQ(points_text(0.1 + 0.2), "0.3");
  EXPECT_EQ(points_text(1.1 * 3), "3.3");
  double sum = 0;
  for (int i = 0; i < 100; ++i) sum += 0.1;
  ASSERT_NE(sum, 10);
  EXPECT_EQ(points_text(sum), "10");
}

TEST(ShownText, HasNoEscapesControlsOrHiddenCharactersAndEnds) {
  const std::string shown = shown_text(hostile_text);
  EXPECT_TRUE(holds(shown, "<script>")) << "what is text stays text";
  EXPECT_TRUE(holds(shown, " red ")) << shown;
  for (const char* part : {"\x1b", "[31m", "\xE2\x80\xAE", "title", "\xFF"})
    EXPECT_FALSE(holds(shown, part)) << shown;
  EXPECT_EQ(shown.find('\0'), std::string::npos);
  EXPECT_EQ(shown, valid_utf8(shown));
  EXPECT_EQ(shown_text("a\r\nb\tc\n\n"), "a\nb\tc");
  EXPECT_EQ(shown_line("a\r\nb\tc"), "a  b c");
  EXPECT_EQ(shown_text(std::string(1000, 'x'), 40, 10), "xxxxxxxxxx ... (990 more characters)");
  EXPECT_EQ(shown_text("1\n2\n3\n4", 2), "1\n2\n... (2 more lines)");
  for (const char* text :
       {"\x1b", "\x1b[", "\x1b[31", "\x1b]0;x", "\xC3", "\xF0\x9F\x98", "\xED\xA0\x80", "\xC0\x80"})
    EXPECT_EQ(shown_text(text), valid_utf8(shown_text(text)));
  EXPECT_EQ(valid_utf8("\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80"), "\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80");
  EXPECT_EQ(valid_utf8("\xC0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(PrintableName, KeepsDifferentNamesDifferent) {
  EXPECT_EQ(printable_name("Grace Hopper"), "Grace Hopper");
  EXPECT_EQ(printable_name("m\xC3\xBCller"), "m\xC3\xBCller");
  std::map<std::string, std::string> names;
  for (const std::string& name :
       {std::string("a\xFF"), std::string("a\xFE"), std::string("a_"), std::string("a\n"), std::string("a/"),
        std::string("a\\"), std::string(""), std::string("."), std::string(".."), std::string(".a"),
        std::string("a "), std::string(200, 'a'), std::string(201, 'a'), "a" + std::string(1, '\0')}) {
    const std::string printable = printable_name(name);
    EXPECT_TRUE(names.emplace(printable, name).second) << printable;
    EXPECT_TRUE(is_printable_name(printable)) << printable;
    EXPECT_FALSE(is_printable_name(name) && name != "a_");
    EXPECT_TRUE(is_printable_name(marked_name(printable, name)));
  }
  std::string umlauts;
  for (int i = 0; i < 150; ++i) umlauts += "\xC3\xBC";
  EXPECT_EQ(printable_name(umlauts), valid_utf8(printable_name(umlauts))) << "cut between characters";
}

TEST(Gradebook, HasAColumnALabAndATask) {
  SubmissionRecord bob = sample_record("bob");
  bob.problem = "it is encrypted; hand it in without a password";
  bob.status = SubmissionRecord::Status::not_gradable;
  bob.tasks.clear();
  const auto rows = csv_rows(gradebook_csv({sample_record("alice"), bob}));
  ASSERT_EQ(rows.size(), 3u);
  std::map<std::string, std::string> alice, other;
  for (std::size_t i = 0; i < rows[0].size(); ++i) {
    alice[rows[0][i]] = rows[1].at(i);
    other[rows[0][i]] = rows[2].at(i);
  }
  EXPECT_EQ(alice["student"], "alice");
  EXPECT_EQ(alice["status"], "graded");
  EXPECT_EQ(alice["total"], "55.83");
  EXPECT_EQ(alice["points"], "200");
  EXPECT_EQ(alice["transpose"], "22.5");
  EXPECT_EQ(alice["transpose/tiled"], "7.5");
  EXPECT_EQ(alice["vector_add/grid_stride"], "33.33");
  EXPECT_EQ(alice["problem"], "");
  EXPECT_EQ(other["status"], "problem");
  EXPECT_EQ(other["total"], "0");
  EXPECT_EQ(other["transpose/tiled"], "") << "not graded is not 0";
  EXPECT_EQ(other["problem"], bob.problem);
}

TEST(Gradebook, NoNameIsAFormula) {
  std::vector<SubmissionRecord> records;
  for (const char* name : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "a,\"b\"", "'quoted'"})
    records.push_back(sample_record(name));
  const auto rows = csv_rows(gradebook_csv(records));
  ASSERT_EQ(rows.size(), 8u);
  EXPECT_EQ(rows[1][0], "'=1+1");
  EXPECT_EQ(rows[2][0], "'+1");
  EXPECT_EQ(rows[3][0], "'-1");
  EXPECT_EQ(rows[4][0], "'@SUM(A1)");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].size(), rows[0].size());
    EXPECT_EQ(std::string("=+-@\t").find(rows[i][0][0]), std::string::npos) << rows[i][0];
  }
  EXPECT_EQ(rows[6][0], "a,\"b\"");
}

TEST(JUnit, CountsAndNamesWhatFailed) {
  const std::string xml = junit_xml({sample_record("alice")});
  EXPECT_EQ(faults_of_xml(xml), "") << xml;
  EXPECT_TRUE(holds(xml, "<testsuite name=\"alice\" tests=\"12\" failures=\"2\" errors=\"3\" skipped=\"3\">"))
      << xml;
  EXPECT_TRUE(holds(xml, "classname=\"alice.transpose.tiled\""));
  EXPECT_TRUE(holds(xml, "<skipped message=\"the check before it failed\"/>"));
  EXPECT_TRUE(holds(xml, "it does not compile"));
}

TEST(JUnit, NothingThatAStudentWroteBecomesXml) {
  const std::string xml = junit_xml({hostile_record("<a>&\"'"), hostile_record("]]>")});
  EXPECT_EQ(faults_of_xml(xml), "");
  EXPECT_FALSE(holds(xml, "<script"));
  EXPECT_FALSE(holds(xml, "]]>"));
}

TEST(Gradescope, FillsItsFields) {
  GradescopeOptions options;
  options.execution_time_s = 12.5;
  options.leaderboard = true;
  const auto json = gradescope_results(sample_record("alice"), options);
  EXPECT_EQ(json["score"], 55.83);
  EXPECT_EQ(json["execution_time"], 12.5);
  EXPECT_EQ(json["stdout_visibility"], "hidden");
  EXPECT_EQ(json["visibility"], "visible");
  EXPECT_EQ(json["leaderboard"][0]["value"], 55.83);
  const auto& tests = json["tests"];
  ASSERT_EQ(tests.size(), 12u);
  EXPECT_EQ(tests[0]["number"], "1.1.1");
  EXPECT_EQ(tests[0]["name"], "transpose/naive: right at public sizes");
  EXPECT_EQ(tests[0]["status"], "passed");
  EXPECT_EQ(tests[0]["max_score"], 5);
  EXPECT_EQ(tests[3]["status"], "failed");
  EXPECT_EQ(tests[3]["tags"], nlohmann::json({"transpose", "transpose/tiled", "hidden_cases"}));
  EXPECT_EQ(tests[3]["visibility"], "visible");
  EXPECT_EQ(
      tests[3]["output"],
      "kind of input: a size that no tile divides\nhappened: many elements are wrong\nhint: hint of tiled");
  EXPECT_EQ(tests[6]["number"], "1.3");
  EXPECT_TRUE(holds(tests[6]["output"], "it does not compile"));
  EXPECT_EQ(tests[10]["number"], "2.1.1");
  for (const auto& test : tests) {
    EXPECT_EQ(test["output_format"], "text") << "no student's text is taken for a page";
    EXPECT_TRUE(test["status"] == "passed" || test["status"] == "failed");
  }
}

TEST(Gradescope, HiddenChecksMayBeKeptBackAndNoPointsAreLostByHandingInAgain) {
  GradescopeOptions options;
  options.hidden_checks = Visibility::after_published;
  options.best_before = 90;
  const auto json = gradescope_results(sample_record("alice"), options);
  EXPECT_EQ(json["tests"][3]["visibility"], "after_published");
  EXPECT_EQ(json["tests"][2]["visibility"], "visible");
  EXPECT_EQ(json["score"], 90);
  EXPECT_EQ(json["extra_data"]["score_of_this_submission"], 55.83);
  EXPECT_TRUE(holds(json["output"], "An earlier submission reached 90 points, which you keep."));
  options.best_before = 10;
  EXPECT_EQ(gradescope_results(sample_record("alice"), options)["score"], 55.83);
}

TEST(Feedback, TellsPointsWhatHappenedTheReasonAndTheHint) {
  for (const std::string& text :
       {to_markdown(feedback_page(sample_record("alice"))), to_html(feedback_page(sample_record("alice")))}) {
    for (const char* part :
         {"alice", "55.83 of 200 points", "7.5 of 25 points", "A tile in shared memory",
          "at most 1.05 wavefronts per request", "32 wavefronts per request, ideal 1", "hint of tiled",
          "a size that no tile divides", "the check before it failed", "it does not compile", "31 |     }",
          "inline assembly", "it did not end within 20 s", "the stub is still there", "no such file",
          "What to do next", "warplab test transpose/tiled"})
      EXPECT_TRUE(holds(text, part)) << part << " is not in\n" << text;
    EXPECT_FALSE(holds(text, "hint of naive")) << "who has all the points needs no hint";
    EXPECT_FALSE(holds(text, "SECRET")) << "hidden checks tell the kind of input only";
    EXPECT_FALSE(holds(text, "out[33][65]"));
    EXPECT_TRUE(holds(text, "many elements are wrong"));
  }
}

TEST(Feedback, OfASubmissionThatCouldNotBeGradedSaysWhyAndWhatToDo) {
  SubmissionRecord record;
  record.student = "bob";
  record.source = "bob.rar";
  record.problem = "it is not an archive; hand in a folder, a .zip or a .tar.gz";
  record.status = SubmissionRecord::Status::not_gradable;
  const std::string text = to_markdown(feedback_page(record));
  EXPECT_TRUE(holds(text, "**Nothing could be graded:** it is not an archive"));
  EXPECT_TRUE(holds(text, "warplab pack"));
}

TEST(Feedback, OfFullPointsSaysThatNothingIsLeft) {
  SubmissionRecord record = sample_record("eve");
  record.tasks.resize(1);
  EXPECT_TRUE(holds(to_markdown(feedback_page(record)), "Nothing is left to do"));
}

TEST(Pages, NothingThatAStudentWroteBecomesPartOfThem) {
  const std::vector<SubmissionRecord> records = {hostile_record("<img src=x onerror=alert(1)>"),
                                                 hostile_record("](javascript:alert)")};
  for (const Page& page : {feedback_page(records[0]), feedback_page(records[1]), overview_page(records[0]),
                           class_page(records, {hostile_text}, {})}) {
    const std::string html = to_html(page), markdown = to_markdown(page);
    EXPECT_EQ(faults_of_html(html), "");
    for (const char* part : {"<script", "<img", "\x1b", "\xE2\x80\xAE"}) {
      EXPECT_FALSE(holds(html, part)) << part;
    }
    EXPECT_LT(html.size(), 100'000u) << "long lines are cut";
    for (const std::string& text : {html, markdown}) {
      EXPECT_EQ(text.find('\0'), std::string::npos);
      EXPECT_EQ(text, valid_utf8(text));
    }
    // Tags may be only in blocks of code, whose fence the text cannot close.
    std::istringstream lines(markdown);
    std::string fence;
    for (std::string line; std::getline(lines, line);) {
      const std::string words = line.substr(std::min(line.find_first_not_of(' '), line.size()));
      if (fence.empty() && words.starts_with("```")) {
        fence = words;
      } else if (words == fence) {
        fence.clear();
      } else if (fence.empty()) {
        EXPECT_EQ(line.find('<'), std::string::npos) << line;
        for (std::size_t i = line.find_first_of("[]`*~|$"); i != std::string::npos && !line.starts_with("|");
             i = line.find_first_of("[]`*~|$", i + 1)) {
          const bool ours = line.starts_with("**") && line[i] == '*';  // a label
          EXPECT_TRUE(ours || (i > 0 && line[i - 1] == '\\')) << line;
        }
      }
    }
    EXPECT_EQ(fence, "");
  }
}

TEST(Pages, LeadToStudentsWithWhateverNames) {
  SubmissionRecord record = sample_record("Zoë (b)\"?#%");
  const Page page = class_page({record}, {}, {});
  EXPECT_TRUE(
      holds(to_html(page), "<a href=\"feedback/Zo%C3%AB%20%28b%29%22%3F%23%25.html\">Zoë (b)&quot;?#%</a>"))
      << to_html(page);
  EXPECT_TRUE(holds(to_markdown(page), "](feedback/Zo%C3%AB%20%28b%29%22%3F%23%25.md)")) << to_markdown(page);
}

TEST(Feedback, OfATaskThatWasNotJudgedSaysWhyOnce) {
  SubmissionRecord record = sample_record("eve");
  TaskRecord& task = record.tasks.at(0);
  task.status = TaskRecord::Status::to_do;
  for (Check& check : task.checks) {
    check.status = Check::Status::not_run;
    check.reason = "the file was not run";
  }
  record.tasks.resize(1);
  const std::string text = to_markdown(feedback_page(record));
  EXPECT_TRUE(holds(text, task.checks[0].name)) << text;
  EXPECT_FALSE(holds(text, "the file was not run")) << text;
}

// On a telephone a line of code, or a report of the emulator, is cut off unless it wraps.
TEST(Pages, WrapWhatIsShownAsItIs) {
  const std::string html = to_html(Page{"x", {Verbatim{std::string(200, 'x')}}});
  const std::size_t rule = html.find("\npre{");
  ASSERT_NE(rule, std::string::npos);
  EXPECT_NE(html.substr(rule, html.find('}', rule) - rule).find("white-space:pre-wrap"), std::string::npos);
}

TEST(Pages, AreTheSameBytesForTheSameRecords) {
  const std::vector<SubmissionRecord> records = {sample_record("alice"), sample_record("bob")};
  EXPECT_EQ(to_html(feedback_page(records[0])), to_html(feedback_page(records[0])));
  EXPECT_EQ(to_html(class_page(records, {}, {})), to_html(class_page(records, {}, {})));
  EXPECT_EQ(junit_xml(records), junit_xml(records));
  EXPECT_EQ(gradebook_csv(records), gradebook_csv(records));
  EXPECT_EQ(gradescope_results(records[0]).dump(), gradescope_results(records[0]).dump());
}

TEST(Outputs, AreWrittenWholeAndTheSameBytesFromTheRecordsAlone) {
  const ScratchFolder scratch;
  const RecordStore store(scratch.path());
  for (const char* student : {"bob", "alice"}) store.write(hostile_record(student));
  std::map<std::string, std::string> first;
  for (int round = 0; round < 2; ++round) {
    const RecordStore::Contents contents = store.read_all();
    for (const SubmissionRecord& record : contents.records) write_student_outputs(scratch.path(), record);
    write_class_outputs(scratch.path(), contents, {});
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch.path()))
      if (entry.is_regular_file())
        files[entry.path().lexically_relative(scratch.path()).string()] = content_of(entry.path());
    EXPECT_TRUE(round == 0 || files == first);
    first = files;
  }
  std::set<std::string> expected = {"gradebook.csv", "junit.xml", "summary.md", "summary.html"};
  for (const std::string student : {"alice", "bob"})
    expected.merge(std::set<std::string>{"records/" + student + ".json", "feedback/" + student + ".md",
                                         "feedback/" + student + ".html", "gradescope/" + student + ".json"});
  std::set<std::string> written;
  for (const auto& [path, content] : first) {
    written.insert(path);
    EXPECT_FALSE(content.empty()) << path;
  }
  EXPECT_EQ(written, expected);
  EXPECT_TRUE(nlohmann::json::accept(first["gradescope/bob.json"]));
  EXPECT_THROW(write_student_outputs(scratch.path(), sample_record("../evil")), std::invalid_argument);
}

TEST(ClassSummary, CountsScoresTasksFailuresAndProblems) {
  SubmissionRecord full = sample_record("carol"), none = sample_record("dave");
  full.digest = std::string(64, 'c');
  full.tasks.resize(1);
  none.problem = "it is encrypted";
  none.status = SubmissionRecord::Status::not_gradable;
  none.tasks.clear();
  const std::string text = to_markdown(
      class_page({sample_record("alice"), sample_record("bob"), full, none}, {"x.json was left out"},
                 {{"alice", "bob", {{{"07_transpose", "transpose_tiled.cu"}, 0.955, false}}}}));
  EXPECT_TRUE(holds(text, "4 submissions, of which 3 could be graded.")) << text;
  EXPECT_TRUE(holds(text, "Of 200 points: median 35.41, mean 31.66, highest 55.83, lowest 0.")) << text;
  EXPECT_TRUE(holds(text, "| transpose/naive | 15 | 3 | 0 | 0 | 0 |")) << text;
  EXPECT_TRUE(holds(text, "| transpose/tiled | 25 | 0 | 2 | 0 | 0 |")) << text;
  EXPECT_TRUE(holds(text, "| transpose/tiled\\_swizzled | 10 | 0 | 0 | 2 | 2 |")) << text;
  EXPECT_TRUE(holds(text, "| transpose/tiled | right at hidden sizes | 2 |")) << text;
  EXPECT_TRUE(holds(text, "| [dave](feedback/dave.md) | dave.zip | it is encrypted |"));
  EXPECT_TRUE(holds(text, "| [alice](feedback/alice.md) | 55.83 | ███ 1 of 8 |")) << text;
  EXPECT_TRUE(holds(text, "it did not end within 20 s"));
  EXPECT_TRUE(holds(text, "Tasks whose files did not compile:")) << text;
  EXPECT_TRUE(holds(text, "| [bob](feedback/bob.md) | transpose/tiled\\_padded |")) << text;
  EXPECT_TRUE(holds(text, "31:5: error: expected ';' |")) << "only the compiler's first line: " << text;
  EXPECT_TRUE(holds(text, "x.json was left out"));
  EXPECT_TRUE(holds(text, "| alice, bob | dddddddddddd |")) << "all files are the same";
  EXPECT_TRUE(holds(text, "transpose\\_tiled.cu (95 %)"));
  EXPECT_TRUE(holds(to_markdown(class_page({}, {}, {})), "There are no records."));
  EXPECT_TRUE(holds(to_markdown(class_page({full}, {}, {})), "Every submission could be graded"));
}

}  // namespace
}  // namespace warplab
