#include "grader/marks/marks_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "common/io/file_content.hpp"
#include "grader/answers/written_part.hpp"
#include "grader/intake/archive.hpp"
#include "grader/marks/feedback_files.hpp"
#include "grader/marks/mark_tables.hpp"
#include "grader/marks/marking_page.hpp"
#include "grader/text/report_text.hpp"
#include "grader/text/sha256.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// Writes a page that can be made again: whole or not at all, and without waiting for the disk, since a class
/// has thousands.
void write_page(const fs::path& file, const std::string& content) {
  const fs::path partial = file.string() + ".partial";
  if (file_content(file) == content) {
    fs::remove(partial);  // of a run that was killed
    return;
  }
  std::ofstream out(partial, std::ios::binary);
  out << content;
  out.close();
  std::error_code error;
  if (out) fs::rename(partial, file, error);
  if (!out || error) throw BadInput("cannot write " + file.string());
}

/// Takes away pages of students and labs that the book no longer has.
void remove_old_pages(const fs::path& feedback, const std::set<fs::path>& pages) {
  std::vector<fs::path> old;
  for (const auto& lab : fs::directory_iterator(feedback)) {
    if (!lab.is_directory() || lab.is_symlink()) continue;
    for (const auto& page : fs::directory_iterator(lab.path())) {
      const std::string kind = page.path().extension().string();
      if ((kind == ".md" || kind == ".html") && !pages.contains(page.path())) old.push_back(page.path());
    }
  }
  for (const fs::path& page : old) {
    fs::remove(page);
    std::error_code not_empty;
    fs::remove(page.parent_path(), not_empty);
  }
}

/// Takes away the pages of a folder.
void remove_pages(const fs::path& folder) {
  std::vector<fs::path> pages;
  for (const auto& file : fs::directory_iterator(folder))
    if (file.path().extension() == ".html") pages.push_back(file.path());
  for (const fs::path& page : pages) fs::remove(page);
}

/// Where a run leaves the digest of a table that it wrote, by which a later one knows whether somebody
/// changed it.
fs::path digest_file(const fs::path& table) { return table.string() + ".sha256"; }

/// As sha256sum writes it.
std::string digest_line(const fs::path& table) {
  return sha256(file_content(table)) + "  " + table.filename().string() + "\n";
}

/// Whether the class's own table has what a row of another has.
bool has_row(const ClassFiles& files, const WrittenPoints& row) {
  if (!row.points && row.remark.empty()) return true;  // nothing was filled in
  return std::ranges::any_of(files.written, [&](const WrittenPoints& known) {
    constexpr double noise = 1e-4;  // tables have six digits
    const bool is_same = known.points && row.points ? std::abs(*known.points - *row.points) < noise
                                                    : known.points == row.points;
    return known.login == row.login && known.lab == row.lab && known.part == row.part && is_same &&
           known.remark == row.remark;
  });
}

/// Why a table of points for answers must not be written again: a sentence if somebody changed it and it has
/// points or remarks that the class's own table does not have, or "".
std::string points_at_risk(const fs::path& table, const Course& course, const ClassFiles& files) {
  if (file_content(digest_file(table)) == digest_line(table)) return "";
  try {
    for (const WrittenPoints& one : read_written_points(table, {course, files.roster, files.term}))
      if (!has_row(files, one))
        return fmt::format(
            "{} has points or a remark for {} of {} to {} that the class's written.csv does not have, and "
            "was left as it is; copy it there, or remove it",
            table.string(), one.part, one.login, one.lab);
  } catch (const BadInput& error) {
    return fmt::format("{}, so it was left as it is; remove it if nothing in it is needed", error.what());
  }
  return "";
}

/// "feedback-canvas-transpose.zip"
std::string feedback_archive(MarkPlatform platform, const std::string& lab) {
  return fmt::format("feedback-{}-{}.zip", name_of(platform), lab);
}

/// @return the names of the files that it wrote
std::set<std::string> write_export(const fs::path& marks, MarkPlatform platform, const Book& book,
                                   const Term& term, std::vector<std::string>& remarks) {
  std::set<std::string> written;
  const auto write = [&](const std::string& name, const std::string& content) {
    write_file_atomically(marks / name, content);
    written.insert(name);
  };
  const MarkExport made = mark_export(platform, book, term);
  remarks.insert(remarks.end(), made.remarks.begin(), made.remarks.end());
  for (const auto& [name, content] : made.files) write(name, content);
  for (std::size_t lab = 0; lab < book.labs.size(); ++lab) {
    std::map<std::string, ZipFile> files;
    for (auto& [name, content] : feedback_for_upload(platform, book, lab, term)) files[name] = {content};
    if (!files.empty()) write(feedback_archive(platform, book.labs[lab]), zip_of(files));
  }
  return written;
}

