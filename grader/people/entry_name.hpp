#pragma once

#include <cstdint>
#include <string>

namespace warplab {

/// What a learning platform put into the name of a submission that it lets one download.
struct EntryName {
  enum class Platform { plain, canvas, moodle, blackboard, gradescope };
  Platform platform = Platform::plain;
  std::string who;             ///< Canvas "doejane", Moodle "Jane Doe", Blackboard "Lab 7_jdoe"; else all
  std::string number = {};     ///< Canvas's user, Moodle's participant, Gradescope's submission
  std::uint64_t order = 0;     ///< of a later file of one student it is larger; 0: not known
  bool late = false;           ///< marked by the platform
  std::string submitted = {};  ///< "2027-03-01 23:14:05", the platform's local time; or ""
};

/// Reads the name of an entry.
///
///     doejane_LATE_98765_1234567_x     Canvas: family and given name, user, file, the file's own name
///     Jane Doe_4711_assignsubmission_file_    Moodle: name, participant, kind of submission
///     Lab 7_jdoe_attempt_2027-03-01-23-14-05_x    Blackboard: assignment, user name, local time
///     submission_12345678              Gradescope: submission; who it is from is in submission_metadata.yml
///
/// Sources: Canvas's lib/content_zipper.rb, Moodle's mod/assign/feedback/file/importziplib.php, Blackboard's
/// help on downloading assignments.
/// @param name without an archive's ending
EntryName entry_name(const std::string& name);

/// Whether a name ends as that of an archive that can be read: .zip, or .tar as it is or compressed.
bool is_archive_name(const std::string& name);

/// A name as it was handed in without the ending of its archive.
std::string without_archive_ending(const std::string& name);

/// A name without what marks it as a later version: "jdoe-2", "jdoe (1)" and "jdoe_3" are "jdoe".
std::string without_version(const std::string& name);

/// What a platform writes beside submissions, by its name: not a submission.
bool is_platform_receipt(const std::string& file);

}  // namespace warplab
