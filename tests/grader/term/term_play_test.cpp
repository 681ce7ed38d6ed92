// A whole term of forty students, with recorded grades: the marks must be those that were worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "common/host/bad_input.hpp"
#include "grader/batch/collect.hpp"
#include "grader/intake/intake.hpp"
#include "grader/judge/record_store.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/common/unnamed_parts.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

const fs::path data = fs::path(WARPLAB_SOURCE_DIR) / "tests/grader/term";
const std::vector<std::string> labs = {"vector_add", "matrix_add", "transpose"};

std::vector<std::string> fields_of(const std::string& line, char separator) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, separator);) fields.push_back(field);
  return fields;
}

std::vector<std::string> lines_in(const fs::path& file) {
  std::vector<std::string> lines = fields_of(content_of(file), '\n');
  std::erase_if(lines, [](const std::string& line) { return line.starts_with('#'); });
  return lines;
}

/// A term in a folder of its own: class/, downloads/<lab>/ and batches/<lab>/.
class PlayedTerm {
 public:
  PlayedTerm() : course_(Course::read(WARPLAB_SOURCE_DIR)) {
    fs::copy(data / "class", folder_ / "class");
    for (const std::string& line : lines_in(data / "hand_ins.txt")) {
      const std::vector<std::string> fields = fields_of(line, '\t');
      solved_[fields[0]][fields[1]] = "," + fields[2] + ",";
      folder_.write("downloads/" + fields[0] + "/" + fields[1] + "/" + "notes.txt", fields[1]);
    }
    fs::copy(data / "submission_metadata.yml", downloads("transpose"));
    for (const std::string& lab : labs) record(lab);
    for (const std::string& lab : labs) remarks_[lab] = collect_lab(lab);
  }

  const fs::path& folder() const { return folder_.path(); }
  const ScratchFolder& scratch() const { return folder_; }
  const std::vector<std::string>& remarks(const std::string& lab) const { return remarks_.at(lab); }
  fs::path downloads(const std::string& lab) const { return folder_.path() / "downloads" / lab; }
  fs::path batch(const std::string& lab) const { return folder_.path() / "batches" / lab; }

  /// Collects a lab's batch, with those before it. @return remarks
  std::vector<std::string> collect_lab(const std::string& lab) const {
    std::vector<fs::path> earlier;
    for (const std::string& before : labs) {
      if (before == lab) break;
      earlier.push_back(batch(before));
    }
    const ClassPlan plan = ClassPlan::read(course_, folder_ / "class/roster.csv", earlier,
                                           {"canvas", "moodle", "blackboard", "gradescope"});
    return collect(course_.only({lab}), batch(lab), downloads(lab), &plan).remarks;
  }

 private:
  /// What grading would leave: full points for a task that was solved, none for a stub.
  void record(const std::string& lab) {
    folder_.write("batches/" + lab + "/judge/seed", "00112233445566778899aabbccddeeff\n");
    const RecordStore store(batch(lab));
    for (const Submission& submission : find_submissions(downloads(lab))) {
      SubmissionRecord record;
      record.student = submission.student, record.source = submission.source;
      for (const Task& task : course_.find(lab)->tasks) {
        TaskRecord of_task;
        of_task.lab = lab, of_task.id = task.id, of_task.title = task.title, of_task.points = task.points;
        const bool solved = solved_[lab][submission.source].find("," + task.id + ",") != std::string::npos;
        of_task.status = solved ? TaskRecord::Status::judged : TaskRecord::Status::to_do;
        of_task.score = solved ? task.points : 0;
        record.tasks.push_back(of_task);
      }
      store.write(record);
    }
  }

  Course course_;
  std::map<std::string, std::map<std::string, std::string>> solved_;
  std::map<std::string, std::vector<std::string>> remarks_;
  ScratchFolder folder_;
};

/// The term is played once for all tests. Each leaves it as it was.
class TermPlay : public testing::Test {
 protected:
  static void SetUpTestSuite() { term_ = new PlayedTerm; }
  static void TearDownTestSuite() { delete term_; }
  static fs::path batch(const std::string& lab) { return term_->batch(lab); }

  /// Columns of the marks that expected_marks.csv has.
  std::vector<std::string> marks() const {
    std::vector<std::string> rows;
    for (const std::string& line : lines_in(batch("transpose") / "marks/marks.csv")) {
      const std::vector<std::string> f = fields_of(line, ',');
      rows.push_back(f[1] + "," + f[5] + "," + f[6] + "," + f[7] + "," + f[8] + "," + f[10] + "," + f[11]);
    }
    return rows;
  }

  /// Contents of all files of a folder, by their paths.
  static std::map<std::string, std::string> contents(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file()) files[entry.path().string()] = content_of(entry.path());
    return files;
  }

  static inline PlayedTerm* term_ = nullptr;
};

