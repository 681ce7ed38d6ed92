#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warplab {

/// A student of the class, as a row of the roster has it.
struct Student {
  std::string id;            ///< the learning platform's number of the student
  std::string login;         ///< names files and rows; of no other student
  std::string name;          ///< "Jane Doe" or "Doe, Jane"
  std::string section = {};  ///< or ""
  std::string group = {};    ///< of those who hand in together, or ""
  std::string email = {};    ///< or ""
  std::string github = {};   ///< user name there, or ""
  unsigned extra_days = 0;   ///< late days beyond those of everybody
  std::string place = {};    ///< "roster.csv:7"
};

/// Everybody in the class, in the order of the file.
struct Roster {
  std::vector<Student> students;

  /// @param sections the class's; empty where any is allowed
  /// @throws BadInput, a sentence with the line, for a table that is not a roster, an id, login, e-mail
  /// address or GitHub name that two students have, a login that cannot name a file, an unknown section
  static Roster read(const std::filesystem::path& file, const std::vector<std::string>& sections = {});

  /// The student of a login or an id, or null. Case does not matter.
  const Student* find(const std::string& login_or_id) const;
  /// Those of a group, in the order of the file.
  std::vector<const Student*> group(const std::string& name) const;
};

}  // namespace warplab
