#include "grader/people/matching.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/host/bad_input.hpp"
#include "grader/people/plain_words.hpp"

namespace warplab {
namespace {

bool has_form(const Student& student, const std::string& squashed_name) {
  const std::vector<std::string> forms = squashed_forms(student.name);
  return std::ranges::find(forms, squashed_name) != forms.end();
}

/// "Group 7" as GitHub and Canvas name it.
std::string slug(const std::string& name) {
  std::string text = lower_case(name);
  std::ranges::replace(text, ' ', '-');
  return text;
}

}  // namespace

Matcher::Students Matcher::by_gradescope(const GradescopeEntry& entry) const {
  Students found;
  for (const GradescopeEntry::Submitter& submitter : entry.submitters)
    for (const Student& student : roster_.students)
      if ((!submitter.sid.empty() && student.id == submitter.sid) ||
          (!submitter.email.empty() && lower_case(student.email) == lower_case(submitter.email)))
        found.push_back(&student);
  return found;
}

Matcher::Students Matcher::by_key(const std::string& key) const {
  const std::string wanted = lower_case(key);
  for (const Student& student : roster_.students)
    for (const std::string* known : {&student.login, &student.id, &student.email, &student.github})
      if (!known->empty() && lower_case(*known) == wanted) return {&student};
  for (const Student& student : roster_.students)
    if (!student.group.empty() && squashed(student.group) == squashed(key))
      return roster_.group(student.group);
  return {};
}

Matcher::Students Matcher::by_name(const std::string& squashed_name) const {
  Students found;
  for (const Student& student : roster_.students)
    if (!squashed_name.empty() && has_form(student, squashed_name)) found.push_back(&student);
  return found;
}

Matcher::Students Matcher::by_end(const std::string& text, char before) const {
  const std::string lower = lower_case(text);
  Students found;
  std::size_t longest = 0;
  const auto consider = [&](const std::string& key, const Students& students) {
    if (key.size() <= longest || !lower.ends_with(before + key)) return;
    longest = key.size();
    found = students;
  };
  for (const Student& student : roster_.students) {
    consider(lower_case(student.login), {&student});
    if (!student.github.empty()) consider(lower_case(student.github), {&student});
    if (!student.group.empty()) consider(slug(student.group), roster_.group(student.group));
  }
  return found;
}

Matcher::Students Matcher::by_platform(const EntryName& name, const std::string& entry) const {
  switch (name.platform) {
    case EntryName::Platform::canvas:
      for (const Student& student : roster_.students)
        if (student.id == name.number) return {&student};
      break;
    case EntryName::Platform::blackboard:
      return by_end("_" + name.who, '_');
    case EntryName::Platform::moodle:
    case EntryName::Platform::gradescope:
      break;
    case EntryName::Platform::plain: {
      if (Students found = by_key(entry); !found.empty()) return found;
      if (Students found = by_name(squashed(entry)); !found.empty()) return found;
      const std::string first = without_version(entry);
      if (first != entry) {  // before groups: "jdoe-2" is not of group 2
        if (Students found = by_key(first); !found.empty()) return found;
        if (Students found = by_name(squashed(first)); !found.empty()) return found;
      }
      if (Students found = by_end(entry, '-'); !found.empty()) return found;
      return first == entry ? Students{} : by_platform({name.platform, first}, first);
    }
  }
  if (Students found = by_key(name.who); !found.empty()) return found;
  return by_name(squashed(name.who));
}

std::vector<const Student*> Matcher::students_of(const std::string& entry) const {
  const std::string name = without_archive_ending(entry);
  if (const auto row = written_.find(name); row != written_.end()) {
    if (const Student* const student = roster_.find(row->second)) return {student};
    return by_key(row->second);
  }
  if (const auto listed = gradescope_.find(name); listed != gradescope_.end())
    return by_gradescope(listed->second);
  Students found = by_platform(entry_name(name), name);
  const bool is_group =
      !found.empty() && !found[0]->group.empty() &&
      std::ranges::all_of(found, [&](const Student* s) { return s->group == found[0]->group; });
  if (found.size() > 1 && !is_group)
    throw BadInput(fmt::format("{} fits {} ({}) and {} ({}); name its student in submissions.csv", entry,
                               found[0]->name, found[0]->place, found[1]->name, found[1]->place));
  return found;
}

}  // namespace warplab
