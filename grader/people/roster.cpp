#include "grader/people/roster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/host/bad_input.hpp"
#include "grader/people/csv_table.hpp"
#include "grader/people/plain_words.hpp"
#include "grader/text/printable.hpp"

namespace warplab {
namespace {

const CsvColumns roster_columns{{"id", "login", "name"},
                                {"section", "group", "extra_days", "email", "github"}};

Student student_of(const CsvRow& row, const std::vector<std::string>& sections) {
  Student student{row.required("id"), row.required("login"), row.required("name"), row["section"],
                  row["group"],       row["email"],          row["github"],        row.count("extra_days", 0),
                  row.place()};
  if (!is_printable_name(student.login) || student.login.find(' ') != std::string::npos)
    row.fail(fmt::format("the login '{}' cannot name a file", shown_line(student.login, 80)));
  if (shown_line(student.name) != student.name || student.name.size() > 150)
    row.fail("the name has more than 150 bytes, or characters that cannot be shown");
  if (!sections.empty() && std::ranges::find(sections, student.section) == sections.end())
    row.fail(fmt::format(
        "{}; known sections: {}",
        student.section.empty() ? "the student has no section" : "unknown section '" + student.section + "'",
        fmt::join(sections, ", ")));
  return student;
}

}  // namespace

Roster Roster::read(const std::filesystem::path& file, const std::vector<std::string>& sections) {
  Roster roster;
  std::map<std::string, std::string> taken;  // "login jdoe": the place of who has it
  for (const CsvRow& row : read_csv_rows(file, roster_columns)) {
    Student student = student_of(row, sections);
    for (const char* column : {"id", "login", "email", "github"}) {
      if (row[column].empty()) continue;
      const auto [other, is_new] = taken.emplace(column + (" " + lower_case(row[column])), row.place());
      if (!is_new)
        row.fail(fmt::format("the {} '{}' is that of {} as well", column, row[column], other->second));
    }
    roster.students.push_back(std::move(student));
  }
  if (roster.students.empty()) throw BadInput(file.string() + ":1: the roster has no students");
  for (const Student& student : roster.students) {
    const Student* const other = roster.find(student.id);
    if (other != &student)
      throw BadInput(
          fmt::format("{}: the id '{}' is the login of {}", student.place, student.id, other->place));
    for (const std::string* name : {&student.github, &student.email})
      if (const Student* const owner = name->empty() ? nullptr : roster.find(*name);
          owner && owner != &student)
        throw BadInput(fmt::format("{}: '{}' is the login or id of {}", student.place, *name, owner->place));
  }
  return roster;
}

const Student* Roster::find(const std::string& login_or_id) const {
  const std::string wanted = lower_case(login_or_id);
  const auto found = std::ranges::find_if(students, [&](const Student& student) {
    return lower_case(student.login) == wanted || lower_case(student.id) == wanted;
  });
  return found == students.end() ? nullptr : &*found;
}

std::vector<const Student*> Roster::group(const std::string& name) const {
  std::vector<const Student*> members;
  for (const Student& student : students)
    if (!name.empty() && student.group == name) members.push_back(&student);
  return members;
}

}  // namespace warplab
