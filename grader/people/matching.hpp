#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/people/entry_name.hpp"
#include "grader/people/gradescope_export.hpp"
#include "grader/people/roster.hpp"

namespace warplab {

/// Finds whose an entry is, by the first of these that fits somebody: what the instructor wrote, Gradescope's
/// list, the platform's number, login, e-mail address, GitHub name or group as a whole, the name in the form
/// that the platform gives it, and at the end of a repository's or of Blackboard's name the login.
class Matcher {
 public:
  /// @param written entries (without endings) and their students' logins, as the instructor has them
  Matcher(const Roster& roster, std::map<std::string, std::string> written,
          std::map<std::string, GradescopeEntry> gradescope)
      : roster_(roster), written_(std::move(written)), gradescope_(std::move(gradescope)) {}

  /// The students that an entry is from: one, those of a group, or none.
  /// @param entry its name as handed in
  /// @throws BadInput if two fit, with both places in the roster
  std::vector<const Student*> students_of(const std::string& entry) const;

 private:
  using Students = std::vector<const Student*>;
  Students by_gradescope(const GradescopeEntry& entry) const;
  Students by_key(const std::string& key) const;
  Students by_name(const std::string& squashed_name) const;
  Students by_end(const std::string& text, char before) const;
  Students by_platform(const EntryName& name, const std::string& entry) const;

  const Roster& roster_;
  std::map<std::string, std::string> written_;
  std::map<std::string, GradescopeEntry> gradescope_;
};

}  // namespace warplab