/// Whether a file has the name of an export, of any platform and any lab.
bool is_export(const std::string& name) {
  const auto is_of_lab = [&](const std::string& before, const std::string& after) {
    if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after))
      return false;
    const std::string stem = name.substr(before.size(), name.size() - before.size() - after.size());
    return stem.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
  };
  return std::ranges::any_of(all_mark_platforms(), [&](MarkPlatform platform) {
    const std::string of = name_of(platform);
    return name == of + ".csv" || name == of + ".xls" || is_of_lab(of + "-", ".csv") ||
           is_of_lab("feedback-" + of + "-", ".zip");
  });
}

/// Takes away what an earlier run exported and this one did not: it may hold other marks.
void remove_old_exports(const fs::path& marks, const std::set<std::string>& written) {
  std::vector<fs::path> old;
  for (const auto& file : fs::directory_iterator(marks)) {
    const std::string name = file.path().filename().string();
    if (file.is_regular_file() && is_export(name) && !written.contains(name)) old.push_back(file.path());
  }
  for (const fs::path& file : old) fs::remove(file);
}

}  // namespace

std::vector<std::string> write_marks(const fs::path& folder, const Book& book, const Term& term,
                                     const std::vector<MarkPlatform>& platforms) {
  const fs::path marks = made_folder(folder / "marks");
  std::vector<std::string> remarks = book.remarks;
  write_file_atomically(marks / "marks.csv", marks_csv(book));
  write_file_atomically(marks / "marks_by_lab.csv", marks_by_lab_csv(book, term));
  const fs::path feedback = made_folder(marks / "feedback");
  std::set<fs::path> pages;
  for (const StudentMarks& row : book.rows)
    for (const LabMark& lab : row.labs) {
      const fs::path place = made_folder(feedback / lab.lab) / row.student->login;
      const Page page = mark_page(row, lab, term);
      write_page(*pages.insert(place.string() + ".md").first, to_markdown(page));
      write_page(*pages.insert(place.string() + ".html").first, to_html(page));
    }
  remove_old_pages(feedback, pages);
  std::set<std::string> written;
  for (const MarkPlatform platform : all_mark_platforms())
    if (std::ranges::find(platforms, platform) != platforms.end())
      written.merge(write_export(marks, platform, book, term, remarks));
  remove_old_exports(marks, written);
  return remarks;
}

std::vector<std::string> write_marking(const fs::path& folder, const Course& course, const Book& book,
                                       const ClassFiles& files) {
  const fs::path answers = folder / "marks" / "answers", table = answers / "written.csv";
  std::vector<std::string> remarks;
  if (fs::exists(answers)) remove_pages(answers);
  for (const Lab& lab : course.labs) {
    const std::vector<AnsweringStudents> students = answering_students(book, lab.stem);
    if (students.empty()) continue;
    write_page(made_folder(answers) / (lab.stem + ".html"), marking_page(lab, book, files));
    const std::vector<WrittenQuestion> questions = written_questions(lab);
    const auto waiting = std::ranges::count_if(students, [&](const AnsweringStudents& one) {
      return marked_questions(one, questions) < questions.size();
    });
    remarks.push_back(fmt::format("answers to {} from {}, {} not marked to the end: marks/answers/{}.html",
                                  lab.stem, counted(students.size(), "submission"), waiting, lab.stem));
  }
  const bool has_answers = !remarks.empty();
  for (const Lab& lab : course.labs)
    for (const WrittenPoints* points : points_for_old_answers(lab, book))
      remarks.push_back(fmt::format("{} of {} to {} changed after it was marked", points->part, points->login,
                                    points->lab));
  if (const std::string why = points_at_risk(table, course, files); !why.empty()) {
    remarks.push_back(why);
  } else if (has_answers) {
    write_page(table, marking_table(course, book, files));
    write_page(digest_file(table), digest_line(table));
  } else {
    fs::remove(table);
    fs::remove(digest_file(table));
  }
  return remarks;
}

}  // namespace warplab
