#include "grader/report/outputs.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "common/io/atomic_file.hpp"
#include "grader/report/class_summary.hpp"
#include "grader/report/feedback.hpp"
#include "grader/report/gradebook.hpp"
#include "grader/report/junit.hpp"
#include "grader/text/printable.hpp"

namespace warplab {
namespace fs = std::filesystem;

void write_student_outputs(const fs::path& folder, const SubmissionRecord& record,
                           const GradescopeOptions& options) {
  if (!is_printable_name(record.student))
    throw std::invalid_argument("'" + shown_line(record.student) + "' is not a name that a record can have");
  const Page page = feedback_page(record);
  const fs::path feedback = made_folder(folder / "feedback"), gradescope = made_folder(folder / "gradescope");
  write_file_atomically(feedback / (record.student + ".md"), to_markdown(page));
  write_file_atomically(feedback / (record.student + ".html"), to_html(page));
  write_file_atomically(gradescope / (record.student + ".json"),
                        gradescope_results(record, options).dump(1) + "\n");
}

void write_class_outputs(const fs::path& folder, const RecordStore::Contents& contents,
                         const std::vector<SimilarPair>& similar) {
  made_folder(folder);
  const Page page = class_page(contents.records, contents.problems, similar);
  write_file_atomically(folder / "gradebook.csv", gradebook_csv(contents.records));
  if (const std::string clock = clock_csv(contents.records); !clock.empty())
    write_file_atomically(folder / "clock.csv", clock);
  else
    fs::remove(folder / "clock.csv");
  write_file_atomically(folder / "junit.xml", junit_xml(contents.records));
  write_file_atomically(folder / "summary.md", to_markdown(page));
  write_file_atomically(folder / "summary.html", to_html(page));
}

}  // namespace warplab