TEST_F(TermPlay, GivesTheMarksThatWereWorkedOutByHand) {
  const std::vector<std::string> expected = lines_in(data / "expected_marks.csv"), given = marks();
  ASSERT_EQ(expected.size(), 41u);
  ASSERT_EQ(given.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(given[i], expected[i]);
}

TEST_F(TermPlay, ListsWhoAndWhatIsMissing) {
  const std::vector<std::string>& remarks = term_->remarks("vector_add");
  const auto has = [&](const std::string& sentence) {
    return std::ranges::find(remarks, sentence) != remarks.end();
  };
  EXPECT_TRUE(
      has("studenttest_99999_790000_warplab-submission fits nobody in the roster; submissions.csv can "
          "name its student"));
  EXPECT_TRUE(has("2 students without a submission to vector_add: s36, s40"));
  EXPECT_NE(content_of(batch("vector_add") / "summary.md").find("fits nobody"), std::string::npos);
  const std::vector<std::string>& later = term_->remarks("transpose");
  EXPECT_NE(std::ranges::find(later, "3 students without a submission to transpose: s32, s37, s40"),
            later.end())
      << "those who handed in other labs are listed too";
}

TEST_F(TermPlay, ShowsEachStudentHowTheMarkCameAbout) {
  const auto page = [&](const std::string& name) {
    return content_of(batch("transpose") / "marks/feedback" / (name + ".md"));
  };
  EXPECT_NE(page("vector_add/s39").find("the handout named the wrong header"), std::string::npos);
  EXPECT_NE(page("vector_add/s39").find("You are right"), std::string::npos);
  EXPECT_NE(page("transpose/s39").find("refused"), std::string::npos);
  EXPECT_NE(page("matrix_add/s31").find("2 days late, 1 late day used, 10 % off"), std::string::npos);
  EXPECT_NE(page("matrix_add/s38").find("deadline extended to 2027-03-20 23:59"), std::string::npos);
  EXPECT_NE(page("transpose/s40").find("no submission"), std::string::npos);
}

TEST_F(TermPlay, NamesAllPartsOfPagesForAScreenReader) {
  int pages = 0;
  for (const auto& file : fs::recursive_directory_iterator(term_->folder() / "batches")) {
    if (file.path().extension() != ".html") continue;
    EXPECT_EQ(unnamed_parts(content_of(file.path())), "") << file.path().lexically_relative(term_->folder());
    ++pages;
  }
  EXPECT_GT(pages, 100);
}

TEST_F(TermPlay, MarksTravelToEachPlatform) {
  const fs::path folder = batch("transpose") / "marks";
  const std::string canvas = content_of(folder / "canvas.csv");
  EXPECT_TRUE(
      canvas.starts_with("Student,ID,SIS User ID,SIS Login ID,Section,Lab 02 (7001),Lab 03 (7002),Lab 07 "
                         "(7003)\n    Points Possible,,,,,30,30,80\n\"Abel, Ada\",9001,,s01,A,30,20,20\n"))
      << canvas;
  EXPECT_NE(canvas.find("\n\"Engel, Dora\",9036,,s36,B,,20,80\n"), std::string::npos) << canvas;
  EXPECT_NE(content_of(folder / "blackboard.xls").find("\nEngel\tDora\ts36\t9036\t\t20\t80\n"),
            std::string::npos);
  EXPECT_TRUE(fs::exists(folder / "feedback-canvas-vector_add.zip"));
}

TEST_F(TermPlay, CollectedAgainIsTheSameByteForByte) {
  const auto first = contents(batch("transpose"));
  fs::remove_all(batch("transpose") / "marks/feedback/transpose");  // as if it had been killed
  fs::remove(batch("transpose") / "marks/canvas.csv");
  term_->collect_lab("transpose");
  EXPECT_EQ(contents(batch("transpose")), first);
}

TEST_F(TermPlay, AMistakeInAnyTableLeavesAllAsItWas) {
  const auto before = contents(term_->folder() / "batches");
  const std::map<std::string, std::string> mistakes = {
      {"roster.csv", "id,login,name,section\n1,a,Ada,A\n2,a,Bob,A\n"},
      {"term.json", "{\"late\": {\"days\": \"two\"}}"},
      {"overrides.csv", "student,what,points,why,by\ns01,transpose/tiled,16,x,Lee\n"},
      {"requests.csv", "student,what,why\ns99,transpose,x\n"},
      {"extensions.csv", "student,lab,until\ns01,transpose,2027-04-31\n"},
      {"submissions.csv", "entry,submitted\nx,yesterday\n"}};
  for (const auto& [name, content] : mistakes) {
    const fs::path file = term_->folder() / "class" / name;
    const std::string good = content_of(file);
    term_->scratch().write("class/" + name, content);
    const std::string message = message_of<BadInput>([&] { term_->collect_lab("transpose"); });
    EXPECT_TRUE(message.starts_with(file.string() + ":")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_TRUE(contents(term_->folder() / "batches") == before) << name;
    term_->scratch().write("class/" + name, good);
  }
}

}  // namespace
}  // namespace warplab
